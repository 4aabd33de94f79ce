//! Every way in which one body is written differently, by kind.

#![allow(dead_code)]

use crate::equivalent::{self, Original};
use crate::rewrite::{Posture, Rewritten, styled, world_turn};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::rig::{Role, Side, StanceOrigin, UpAxis};
use retarget::internals::skeleton::JointId;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// A rewriting with its name.
pub type Writing = (String, Rewritten);

fn named(name: &str, rewritten: Rewritten) -> Writing {
    (name.to_owned(), rewritten)
}

pub fn names(o: &Original) -> Vec<Writing> {
    let as_is = || Rewritten::of(&o.clip);
    let by_role = |unreal: bool| {
        as_is().renamed(|i, name| match o.rig.roles.role(JointId::new(i)) {
            Some(role) => styled(role, unreal),
            None => name.to_owned(),
        })
    };
    vec![
        named("prefix", as_is().renamed(|_, name| format!("actor1:{name}"))),
        named("Unreal's names", by_role(true)),
        named("Mixamo's names", by_role(false)),
    ]
}

pub fn units(o: &Original) -> Vec<Writing> {
    [("metres", 0.9), ("inches", 35.4), ("centimetres", 90.0)]
        .map(|(unit, leg)| named(unit, Rewritten::of(&o.clip).scaled(leg / o.rig.leg_len)))
        .into()
}

pub fn channels(o: &Original) -> Vec<Writing> {
    let mut all: Vec<Writing> = (0..6)
        .map(|shift| {
            (format!("order {shift}"), Rewritten::of(&o.clip).reordered(shift, shift == 3))
        })
        .collect();
    all.push(named("positions everywhere", Rewritten::of(&o.clip).with_positions(false)));
    all.push(named("positions, other OFFSETs", Rewritten::of(&o.clip).with_positions(true)));
    all
}

pub fn roots(o: &Original) -> Vec<Writing> {
    let aside = Vec3::new(0.3, 0.7, -1.1) * o.rig.leg_len;
    let turn = Quat::from_euler_angles(0.4, -1.1, 0.8);
    let under = |place, turn| Rewritten::of(&o.clip).under_root("Reference", place, turn);
    vec![
        named("root at the origin", under(Vec3::zeros(), Quat::identity())),
        named("root aside", under(aside, Quat::identity())),
        named("root aside and turned", under(aside, turn)),
    ]
}

/// The turn from Y up to Z up, or from Z up to Y up.
fn other_up(up: UpAxis) -> Quat {
    let other = if up == UpAxis::Z { UpAxis::Y } else { UpAxis::Z };
    world_turn(up, other)
}

pub fn up_axes(o: &Original) -> Vec<Writing> {
    let turn = other_up(o.rig.up);
    vec![
        named("other up, rest too", Rewritten::of(&o.clip).turned_with_rest(turn)),
        named("other up, motion alone", Rewritten::of(&o.clip).turned(turn)),
    ]
}

/// Whether a writing says enough without its motion: its world has +Y or +Z up, since which way an
/// upside-down one is to be turned is nobody's law; and where its zero pose shows nothing, its trunk
/// has no joints more, which could be bent in any way.
pub fn is_known_bare(how: &str, other: &Rewritten) -> bool {
    equivalent::target(&other.clip, false).map_or(true, |target| {
        let built = target.rig.stance.origin == StanceOrigin::Built;
        [UpAxis::Y, UpAxis::Z].contains(&target.rig.up) && !(built && how == IN_SPINE)
    })
}

/// How the writing is called that puts a joint into the spine.
const IN_SPINE: &str = "joint in the spine";

pub fn arms(o: &Original) -> Vec<Writing> {
    let bent = |below| {
        let posture = Posture::standing(&o.rig).with_arms(below);
        Rewritten::of(&o.clip).with_rest(&posture.rotations)
    };
    vec![named("T", bent(0.0)), named("A", bent(FRAC_PI_4))]
}

pub fn facings(o: &Original) -> Vec<Writing> {
    let facing = |angle| {
        let posture = Posture::standing(&o.rig).turned(angle);
        Rewritten::of(&o.clip).with_rest(&posture.rotations)
    };
    vec![named("facing +X", facing(FRAC_PI_2)), named("facing -X", facing(-FRAC_PI_2))]
}

pub fn straight_legs(o: &Original) -> Vec<Writing> {
    let posture = Posture::standing(&o.rig).with_legs_straight();
    vec![named("legs straight", Rewritten::of(&o.clip).with_rest(&posture.rotations))]
}

/// Bones along +X, with the stance in a frame before the motion: the zero pose where it stands, a T
/// of it, or nothing.
pub fn along_x(o: &Original) -> Vec<Writing> {
    let led =
        |posture: Posture<'_>| Rewritten::of(&o.clip).led_by(&posture.as_pose(&o.clip)).along_x();
    vec![
        named("along X, zero pose in frame 0", led(Posture::standing(&o.rig))),
        named("along X, T in frame 0", led(Posture::standing(&o.rig).with_arms(0.0))),
        named("along X, stance nowhere", Rewritten::of(&o.clip).along_x()),
    ]
}

/// The role joint whose parent, without a branch or a helper between, plays `upper`.
fn bone(o: &Original, upper: Role, lower: Role) -> Option<(JointId, JointId)> {
    let (upper, lower) = (o.rig.joint(upper)?, o.rig.joint(lower)?);
    let skeleton = &o.rig.skeleton;
    let long = skeleton.joint(lower).offset.norm() > 0.01 * o.rig.leg_len;
    (skeleton.parent(lower) == Some(upper) && long).then_some((upper, lower))
}

/// The role joints that end a bone which may take another joint.
fn bones(o: &Original) -> Vec<(&'static str, Vec<(JointId, JointId)>)> {
    let both = |upper: fn(Side) -> Role, lower: fn(Side) -> Role| -> Vec<(JointId, JointId)> {
        Side::BOTH.into_iter().filter_map(|s| bone(o, upper(s), lower(s))).collect()
    };
    let mut spine: Vec<(JointId, JointId)> = Vec::new();
    let joints: Vec<Role> = std::iter::once(Role::Hips).chain((1..10).map(Role::Spine)).collect();
    spine.extend(joints.windows(2).filter_map(|p| bone(o, p[0], p[1])).skip(1).take(1));
    vec![
        ("spine", spine),
        ("thigh", both(Role::Thigh, Role::Shin)),
        ("shin", both(Role::Shin, Role::Foot)),
        ("upper arm", both(Role::UpperArm, Role::Forearm)),
        ("forearm", both(Role::Forearm, Role::Hand)),
    ]
}

pub fn inserted(o: &Original) -> Vec<Writing> {
    let mut all = Vec::new();
    for (part, bones) in bones(o).into_iter().filter(|(_, b)| !b.is_empty()) {
        let mut rewritten = Rewritten::of(&o.clip);
        for (_, lower) in bones {
            let name = format!("{}_mid", o.rig.skeleton.name(lower));
            let to = rewritten.now(lower);
            rewritten = rewritten.with_inserted(to, &name);
        }
        all.push((format!("joint in the {part}"), rewritten));
    }
    all
}

pub fn twists(o: &Original) -> Vec<Writing> {
    let mut leaves = Rewritten::of(&o.clip);
    let mut all = Vec::new();
    for (part, bones) in bones(o).into_iter().filter(|(p, b)| *p != "spine" && !b.is_empty()) {
        let mut inline = Rewritten::of(&o.clip);
        let mut can = true;
        for (upper, lower) in bones {
            let twist = format!("{}Twist", o.rig.skeleton.name(upper));
            leaves = leaves.clone().with_leaf_twist(leaves.now(upper), leaves.now(lower), &twist);
            can &= o.rig.skeleton.children(upper).count() == 1;
            if can {
                let to = inline.now(lower);
                inline = inline.with_inline_twist(to, &twist);
            }
        }
        if can {
            all.push((format!("twist joint in the {part}"), inline));
        }
    }
    all.push(named("twist joints beside", leaves));
    all
}

/// Many things at once: names, units, orders, a root, the up axis, joints more, and a zero pose that is an
/// A, or lays bones along +X with the stance in a frame before the motion or nowhere.
pub fn at_once(o: &Original) -> Vec<Writing> {
    let posture = Posture::standing(&o.rig).with_arms(FRAC_PI_4);
    let in_a = Rewritten::of(&o.clip).with_rest(&posture.rotations);
    let led = Rewritten::of(&o.clip).led_by(&posture.as_pose(&o.clip)).along_x();
    let nowhere = Rewritten::of(&o.clip).along_x();
    let all = |rewritten: Rewritten| {
        with_joints_in(o, rewritten)
            .renamed(|_, name| format!("actor1:{name}"))
            .scaled(0.9 / o.rig.leg_len)
            .turned_with_rest(other_up(o.rig.up))
            .under_root(
                "Reference",
                Vec3::new(0.1, 0.2, 0.3),
                Quat::from_euler_angles(0.3, 0.2, 0.1),
            )
            .with_positions(false)
            .reordered(2, false)
    };
    vec![
        named("many at once, A", all(in_a)),
        named("many at once, along X, A in frame 0", all(led)),
        named("many at once, along X, stance nowhere", all(nowhere)),
    ]
}

/// A joint more in each forearm, and a twist joint beside each shin.
fn with_joints_in(o: &Original, mut rewritten: Rewritten) -> Rewritten {
    for side in Side::BOTH {
        if let Some((_, hand)) = bone(o, Role::Forearm(side), Role::Hand(side)) {
            let name = format!("{}_mid", o.rig.skeleton.name(hand));
            let to = rewritten.now(hand);
            rewritten = rewritten.with_inserted(to, &name);
        }
        if let Some((shin, foot)) = bone(o, Role::Shin(side), Role::Foot(side)) {
            let name = format!("{}Twist", o.rig.skeleton.name(shin));
            let (on, to) = (rewritten.now(shin), rewritten.now(foot));
            rewritten = rewritten.with_leaf_twist(on, to, &name);
        }
    }
    rewritten
}
