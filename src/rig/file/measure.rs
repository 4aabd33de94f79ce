//! Lengths that a file says, held against the body that they are of: units stay free.

use super::{RigFile, RigFileError, RigFileProblem};
use crate::math::Vec3;
use crate::skeleton::MOST_AWAY;

/// How far from its joint a sole may lie, leg lengths. More is a wrong unit or a slip.
const FARTHEST_SOLE: f64 = 10.0;

impl RigFile {
    /// Refuses soles and a floor that cannot be of a body with legs of this length (length units): a sole farther than
    /// 10 leg lengths from its joint, a floor farther than 1e8 leg lengths from the origin.
    pub fn check_lengths(&self, leg_len: f64) -> Result<(), RigFileError> {
        let check = |key: &str, len: f64, most: f64| {
            let times = len / leg_len;
            match times <= most {
                true => Ok(()),
                false => Err(self.error(key, RigFileProblem::FarAway { times, most })),
            }
        };
        for (side, foot) in ["left", "right"].iter().zip(&self.feet) {
            let away = |point: Option<Vec3>| point.map(|point| point.norm());
            let lengths = [
                ("heel", away(foot.heel)),
                ("ball", away(foot.ball)),
                ("toe", away(foot.toe)),
                ("ankle_height", foot.ankle_height),
                ("stance_ankle_height", foot.stance_ankle_height),
                ("ball_height", foot.ball_height),
            ];
            for (part, len) in lengths {
                if let Some(len) = len {
                    check(&format!("feet.{side}.{part}"), len.abs(), FARTHEST_SOLE)?;
                }
            }
        }
        for (name, leg) in &self.legs {
            if let Some(sole) = leg.sole {
                check(&format!("legs.{name}.sole"), sole.norm(), FARTHEST_SOLE)?;
            }
        }
        self.floor.map_or(Ok(()), |floor| check("floor", floor.abs(), MOST_AWAY))
    }
}
