//! Pages: texts with places in them to be filled in.

use std::fmt::Write;

/// A page with each `{{name}}` replaced by its value, which may hold anything.
pub fn filled(page: &str, value: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    for (i, piece) in page.split("{{").enumerate() {
        match piece.split_once("}}") {
            Some((name, rest)) if i > 0 => {
                // Writing to a String cannot fail.
                let _ = write!(out, "{}{rest}", value(name));
            }
            _ => out.push_str(piece),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_filled_in_themselves() {
        let filled = filled("a {{x}} b {{y}}", |name| format!("<{name} {{{{x}}}}>"));
        assert_eq!(filled, "a <x {{x}}> b <y {{x}}>");
    }
}
