//! Procedural motions of one body, written in several rig styles, with all their contacts known.

pub mod animals;
pub mod body;
mod crouch;
pub mod curve;
pub mod foot;
mod jet;
mod jump;
mod kneel;
mod limb;
pub mod motion;
mod readme;
pub mod rig;
mod run;
mod sit;
mod stairs;
mod steps;
pub mod styles;
mod targets;
pub mod truth;
mod turn;
mod walk;

use body::{Body, Proportions};
use motion::Motion;
use retarget::internals::bvh::{WriteSettings, write};

/// The body that all samples show.
pub fn sample_body() -> Body {
    Body::new(&Proportions::ADULT)
}

/// All motions.
pub fn motions() -> Vec<Motion> {
    vec![
        walk::walk(),
        run::run(),
        jump::jump(),
        turn::turn(),
        crouch::crouch(),
        stairs::stairs(),
        kneel::kneel(),
        sit::sit(),
    ]
}

/// Every file of the samples: path under `samples` and contents.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let (body, motions) = (sample_body(), motions());
    let (styles, targets) = (styles::styles(&body), targets::targets());
    let animals = animals::samples();
    let text = readme::readme(&motions, &styles, &targets, &animals);
    let mut files = vec![("README.md".to_owned(), text.into_bytes())];
    for rig in &styles {
        for motion in motions.iter().filter(|motion| rig.motions.contains(&motion.name)) {
            let path = rig.path(motion);
            let mut bytes = Vec::new();
            write(&rig.clip(&body, motion), &WriteSettings::default(), &mut bytes)
                .expect("memory takes all bytes");
            files.push((format!("{path}.bvh"), bytes));
            let mut json = serde_json::to_vec_pretty(&truth::truth(&body, rig, motion))
                .expect("all numbers are finite");
            json.push(b'\n');
            files.push((format!("{path}.truth.json"), json));
        }
    }
    files.extend(animals.iter().flat_map(|animal| animal.files()));
    for target in &targets {
        let in_folder = |(path, bytes)| (format!("skeletons/{path}"), bytes);
        files.extend(target.files().into_iter().map(in_folder));
    }
    files
}
