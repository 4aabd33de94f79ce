//! The report's numbers by name: the one list of them, for all that goes over many reports.

use super::Measure;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

/// A number of the report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The name of its field in [`super::Report`].
    pub name: &'static str,
    /// What a good result stays under, in the number's unit.
    pub reach: f64,
}

/// All numbers of the report that have a worst place, in its order.
pub const NUMBERS: [Number; 9] = [
    Number { name: "plant_drift_cm", reach: 0.05 },
    Number { name: "skate_cm_s", reach: 0.1 },
    Number { name: "penetration_cm", reach: 0.1 },
    Number { name: "float_cm", reach: 0.2 },
    Number { name: "limb_direction_deg", reach: 0.4 },
    Number { name: "jump_ratio", reach: 1.2 },
    Number { name: "jerk_ratio", reach: 1.05 },
    Number { name: "jerk_peak_ratio", reach: 1.1 },
    Number { name: "knee_pop_ratio", reach: 1.2 },
];

/// A report that was written, read by the names of its numbers. One that another version wrote may
/// lack some; what is unknown is left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    measures: BTreeMap<&'static str, Measure>,
}

impl Numbers {
    /// The number of this name.
    pub fn get(&self, name: &str) -> Option<&Measure> {
        self.measures.get(name)
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Field {
            Measure(Measure),
            Other(IgnoredAny),
        }
        let mut fields = BTreeMap::<String, Field>::deserialize(deserializer)?;
        let measure = |number: &Number| match fields.remove(number.name) {
            Some(Field::Measure(measure)) => Some((number.name, measure)),
            Some(Field::Other(_)) | None => None,
        };
        Ok(Self { measures: NUMBERS.iter().filter_map(measure).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Report;
    use super::*;
    use std::collections::BTreeSet;

    /// Whoever gives the report a number with a place gives it a line here.
    #[test]
    fn every_number_of_the_report_is_listed() {
        let report = serde_json::to_value(Report::default()).expect("numbers");
        let fields = report.as_object().expect("fields").iter();
        let measures: BTreeSet<&str> = fields
            .filter(|(_, field)| serde_json::from_value::<Measure>((*field).clone()).is_ok())
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(measures, NUMBERS.iter().map(|number| number.name).collect());
        let read: Numbers = serde_json::from_value(report.clone()).expect("a report");
        assert_eq!(read.measures.len(), NUMBERS.len());
    }
}
