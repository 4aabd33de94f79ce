//! A report as a table that people read.

use super::text::number;
use crate::batch::Limit;
use crate::report::{NUMBERS, Report};
use std::fmt::Write;

/// Every number of a report with its limit, its value for a plain copy of the source's rotations if that was measured,
/// and where it is worst. Numbers over their limits, which are the user's where he gives some, are marked.
pub fn table(report: &Report, copy: Option<&Report>, limits: &[Limit]) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, report, copy, limits);
    out
}

fn write(
    out: &mut String,
    report: &Report,
    copy: Option<&Report>,
    limits: &[Limit],
) -> std::fmt::Result {
    write!(out, "{:20}{:>9}{:>9}", "", "value", "limit")?;
    if copy.is_some() {
        write!(out, "{:>12}", "plain copy")?;
    }
    writeln!(out, "   at worst")?;
    for kind in &NUMBERS {
        let measure = kind.of(report);
        let most = Limit::most_of(kind, limits);
        let (value, limit) = (number(measure.value, DECIMALS), number(most, DECIMALS));
        write!(out, "{:20}{value:>9}{limit:>9}", kind.name)?;
        if let Some(copy) = copy {
            write!(out, "{:>12}", number(kind.of(copy).value, DECIMALS))?;
        }
        let mark = if measure.value > most { '!' } else { ' ' };
        let place = match measure.joint.is_empty() {
            true => String::new(),
            false => {
                let worst = number(measure.worst, DECIMALS);
                format!("{worst} at {:?}, frame {}", measure.joint, measure.frame)
            }
        };
        writeln!(out, "{}", format!(" {mark} {place}").trim_end())?;
    }
    Ok(())
}

/// Decimals of every number.
const DECIMALS: usize = 3;
