//! The list of the report's numbers, by name, for whatever goes through all of them.

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
    /// The limit below which a result is good, in the number's unit.
    pub threshold: f64,
    /// Whether a viewer notices a value over that limit, whatever the bodies. A body's proportions alone change the
    /// directions of limbs, and nobody sees a change in mean roughness.
    pub is_seen: bool,
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

/// All numbers of the report that have a worst place: the most important two first, then in the report's order.
pub const NUMBERS: [Number; 14] = [
    Number { name: SNAP, about: "limbs snap", threshold: 2.5, is_seen: true, of: |r| &r.snap_deg },
    Number {
        name: "flick_deg",
        about: "hands, feet or toes flick",
        threshold: 10.0,
        is_seen: true,
        of: |r| &r.flick_deg,
    },
    Number {
        name: "plant_drift_cm",
        about: "planted balls stray",
        threshold: 0.05,
        is_seen: true,
        of: |r| &r.plant_drift_cm,
    },
    Number {
        name: "skate_cm_s",
        about: "planted balls slide",
        threshold: 0.1,
        is_seen: true,
        of: |r| &r.skate_cm_s,
    },
    Number {
        name: "penetration_cm",
        about: "soles sink in contact",
        threshold: 0.1,
        is_seen: true,
        of: |r| &r.penetration_cm,
    },
    Number {
        name: "float_cm",
        about: "soles float in contact",
        threshold: 0.2,
        is_seen: true,
        of: |r| &r.float_cm,
    },
    Number {
        name: "below_floor_cm",
        about: "body below the floor",
        threshold: 2.0,
        is_seen: true,
        of: |r| &r.below_floor_cm,
    },
    Number {
        name: "limb_direction_deg",
        about: "bones point elsewhere",
        threshold: 0.4,
        is_seen: false,
        of: |r| &r.limb_direction_deg,
    },
    Number {
        name: "joint_limits_ratio",
        about: "frames outside stated limits",
        threshold: 0.001,
        is_seen: true,
        of: |r| &r.joint_limits_ratio,
    },
    Number {
        name: "jump_ratio",
        about: "largest move in a frame",
        threshold: 1.2,
        is_seen: true,
        of: |r| &r.jump_ratio,
    },
    Number {
        name: "jerk_ratio",
        about: "roughness, mean",
        threshold: 1.05,
        is_seen: false,
        of: |r| &r.jerk_ratio,
    },
    Number {
        name: "jerk_peak_ratio",
        about: "roughness, 99.9th percentile",
        threshold: 1.1,
        is_seen: true,
        of: |r| &r.jerk_peak_ratio,
    },
    Number {
        name: "knee_pop_ratio",
        about: "knees change speed",
        threshold: 1.2,
        is_seen: true,
        of: |r| &r.knee_pop_ratio,
    },
    Number {
        name: "wrong_way_deg",
        about: "trunk and hips turned away",
        threshold: 20.0,
        is_seen: true,
        of: |r| &r.wrong_way_deg,
    },
];

impl Report {
    /// All numbers that have a worst place, each with its name and limit: the most important one first.
    pub fn measures(&self) -> impl Iterator<Item = (&'static Number, &Measure)> {
        NUMBERS.iter().map(|number| (number, number.of(self)))
    }

    /// The numbers over their limits that a viewer notices, in the order of [`measures`](Self::measures).
    pub fn flaws(&self) -> impl Iterator<Item = (&'static Number, &Measure)> {
        self.measures()
            .filter(|(number, measure)| number.is_seen && measure.value > number.threshold)
    }

    /// Whether a limb snaps: [`snap_deg`](Self::snap_deg) is over its limit.
    pub fn snaps(&self) -> bool {
        self.flaws().any(|(number, _)| number.name == SNAP)
    }
}

/// The most important number.
pub const SNAP: &str = "snap_deg";

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

    #[test]
    fn a_snap_is_the_first_flaw_and_limb_directions_are_none() {
        let over = |value| Measure { value, ..Measure::default() };
        let mut report = Report { knee_pop_ratio: over(1.3), ..Report::default() };
        report.limb_direction_deg = over(3.0);
        assert!(!report.snaps());
        report.snap_deg = over(2.6);
        let names: Vec<&str> = report.flaws().map(|(number, _)| number.name).collect();
        assert_eq!(names, ["snap_deg", "knee_pop_ratio"]);
        assert!(report.snaps());
    }

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
