//! The paths of the feet, seen from above.

use crate::cli::draw::limb::Limb;
use crate::cli::draw::page::{Anchor, Page};
use crate::cli::draw::view::View;
use crate::cli::text::number;
use crate::math::Vec3;

/// A foot over time.
pub struct Trace {
    pub limb: Limb,
    /// The height of the sole's lowest point over the floor in each frame, legs.
    pub heights: Vec<f64>,
    /// Where the ball is in each frame, as drawn.
    pub ball: Vec<Vec3>,
    /// The frames in which the ball stands: first, and end, not included.
    pub prints: Vec<[usize; 2]>,
}

/// The number of points of a path at most.
const POINTS: usize = 400;

/// The paths of a row's feet.
pub struct Ways<'a> {
    traces: &'a [Trace],
}

impl<'a> Ways<'a> {
    pub fn new(traces: &'a [Trace]) -> Self {
        Self { traces }
    }

    /// Draws the paths into a box (left, top, width, height), with a dot wherever a foot stands.
    pub fn draw(&self, page: &mut Page, [x, y, w, h]: [f64; 4]) {
        let points: Vec<Vec3> = self.traces.iter().flat_map(|t| &t.ball).copied().collect();
        if points.is_empty() {
            return;
        }
        let inner = [x + 14.0, y + 14.0, w - 28.0, h - 28.0];
        let mut view = View::filling([Vec3::x(), Vec3::z()], inner, &points);
        // Without a bound the tremor of somebody who stands still would fill the box.
        view.scale = view.scale.min(0.4 * w);
        page.frame([x, y, w, h]);
        for trace in self.traces {
            let class = trace.limb.class();
            let step = trace.ball.len().div_ceil(POINTS);
            let way: Vec<[f64; 2]> =
                trace.ball.iter().step_by(step).map(|&p| view.place(p)).collect();
            page.path(way, &format!("way {class}"));
        }
        for trace in self.traces {
            for &[start, end] in &trace.prints {
                let interval = &trace.ball[start..end];
                let middle = interval.iter().sum::<Vec3>() / interval.len() as f64;
                page.dot(view.place(middle), 3.6, &format!("print {}", trace.limb.class()));
            }
        }
        let legs = scale_bar(0.26 * w / view.scale);
        let (right, bottom) = (x + w, y + h + 16.0);
        page.text([x, bottom], Anchor::Start, "key", "balls of the feet, from above");
        let bar = legs * view.scale;
        page.line([right - bar, bottom - 4.0], [right, bottom - 4.0], "ground");
        let word = format!("{} leg{}", number(legs, 2), if legs == 1.0 { "" } else { "s" });
        page.text([right, bottom + 12.0], Anchor::End, "key", &word);
    }
}

/// The largest of 1, 2 and 5 times a power of ten that is at most this.
fn scale_bar(most: f64) -> f64 {
    let power = 10f64.powf(most.max(1e-9).log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|n| n * power).find(|n| *n <= most).unwrap_or(power)
}
