//! A sample clip with its truth, read from the files as a user would.

use retarget::internals::bvh;
use retarget::internals::clip::Clip;
use retarget::internals::math::Vec3;
use retarget::internals::pose::WorldPose;
use serde::Deserialize;
use std::path::{Path, PathBuf};

pub fn samples_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

/// What the side file says.
#[derive(Debug, Deserialize)]
pub struct Truth {
    pub up: String,
    pub units_in_a_metre: f64,
    pub leg: f64,
    pub frames: usize,
    pub points: Vec<Point>,
    pub floor: Vec<Floor>,
    pub contacts: Vec<Contact>,
    pub flights: Vec<Flight>,
    #[serde(default)]
    pub kneels: Vec<Kneel>,
    pub reach: Option<Reach>,
}

#[derive(Debug, Deserialize)]
pub struct Point {
    pub side: String,
    pub part: String,
    pub joint: String,
    pub offset: [f64; 3],
}

#[derive(Debug, Deserialize)]
pub struct Floor {
    pub height: f64,
    pub from: Option<[f64; 3]>,
    pub towards: Option<[f64; 3]>,
}

#[derive(Debug, Deserialize)]
pub struct Contact {
    pub foot: String,
    pub part: String,
    pub first_frame: usize,
    pub end_frame: usize,
    pub place: [f64; 3],
}

#[derive(Debug, Deserialize)]
pub struct Flight {
    pub first_frame: usize,
    pub end_frame: usize,
}

#[derive(Debug, Deserialize)]
pub struct Kneel {
    pub knee: String,
    pub first_frame: usize,
    pub end_frame: usize,
    pub place: [f64; 3],
}

#[derive(Debug, Deserialize)]
pub struct Reach {
    pub hand: String,
    pub first_frame: usize,
    pub end_frame: usize,
    pub place: [f64; 3],
}

pub struct Sample {
    pub name: String,
    pub clip: Clip,
    /// How many places of the file had to be repaired.
    pub repaired: usize,
    pub truth: Truth,
    worlds: Vec<WorldPose>,
}

impl Sample {
    /// The sample of this path under `samples`, without its ending.
    pub fn read(name: &str) -> Self {
        let bytes = |ending: &str| {
            let path = samples_dir().join(format!("{name}.{ending}"));
            std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        };
        let file = bvh::read(&bytes("bvh")).unwrap_or_else(|e| panic!("{name}: {e}"));
        let clip = file.clip;
        let truth = serde_json::from_slice(&bytes("truth.json")).expect("a truth");
        let world = |frame| WorldPose::of(clip.skeleton(), &clip.pose(frame));
        let worlds = (0..clip.len()).map(world).collect();
        Self { name: name.to_owned(), repaired: file.repaired.len(), truth, worlds, clip }
    }

    pub fn world(&self, frame: usize) -> &WorldPose {
        &self.worlds[frame]
    }

    /// Where a named point is.
    pub fn point(&self, frame: usize, side: &str, part: &str) -> Vec3 {
        let named = |p: &&Point| p.side == side && p.part == part;
        let point = self.truth.points.iter().find(named).expect("a point of this name");
        let joint = self.clip.skeleton().find(&point.joint).expect("a joint of this name");
        self.worlds[frame].point(joint, Vec3::from(point.offset))
    }

    pub fn up(&self) -> Vec3 {
        if self.truth.up == "z" { Vec3::z() } else { Vec3::y() }
    }

    pub fn height(&self, point: Vec3) -> f64 {
        point.dot(&self.up())
    }

    /// Height of the floor under a point, by the truth's steps.
    pub fn floor_under(&self, point: Vec3) -> f64 {
        let below = self.truth.floor.iter().filter(|floor| match (floor.from, floor.towards) {
            (Some(from), Some(towards)) => {
                (point - Vec3::from(from)).dot(&Vec3::from(towards)) >= 0.0
            }
            _ => true,
        });
        below.map(|floor| floor.height).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// All samples; panics unless there are 17.
pub fn samples() -> Vec<Sample> {
    let mut names = Vec::new();
    for folder in ["", "cmu_style", "lafan_style", "z_up_style", "mixamo_style"] {
        let dir = samples_dir().join(folder);
        for entry in std::fs::read_dir(dir).expect("the folder can be listed") {
            let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
            if let Some(name) = name.strip_suffix(".bvh") {
                names.push(if folder.is_empty() {
                    name.to_owned()
                } else {
                    format!("{folder}/{name}")
                });
            }
        }
    }
    names.sort();
    assert_eq!(names.len(), 17, "{names:?}");
    names.iter().map(|name| Sample::read(name)).collect()
}
