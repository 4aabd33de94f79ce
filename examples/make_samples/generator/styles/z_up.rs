//! A style with Z up.

use super::super::body::Body;
use super::super::rig::Rig;
use super::{Names, joints};
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::rig::Role;

use Axis::{X, Y, Z};

/// Metres and Z up, with the names of classic Biovision files, where "shoulder" is the upper arm
/// and "hip" the thigh; the order of channels differs from joint to joint.
pub fn z_up(body: &Body) -> Rig {
    let names = Names {
        sides: ["Left", "Right"],
        hips: "Hips",
        spine: ["Chest", "Chest2", "Chest3"],
        neck: "Neck",
        head: "Head",
        arm: ["{}Collar", "{}Shoulder", "{}Elbow", "{}Wrist"],
        leg: ["{}Hip", "{}Knee", "{}Ankle", "{}Toe"],
    };
    let mut joints = joints(body, &names, [X, Y, Z]);
    for joint in &mut joints {
        if let Role::Clavicle(_) | Role::UpperArm(_) | Role::Forearm(_) | Role::Hand(_) = joint.role
        {
            joint.axes = [Y, X, Z];
        }
    }
    Rig {
        folder: "z_up_style",
        about: "metres, Z up, facing -Y, classic names, orders of channels mixed, \
                60 frames a second",
        motions: &["walk", "stairs"],
        units: 1.0,
        world: Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2),
        frame_time: "0.0166667",
        root_offset: body.place(Role::Hips).xzy().component_mul(&Vec3::new(1.0, -1.0, 1.0)),
        joints,
    }
}
