//! Tables of the roles that joints should have: sections of `# names of files`, with lines of a part and its joints
//! from the body outwards. `{Left|Right}` stands for both sides, `-` for a joint that is not there.

use retarget::internals::rig::{Role, Side};
use std::collections::BTreeMap;

/// The roles that a section of a table lists, by joint name.
pub fn listed(lines: &str) -> BTreeMap<Role, String> {
    let mut roles = BTreeMap::new();
    for line in lines.lines().filter(|l| !l.is_empty()) {
        let (key, names) = line.split_once(" = ").expect("a key and names");
        let names: Vec<&str> = names.split(", ").collect();
        for (n, name) in names.iter().enumerate().filter(|(_, name)| **name != "-") {
            if let "hips" | "spine" | "neck" | "head" = key {
                let text = match key {
                    "spine" | "neck" => format!("{key}.{}", n + 1),
                    _ => key.to_owned(),
                };
                roles.insert(text.parse().expect("a role"), (*name).to_owned());
                continue;
            }
            for side in Side::BOTH {
                let word = if side == Side::Left { "left" } else { "right" };
                let part = match key {
                    "arm" => ["clavicle", "upper_arm", "forearm", "hand"][n].to_owned(),
                    "leg" => ["thigh", "shin", "foot", "toe"][n].to_owned(),
                    finger => format!("{finger}.{n}"),
                };
                let role = format!("{word}_{part}").parse().expect("a role");
                roles.insert(role, sided(name, Some(side)));
            }
        }
    }
    roles
}

/// `text` with each `{Left|Right}` replaced by the side's word, the one that begins with its letter,
/// or where none does, the one that stands for it in this order.
pub fn sided(text: &str, side: Option<Side>) -> String {
    let Some((before, rest)) = text.split_once('{') else { return text.to_owned() };
    let (words, after) = rest.split_once('}').expect("a closing brace");
    let letter = if side == Some(Side::Right) { 'r' } else { 'l' };
    let second = usize::from(side == Some(Side::Right));
    let word = words.split('|').find(|w| w.to_lowercase().starts_with(letter));
    let word = word.or(words.split('|').nth(second)).expect("a side");
    format!("{before}{word}{}", sided(after, side))
}
