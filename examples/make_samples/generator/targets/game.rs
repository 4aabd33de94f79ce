//! A game character with the joints that games add.

use super::super::body::{Body, Proportions, sign};
use super::super::rig::RigJoint;
use super::super::styles::{Names, insert};
use super::{Form, Target, rig};
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::rig::Side;

use Axis::{X, Y, Z};

/// A game character: Z up, a root on the floor, five spine joints, twist joints and fingers.
pub fn game() -> Target {
    let a = Proportions::ADULT;
    let body = Body::new(&Proportions {
        thigh: a.thigh * 1.02,
        shin: a.shin * 1.05,
        shoulder: a.shoulder * 1.05,
        head: a.head * 0.95,
        ..a
    });
    let names = Names {
        sides: ["l", "r"],
        hips: "pelvis",
        spine: ["spine_01", "spine_03", "spine_05"],
        neck: "neck_01",
        head: "head",
        arm: ["clavicle_{}", "upperarm_{}", "lowerarm_{}", "hand_{}"],
        leg: ["thigh_{}", "calf_{}", "foot_{}", "ball_{}"],
    };
    let mut rig = rig(&body, &names, [X, Y, Z]);
    rig.world = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    rig.root_offset = Vec3::zeros();
    for (name, below, above) in
        [("spine_02", "spine_01", "spine_03"), ("spine_04", "spine_03", "spine_05")]
    {
        let (below, above) = (named(&rig.joints, below), named(&rig.joints, above));
        let place = (rig.joints[below].place + rig.joints[above].place) / 2.0;
        let middle = RigJoint { name: name.to_owned(), place, ..bare(&rig.joints[below]) };
        insert(&mut rig.joints, above, RigJoint { parent: Some(below), ..middle });
        rig.joints[above + 1].parent = Some(above);
    }
    for (side, letter) in Side::BOTH.into_iter().zip(["l", "r"]) {
        // Half way along its bone, as a leaf.
        for (bone, next) in [("upperarm", "lowerarm"), ("lowerarm", "hand"), ("thigh", "calf")] {
            let parent = named(&rig.joints, &format!("{bone}_{letter}"));
            let end = named(&rig.joints, &format!("{next}_{letter}"));
            let joint = RigJoint {
                name: format!("{bone}_twist_01_{letter}"),
                place: (rig.joints[parent].place + rig.joints[end].place) / 2.0,
                parent: Some(parent),
                ..bare(&rig.joints[parent])
            };
            insert(&mut rig.joints, parent + 1, joint);
        }
        add_fingers(&mut rig.joints, side, letter);
    }
    let root = RigJoint {
        name: "root".to_owned(),
        place: Vec3::zeros(),
        parent: None,
        ..bare(&rig.joints[0])
    };
    insert(&mut rig.joints, 0, root);
    rig.joints[1].parent = Some(0);
    Target {
        name: "game",
        about: "a game character: Z up, a root on the floor, five spine joints, twist joints, fingers",
        rig,
        body,
        form: Form::Toml,
    }
}

/// A joint like another one, without ends.
fn bare(joint: &RigJoint) -> RigJoint {
    RigJoint { ends: Vec::new(), ..joint.clone() }
}

fn named(joints: &[RigJoint], name: &str) -> usize {
    joints.iter().position(|joint| joint.name == name).expect("a joint of this name")
}

/// Three phalanges for each of five fingers, spread over the palm.
fn add_fingers(joints: &mut Vec<RigJoint>, side: Side, letter: &str) {
    let hand = named(joints, &format!("hand_{letter}"));
    let wrist = joints[hand].place;
    let tip = joints[hand].ends.remove(0).expect("a hand ends in its tips");
    let (out, length) = (Vec3::x() * sign(side), (tip - wrist).norm());
    // Where a finger's knuckle is along and across the palm, its way, and its share of the hand.
    let ahead = |z: f64| Vec3::new(0.0, 0.0, z);
    let fingers = [
        ("thumb", out * 0.15 + ahead(0.14), (out + ahead(0.9)).normalize(), 0.4),
        ("index", out * 0.5 + ahead(0.13), (out + ahead(0.08)).normalize(), 0.44),
        ("middle", out * 0.52 + ahead(0.02), out, 0.48),
        ("ring", out * 0.5 + ahead(-0.09), (out + ahead(-0.06)).normalize(), 0.44),
        ("pinky", out * 0.46 + ahead(-0.19), (out + ahead(-0.12)).normalize(), 0.35),
    ];
    let mut at = hand + 1;
    for (name, knuckle, way, share) in fingers {
        let mut place = wrist + knuckle * length;
        for (n, part) in [(1, 0.45), (2, 0.3), (3, 0.25)] {
            let joint = RigJoint {
                name: format!("{name}_0{n}_{letter}"),
                parent: Some(if n == 1 { hand } else { at - 1 }),
                place,
                ..bare(&joints[hand])
            };
            place += way * (part * share * length);
            insert(joints, at, joint);
            if n == 3 {
                joints[at].ends.push(Some(place));
            }
            at += 1;
        }
    }
}
