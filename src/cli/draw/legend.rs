//! What the colours of a drawing mean.

use super::limb::Limb;
use super::page::{Anchor, Page};

/// Writes a line that names the colour of each limb, beginning at a place, with samples of the class `stroke`.
/// Returns where the next entry would begin.
pub fn legend(page: &mut Page, [mut x, y]: [f64; 2], stroke: &str) -> f64 {
    for limb in Limb::ALL {
        let name = match limb {
            Limb::None => "no part".to_owned(),
            limb => limb.class().replace('-', " "),
        };
        page.line([x, y], [x + 22.0, y], &format!("{stroke} {}", limb.class()));
        page.text([x + 30.0, y + 4.0], Anchor::Start, "key", &name);
        x += 100.0;
    }
    x
}
