//! A stance that no pose shows is found from what else shows it, near to the one that is hidden.

use crate::common;
use crate::equivalent;
use crate::equivalent::{FAMILIES, Original, originals, rig_of, target};
use crate::rewrite::{Posture, Rewritten, world};
use retarget::internals::math::Vec3;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{Digit, Ground, Rig, Role, Side, StanceOrigin};
use retarget::internals::skeleton::JointId;

/// A clip whole, or none where there are no clips.
fn clip(name: &str) -> Option<Original> {
    Some(originals(&common::mocap_dir()?, &[name], usize::MAX).remove(0))
}

/// How far a joint's frame in the found stance is turned from that in the original's, in degrees.
fn off_deg(original: &Original, other: &Rewritten, found: &Rig, role: Role) -> f64 {
    let id = original.rig.joint(role).expect("the role");
    let now = found.joint(role).expect("the role is found again");
    let before = world(&original.clip, 0).rotation(id);
    let after = world(&other.clip, other.lead).rotation(now);
    let truth = original.rig.stance.body_from_joint[id.index()] * before.inverse() * after;
    truth.angle_to(&found.stance.body_from_joint[now.index()]).to_degrees()
}

#[test]
fn a_fighters_head_is_not_taken_for_one_that_looks_ahead() {
    // While this one stands upright his head is turned aside.
    let Some(original) = clip("bandai_namco/kick_normal_001") else { return };
    let hidden = Rewritten::of(&original.clip).along_x();
    let found = rig_of(&hidden.clip).unwrap().rig;
    assert!(matches!(found.stance.origin, StanceOrigin::Frames(_)), "{}", found.stance.origin);
    for role in [Role::Neck(1), Role::Head] {
        let off = off_deg(&original, &hidden, &found, role);
        assert!(off < 15.0, "{role}: {off}°");
    }
}

#[test]
fn knees_show_how_legs_are_rolled_where_nobody_stands() {
    let Some(original) = clip("biovision18_inch/sprint") else { return };
    let hidden = Rewritten::of(&original.clip).along_x();
    let found = rig_of(&hidden.clip).unwrap().rig;
    assert_eq!(found.stance.origin, StanceOrigin::Built);
    for side in Side::BOTH {
        for role in [Role::Thigh(side), Role::Shin(side)] {
            let off = off_deg(&original, &hidden, &found, role);
            assert!(off < 20.0, "{role}: {off}°");
            let basis = found.stance.bases[found.joint(role).unwrap().index()];
            assert_eq!(basis.roll, Ground::Motion, "{role}");
        }
    }
}

#[test]
fn the_fingers_of_a_bare_hierarchy_show_how_its_hands_are_rolled() {
    let Some(original) = clip("rokoko/jesse_dance") else { return };
    let as_is = Rewritten::of(&original.clip);
    let found = target(&original.clip, false).unwrap().rig;
    assert_eq!(found.stance.origin, StanceOrigin::Built);
    for side in Side::BOTH {
        let off = off_deg(&original, &as_is, &found, Role::Hand(side));
        assert!(off < 20.0, "{side:?} hand: {off}°");
        let basis = found.stance.bases[found.joint(Role::Hand(side)).unwrap().index()];
        assert_eq!(basis.roll, Ground::Bones, "{side:?} hand");
    }
}

/// A zero pose as on a chair shows as much as one that stands, but for how far apart its knees are.
#[test]
fn a_zero_pose_that_sits_shows_how_every_part_lies() {
    const MOST_DEG: f64 = 25.0;
    let Some(dir) = common::mocap_dir() else { return };
    let (mut bodies, mut worst) = (0, 0.0f64);
    for original in originals(&dir, &FAMILIES, 2) {
        let stance = &original.rig.stance;
        if stance.origin != StanceOrigin::Rest {
            continue;
        }
        let sits = Posture::standing(&original.rig).sitting();
        let sits = Rewritten::of(&original.clip).with_rest(&sits.rotations);
        let found = target(&sits.clip, false).unwrap().rig;
        assert_eq!(found.stance.origin, StanceOrigin::Rest, "{}", original.name);
        bodies += 1;
        // What a clip shows against its zero pose does not count.
        let is_shown = |id: JointId| stance.bases[id.index()].roll == Ground::Shown;
        for (role, _) in original.rig.roles.iter().filter(|(_, id)| is_shown(*id)) {
            let off = off_deg(&original, &sits, &found, role);
            assert!(off < MOST_DEG, "{} {role}: {off}°", original.name);
            worst = worst.max(off);
        }
    }
    println!("{bodies} bodies, at worst {worst:.1}°");
    assert!(bodies >= 12, "{bodies} bodies");
}

/// Legs whose author mirrored the joints of one side lie alike on both.
#[test]
fn the_mirrored_limbs_of_a_bare_hierarchy_lie_as_those_that_they_mirror() {
    let Some(original) = clip("bandai_namco/walk_normal_001") else { return };
    let as_is = Rewritten::of(&original.clip);
    let found = target(&original.clip, false).unwrap().rig;
    assert_eq!(found.stance.origin, StanceOrigin::Built);
    for part in [Role::Thigh, Role::Shin, Role::Foot, Role::UpperArm, Role::Forearm] {
        let [left, right] = Side::BOTH.map(|side| off_deg(&original, &as_is, &found, part(side)));
        assert!((left - right).abs() < 10.0, "{}: {left}°, {right}°", part(Side::Left));
        let is_leg = !matches!(part(Side::Left), Role::UpperArm(_) | Role::Forearm(_));
        assert!(!is_leg || left < 25.0, "{}: {left}°", part(Side::Left));
    }
}

/// Nothing but fingers shows how the hands of a hierarchy without motion are rolled.
#[test]
fn the_palms_of_bare_hierarchies_face_down_on_both_sides() {
    let Some(dir) = common::mocap_dir() else { return };
    let names = ["dfki_fk_jnt/custom_skeleton_walk", "geno/Geno_bind", "rokoko/jesse_dance"];
    for original in originals(&dir, &names, 2) {
        let rig = target(&original.clip, false).unwrap().rig;
        assert_eq!(rig.stance.origin, StanceOrigin::Built, "{}", original.name);
        let world = WorldPose::of(&rig.skeleton, &rig.stance.local);
        for side in Side::BOTH {
            let hand = rig.joint(Role::Hand(side)).expect("a hand");
            let knuckle =
                |digit| world.position(rig.joint(Role::Finger(side, digit, 1)).expect("a finger"));
            let row = knuckle(Digit::Index) - knuckle(Digit::Pinky);
            let row = world.rotation(hand).inverse() * row;
            let row = rig.stance.body_from_joint[hand.index()] * row;
            let off = row.angle(&Vec3::z()).to_degrees();
            assert!(off < 20.0, "{}, {side:?} hand: {off:.1}°", original.name);
        }
    }
}

#[test]
fn what_a_zero_pose_or_a_bind_pose_shows_is_not_called_assumed() {
    for original in equivalent::samples(60) {
        let assumed = original.rig.stance.assumed(&original.rig.roles);
        let shown = !matches!(original.rig.stance.origin, StanceOrigin::Frames(_));
        assert!(!shown || assumed.rolls.is_empty(), "{}: {assumed:?}", original.name);
        let bare = target(&Rewritten::of(&original.clip).along_x().clip, false).unwrap().rig;
        assert_eq!(bare.stance.origin, StanceOrigin::Built, "{}", original.name);
        let assumed = bare.stance.assumed(&bare.roles);
        for side in Side::BOTH {
            let (foot, shin) = (Role::Foot(side), Role::Shin(side));
            assert!(assumed.directions.contains(&foot), "{}: {assumed:?}", original.name);
            assert!(!assumed.directions.contains(&shin), "{}: {assumed:?}", original.name);
            assert!(assumed.rolls.contains(&shin), "{}: {assumed:?}", original.name);
        }
    }
}
