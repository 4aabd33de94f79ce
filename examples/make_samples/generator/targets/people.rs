//! People of several builds.

use super::super::body::{Body, Proportions, sign};
use super::super::styles::Names;
use super::{Form, Target, rig};
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::rig::Role;

use Axis::{X, Y, Z};

const HUMAN_IK: Names = Names {
    sides: ["Left", "Right"],
    hips: "Hips",
    spine: ["Spine", "Spine1", "Spine2"],
    neck: "Neck",
    head: "Head",
    arm: ["{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand"],
    leg: ["{}UpLeg", "{}Leg", "{}Foot", "{}ToeBase"],
};

/// An adult, somewhat larger and broader than the body of the samples.
pub fn hero() -> Target {
    let a = Proportions::ADULT;
    let body = Body::new(&Proportions {
        thigh: a.thigh * 1.05,
        shin: a.shin * 1.04,
        shoulder: a.shoulder * 1.12,
        chest: a.chest * 1.06,
        upper_arm: a.upper_arm * 1.04,
        forearm: a.forearm * 1.06,
        toe: a.toe * 1.1,
        ..a
    });
    Target {
        name: "hero",
        about: "an adult of 1.85 m, broad in the shoulders",
        rig: rig(&body, &HUMAN_IK, [Z, X, Y]),
        body,
        form: Form::BvhAndToml,
    }
}

/// A child of about five years: short limbs, large head.
pub fn child() -> Target {
    let a = Proportions::ADULT;
    let (limb, trunk) = (0.55, 0.7);
    let body = Body::new(&Proportions {
        thigh: a.thigh * limb,
        shin: a.shin * limb,
        ankle: a.ankle * limb,
        hip: a.hip * trunk,
        pelvis: a.pelvis * trunk,
        spine: a.spine.map(|x| x * trunk),
        chest: a.chest * trunk,
        neck: a.neck * 0.6,
        head: a.head * 0.95,
        shoulder: a.shoulder * trunk,
        upper_arm: a.upper_arm * limb,
        forearm: a.forearm * limb,
        hand: a.hand * limb,
        heel: a.heel * 0.6,
        ball: a.ball * 0.6,
        ball_height: a.ball_height * 0.6,
        toe: a.toe * 0.6,
    });
    Target {
        name: "child",
        about: "a child with legs and arms of 0.55 and a trunk of 0.7 of the adult's",
        rig: rig(&body, &HUMAN_IK, [Y, X, Z]),
        body,
        form: Form::Toml,
    }
}

/// An adult with legs longer by 30 %.
pub fn long_legged() -> Target {
    let a = Proportions::ADULT;
    let body = Body::new(&Proportions { thigh: a.thigh * 1.3, shin: a.shin * 1.3, ..a });
    let names = Names {
        sides: ["Left", "Right"],
        hips: "Hips",
        spine: ["Spine", "Chest", "UpperChest"],
        neck: "Neck",
        head: "Head",
        arm: ["{}Shoulder", "{}UpperArm", "{}LowerArm", "{}Hand"],
        leg: ["{}UpperLeg", "{}LowerLeg", "{}Foot", "{}Toes"],
    };
    Target {
        name: "long_legged",
        about: "an adult with legs longer by 30 %",
        rig: rig(&body, &names, [X, Y, Z]),
        body,
        form: Form::Bvh,
    }
}

/// Short thick legs, wide hips and shoulders; the arms hang in an A in the zero pose.
pub fn stocky() -> Target {
    let a = Proportions::ADULT;
    let body = Body::new(&Proportions {
        thigh: a.thigh * 0.75,
        shin: a.shin * 0.75,
        hip: a.hip * 1.5,
        shoulder: a.shoulder * 1.25,
        upper_arm: a.upper_arm * 0.95,
        head: a.head * 1.1,
        ..a
    });
    let names = Names {
        sides: ["L", "R"],
        hips: "pelvis",
        spine: ["abdomen", "waist", "thorax"],
        neck: "neck",
        head: "head",
        arm: ["clavicle.{}", "upper_arm.{}", "forearm.{}", "hand.{}"],
        leg: ["thigh.{}", "shin.{}", "foot.{}", "toe.{}"],
    };
    let mut rig = rig(&body, &names, [Z, Y, X]);
    for joint in &mut rig.joints {
        if let Role::UpperArm(side) | Role::Forearm(side) | Role::Hand(side) = joint.role {
            let down = 40f64.to_radians() * sign(side);
            joint.frame = Quat::from_axis_angle(&Vec3::z_axis(), down);
        }
    }
    Target {
        name: "stocky",
        about: "short legs, wide hips and shoulders; the zero pose is an A",
        rig,
        body,
        form: Form::BvhAndToml,
    }
}
