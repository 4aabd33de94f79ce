//! Bodies that are not people's: a trotting dog, a walking spider, a crawling snake, each with a second
//! one of another build to be carried onto.

pub mod creature;
mod dog;
mod gait;
mod snake;
mod spider;

use creature::{Creature, Posture, tidy};
use gait::Gait;
use retarget::internals::bvh::{WriteSettings, write};
use serde::Serialize;

const FRAME_TIME: &str = "0.0166667";
const FRAMES: usize = 150;

/// When in its stride the leg of a name steps, from 0 to 1.
type Phase = fn(&str) -> f64;

/// A motion of a creature, and another creature that takes it over.
pub struct Sample {
    pub name: &'static str,
    pub about: &'static str,
    pub creature: Creature,
    pub other: Creature,
    trunk: fn(&Creature, f64) -> Posture,
    gait: Option<(Gait, Phase)>,
}

/// All motions of creatures.
pub fn samples() -> Vec<Sample> {
    vec![
        Sample {
            name: "dog_trot",
            about: "Trots straight ahead at 1.2 m/s, diagonal legs together.",
            creature: dog::dog(),
            other: dog::hound(),
            trunk: dog::trot,
            gait: Some((dog::TROT, dog::phase)),
        },
        Sample {
            name: "spider_walk",
            about: "Walks straight ahead on eight legs, four at a time.",
            creature: spider::spider(),
            other: spider::tarantula(),
            trunk: spider::walk,
            gait: Some((spider::WALK, spider::phase)),
        },
        Sample {
            name: "snake_crawl",
            about: "Crawls along a winding path; the body goes where the head went.",
            creature: snake::snake(),
            other: snake::python(),
            trunk: snake::crawl,
            gait: None,
        },
    ]
}

impl Sample {
    fn time(frame: usize) -> f64 {
        frame as f64 * FRAME_TIME.parse::<f64>().expect("a number")
    }

    /// The creature at a moment.
    pub fn posture(&self, t: f64) -> Posture {
        let mut posture = (self.trunk)(&self.creature, t);
        if let Some((gait, phase)) = self.gait {
            let shapes = self.creature.shapes();
            let steps: Vec<_> =
                shapes.map(|shape| gait.step(shape.home, phase(shape.name), t)).collect();
            self.creature.stand(&mut posture, &steps);
        }
        posture
    }

    /// Path under `samples` and contents of each file.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let postures: Vec<Posture> =
            (0..FRAMES).map(|frame| self.posture(Self::time(frame))).collect();
        let mut bvh = Vec::new();
        write(&self.creature.clip(FRAME_TIME, &postures), &WriteSettings::default(), &mut bvh)
            .expect("memory takes all bytes");
        let mut truth = serde_json::to_vec_pretty(&self.truth()).expect("all numbers are finite");
        truth.push(b'\n');
        let file = |name: &str, bytes| (format!("animals/{name}"), bytes);
        vec![
            file(&format!("{}.bvh", self.name), bvh),
            file(&format!("{}.truth.json", self.name), truth),
            file(&format!("{}.toml", self.creature.name), self.creature.source_toml()),
            file(&format!("{}.toml", self.other.name), self.other.target_toml()),
        ]
    }

    fn truth(&self) -> Truth {
        let duration = Self::time(FRAMES - 1);
        let mut contacts = Vec::new();
        for (i, shape) in self.creature.shapes().enumerate() {
            let Some((gait, phase)) = self.gait else { continue };
            let (joint, tip) = self.creature.tip(i);
            for stay in gait.stays(shape.home, phase(shape.name), duration) {
                let frame = |t: f64| (t / Self::time(1)).ceil().clamp(0.0, FRAMES as f64) as usize;
                contacts.push(Contact {
                    leg: shape.name,
                    joint: self.creature.bones[joint].name.clone(),
                    tip: tidy(self.creature.way(tip)).into(),
                    first_frame: frame(stay.start),
                    end_frame: frame(stay.end),
                    place: tidy(self.creature.way(stay.place)).into(),
                });
            }
        }
        contacts.retain(|contact| contact.first_frame < contact.end_frame);
        let leg = self.creature.leg_len() * self.creature.units;
        Truth { motion: self.name, about: self.about, frames: FRAMES, leg, contacts }
    }
}

/// The side file of a clip. Lengths are the clip's units, frame ranges half-open.
#[derive(Serialize)]
struct Truth {
    motion: &'static str,
    about: &'static str,
    frames: usize,
    /// From the first joint of a leg to its tip, the mean of all legs.
    leg: f64,
    contacts: Vec<Contact>,
}

#[derive(Serialize)]
struct Contact {
    leg: &'static str,
    /// The leg's last joint, and the tip in its frame.
    joint: String,
    tip: [f64; 3],
    first_frame: usize,
    end_frame: usize,
    /// Where the tip stands.
    place: [f64; 3],
}
