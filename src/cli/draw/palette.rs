//! The colours of drawings and pages, on a light ground and on a dark one.

use std::fmt::Write;

/// The colours of a page: those of its parts, and those of the limbs by their class.
pub struct Palette {
    pub page: &'static str,
    pub ink: &'static str,
    pub faint: &'static str,
    pub limbs: [(&'static str, &'static str); 6],
}

/// Left is blue, right is red, and arms are lighter than legs; the letters L and R say the same without colour.
pub const LIGHT: Palette = Palette {
    page: "#fbfbf9",
    ink: "#1f2328",
    faint: "#6b7280",
    limbs: [
        ("left-arm", "#2b7fd4"),
        ("left-leg", "#0b5394"),
        ("right-arm", "#e8743b"),
        ("right-leg", "#b3261e"),
        ("trunk", "#6f56a8"),
        ("none", "#a8adb4"),
    ],
};

pub const DARK: Palette = Palette {
    page: "#16181c",
    ink: "#eceef1",
    faint: "#9aa2ad",
    limbs: [
        ("left-arm", "#74b7f7"),
        ("left-leg", "#3f8fe0"),
        ("right-arm", "#ff9d6b"),
        ("right-leg", "#f0625a"),
        ("trunk", "#b39ee8"),
        ("none", "#5d646e"),
    ],
};

impl Palette {
    /// The palette as rules without variables, which many SVG viewers do not know.
    pub fn rules(&self) -> String {
        let Palette { page, ink, faint, limbs } = self;
        let mut rules = format!(
            ".page {{ fill: {page}; }} text {{ fill: {ink}; }}\n\
             .sub, .key, .caption, .unused, .lane-name {{ fill: {faint}; }}\n"
        );
        for (class, colour) in limbs {
            let _ = writeln!(
                rules,
                ".bone.{class}, .lead.{class}, .limb.{class}, .trace.{class}, .way.{class}, \
                 .contact.{class} {{ stroke: {colour}; }} \
                 .role.{class}, .side.{class}, .print.{class} {{ fill: {colour}; }} \
                 .joint.{class} {{ fill: {page}; stroke: {colour}; }}"
            );
        }
        let (_, grey) = limbs[5];
        let _ = writeln!(
            rules,
            ".joint.none {{ fill: {grey}; stroke: none; }} \
             .ground, .rule, .frame {{ stroke: {grey}; }} \
             .lead, .trace, .way, .frame {{ fill: none; }} .rule, .frame {{ opacity: 0.5; }}"
        );
        rules
    }

    /// The palette as variables, for pages that a browser shows.
    fn variables(&self) -> String {
        let Palette { page, ink, faint, limbs } = self;
        let mut variables = format!("--page: {page}; --ink: {ink}; --faint: {faint};");
        for (class, colour) in limbs {
            let _ = write!(variables, " --{class}: {colour};");
        }
        variables
    }
}

/// Both palettes as variables for a page: the browser takes the dark one where its user prefers dark pages.
pub fn variables() -> String {
    let (light, dark) = (LIGHT.variables(), DARK.variables());
    format!(":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n")
}
