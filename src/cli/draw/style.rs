//! How shapes look: one style sheet. An SVG drawing contains it; a PNG is drawn by it.

use super::palette::{DARK, LIGHT};

/// Sizes and fonts; the palettes have the colours. Of two rules for one shape the later one holds.
const SHAPES: &str = "\
text { font-family: system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; }
.title { font-size: 24px; font-weight: 650; }
.head { font-size: 17px; font-weight: 650; }
.sub, .key, .caption, .unused, .lane-name { font-size: 12.5px; }
.name { font-size: 12.5px; font-weight: 600; }
.role { font-size: 11px; }
.side { font-size: 17px; font-weight: 700; }
.bone { stroke-width: 5.5; stroke-linecap: round; }
.bone.none { stroke-width: 2; }
.bone.end { stroke-width: 2.5; }
.bone.guess { stroke-dasharray: 3 8; }
.joint { stroke-width: 2; }
.lead { stroke-width: 0.8; opacity: 0.55; }
.ground, .rule, .frame { stroke-width: 1; }
.limb { stroke-width: 2.8; stroke-linecap: round; }
.limb.none { stroke-width: 1.6; }
.trace { stroke-width: 1.4; }
.way { stroke-width: 1; opacity: 0.6; }
.contact { stroke-width: 3.6; }
.print { fill-opacity: 0.75; }
";

/// The style sheet, with colours for a light background, and for a dark one where the reader prefers dark pages.
pub fn sheet() -> String {
    let (light, dark) = (LIGHT.rules(), DARK.rules());
    format!("{SHAPES}{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n")
}

/// How a shape looks; the defaults are those of SVG.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Red, green, blue; `None` where the shape is not filled, or has no line.
    pub fill: Option<[u8; 3]>,
    pub stroke: Option<[u8; 3]>,
    /// Page units, as are the dashes and the font's size.
    pub stroke_width: f32,
    pub round_ends: bool,
    pub dashes: Vec<f32>,
    pub opacity: f32,
    pub fill_opacity: f32,
    pub font_size: f32,
    pub font_weight: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            fill: Some([0; 3]),
            stroke: None,
            stroke_width: 1.0,
            round_ends: false,
            dashes: Vec::new(),
            opacity: 1.0,
            fill_opacity: 1.0,
            font_size: 16.0,
            font_weight: 400.0,
        }
    }
}

/// The style sheet with the colours for a light background, parsed.
pub struct Style {
    rules: Vec<Rule>,
}

/// A rule: the words that a shape must have, with the name of its element among them, and its declarations.
struct Rule {
    words: Vec<String>,
    declarations: Vec<(String, String)>,
}

impl Style {
    pub fn new() -> Self {
        let text = format!("{SHAPES}{}", LIGHT.rules());
        let mut rules = Vec::new();
        for (selectors, body) in text.split('}').filter_map(|rule| rule.split_once('{')) {
            let pairs = body.split(';').filter_map(|declaration| declaration.split_once(':'));
            let declarations: Vec<(String, String)> =
                pairs.map(|(name, value)| (name.trim().into(), value.trim().into())).collect();
            for selector in selectors.split(',') {
                let words = selector.trim().split('.').filter(|word| !word.is_empty());
                let words = words.map(str::to_owned).collect();
                rules.push(Rule { words, declarations: declarations.clone() });
            }
        }
        Self { rules }
    }

    /// How a shape with these words looks: the words of its class, and `text` for a text.
    pub fn look(&self, words: &str) -> Look {
        let has = |word: &String| words.split(' ').any(|w| w == word);
        let mut look = Look::default();
        for rule in self.rules.iter().filter(|rule| rule.words.iter().all(has)) {
            for (name, value) in &rule.declarations {
                look.set(name, value);
            }
        }
        look
    }
}

impl Look {
    /// Applies a declaration. Returns whether it is known here.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let number = || value.trim_end_matches("px").parse::<f32>().ok();
        let kept = |to: &mut f32| number().map(|value| *to = value).is_some();
        match name {
            "fill" => self.fill = colour(value),
            "stroke" => self.stroke = colour(value),
            "stroke-linecap" => self.round_ends = value == "round",
            "stroke-dasharray" => {
                self.dashes = value.split(' ').filter_map(|length| length.parse().ok()).collect();
            }
            "stroke-width" => return kept(&mut self.stroke_width),
            "opacity" => return kept(&mut self.opacity),
            "fill-opacity" => return kept(&mut self.fill_opacity),
            "font-size" => return kept(&mut self.font_size),
            "font-weight" => return kept(&mut self.font_weight),
            // A PNG always has the built-in font.
            "font-family" => {}
            _ => return false,
        }
        true
    }
}

/// A colour written as `#rrggbb`; `None` for anything else.
fn colour(value: &str) -> Option<[u8; 3]> {
    let [_, red, green, blue] =
        u32::from_str_radix(value.strip_prefix('#')?, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_follows_every_declaration_of_the_style_sheet() {
        let rules = Style::new().rules;
        assert!(rules.len() > 60, "{} rules", rules.len());
        for (name, value) in rules.iter().flat_map(|rule| &rule.declarations) {
            assert!(Look::default().set(name, value), "{name}: {value}");
            let is_colour = ["fill", "stroke"].contains(&name.as_str()) && value != "none";
            assert!(!is_colour || colour(value).is_some(), "{name}: {value}");
        }
    }

    #[test]
    fn later_rules_hold_and_a_rule_needs_all_its_words() {
        let style = Style::new();
        assert_eq!(style.look("bone trunk").stroke_width, 5.5);
        assert_eq!(style.look("bone none").stroke_width, 2.0);
        assert_eq!(style.look("bone trunk guess").dashes, [3.0, 8.0]);
        assert_eq!(style.look("joint none").stroke, None);
        assert_eq!(style.look("lead trunk").fill, None);
        assert_ne!(style.look("text name").fill, style.look("text key").fill);
    }
}
