//! The report's numbers by name: the one list of them, for all that goes over many reports.

use super::{Measure, Report};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

/// A number of the report.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The name of its field in [`Report`].
    pub name: &'static str,
    /// What it says, in a few words.
    pub about: &'static str,
    /// What a good result stays under, in the number's unit.
    pub reach: f64,
    of: fn(&Report) -> &Measure,
}

impl Number {
    /// The number of this name.
    pub fn named(name: &str) -> Option<&'static Number> {
        NUMBERS.iter().find(|number| number.name == name)
    }

    /// What a report says of it.
    pub fn of<'a>(&self, report: &'a Report) -> &'a Measure {
        (self.of)(report)
    }
}

/// All numbers of the report that have a worst place, in its order.
pub const NUMBERS: [Number; 10] = [
    Number {
        name: "plant_drift_cm",
        about: "planted balls stray",
        reach: 0.05,
        of: |r| &r.plant_drift_cm,
    },
    Number { name: "skate_cm_s", about: "planted balls slide", reach: 0.1, of: |r| &r.skate_cm_s },
    Number {
        name: "penetration_cm",
        about: "soles sink in contact",
        reach: 0.1,
        of: |r| &r.penetration_cm,
    },
    Number { name: "float_cm", about: "soles float in contact", reach: 0.2, of: |r| &r.float_cm },
    Number {
        name: "limb_direction_deg",
        about: "bones point elsewhere",
        reach: 0.4,
        of: |r| &r.limb_direction_deg,
    },
    Number {
        name: "joint_limits_ratio",
        about: "frames outside stated limits",
        reach: 0.001,
        of: |r| &r.joint_limits_ratio,
    },
    Number {
        name: "jump_ratio",
        about: "largest move in a frame",
        reach: 1.2,
        of: |r| &r.jump_ratio,
    },
    Number { name: "jerk_ratio", about: "roughness, mean", reach: 1.05, of: |r| &r.jerk_ratio },
    Number {
        name: "jerk_peak_ratio",
        about: "roughness, 99.9th percentile",
        reach: 1.1,
        of: |r| &r.jerk_peak_ratio,
    },
    Number {
        name: "knee_pop_ratio",
        about: "knees change speed",
        reach: 1.2,
        of: |r| &r.knee_pop_ratio,
    },
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
