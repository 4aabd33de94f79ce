//! A report as a table that people read.

use super::text::number;
use crate::report::{NUMBERS, Report};
use std::fmt::Write;

/// Every number of a report with its limit, its value for a plain copy of the source's rotations if that was measured,
/// and where it is worst. Numbers over their limits are marked.
pub fn table(report: &Report, copy: Option<&Report>) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, report, copy);
    out
}

fn write(out: &mut String, report: &Report, copy: Option<&Report>) -> std::fmt::Result {
    write!(out, "{:20}{:>9}{:>9}", "", "value", "limit")?;
    if copy.is_some() {
        write!(out, "{:>12}", "plain copy")?;
    }
    writeln!(out, "   at worst")?;
    for kind in &NUMBERS {
        let measure = kind.of(report);
        let (value, limit) = (number(measure.value, DECIMALS), number(kind.threshold, DECIMALS));
        write!(out, "{:20}{value:>9}{limit:>9}", kind.name)?;
        if let Some(copy) = copy {
            write!(out, "{:>12}", number(kind.of(copy).value, DECIMALS))?;
        }
        let mark = if measure.value > kind.threshold { '!' } else { ' ' };
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
