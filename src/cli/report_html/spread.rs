//! How the values of a number are spread over the clips of a run.

use crate::batch::{Ending, Journals, Spread};
use crate::cli::text::number;
use crate::report::Number;
use std::fmt::Write;

const BINS: usize = 48;
/// Width and height of a histogram, page units.
const SIZE: [f64; 2] = [288.0, 36.0];

/// A row of the table: the number, its percentiles and a histogram. Bars beyond the limit stand out, and the last
/// bar counts all values beyond the scale.
pub fn row(spread: &Spread, journals: &Journals) -> String {
    let values = journals.lines.values().filter_map(|line| match &line.ending {
        Ending::Done(made) => Some(made.report.get(spread.name)?.value),
        Ending::Failed(_) => None,
    });
    let about = Number::named(spread.name).map_or("", |number| number.about);
    let cells = [spread.p50, spread.p90, spread.p95, spread.p99, spread.max, spread.threshold];
    let cells: String =
        cells.iter().map(|value| format!("<td>{}</td>", number(*value, 3))).collect();
    let missed = if spread.over > 0 { " class=\"missed\"" } else { "" };
    format!(
        "<tr{missed}><th scope=\"row\">{}<small>{about}</small></th>{cells}<td>{}</td><td>{}</td></tr>\n",
        spread.name,
        spread.over,
        histogram(spread, values)
    )
}

fn histogram(spread: &Spread, values: impl Iterator<Item = f64>) -> String {
    let [width, height] = SIZE;
    let most = (1.5 * spread.threshold).max(1.1 * spread.p99);
    let mut counts = [0usize; BINS];
    for value in values {
        let bin = (value / most * BINS as f64).max(0.0) as usize;
        counts[bin.min(BINS - 1)] += 1;
    }
    let highest = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let (half, far) = (number(spread.p50, 3), number(spread.p95, 3));
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"half of the clips under {half}, 95 % under {far}\">"
    );
    for (i, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        // A bar of one clip in a hundred thousand must still be visible.
        let tall = (count as f64 / highest * (height - 2.0)).max(1.5);
        let good = (i as f64 + 0.5) / BINS as f64 * most <= spread.threshold;
        let class = if good { "good" } else { "over" };
        let (x, y) = (i as f64 * width / BINS as f64, height - tall);
        // Writing to a String cannot fail.
        let _ = write!(
            svg,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"5\" height=\"{tall:.1}\"/>"
        );
    }
    let threshold = spread.threshold / most * width;
    let _ = write!(svg, "<path class=\"threshold\" d=\"M{threshold:.1} 0V{height}\"/></svg>");
    svg
}
