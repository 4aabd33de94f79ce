//! Limbs that end otherwise than most: forearms without hands, toes whose joint lies under the ankle.

use crate::equivalent::{Original, original, retargeted, rig_of, samples, target};
use crate::rewrite::{Rewritten, world};
use retarget::internals::clip::Clip;
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::Pose;
use retarget::internals::rig::{Role, Side};
use retarget::internals::skeleton::{Joint, JointId, Skeleton};

/// The same body and the same motion as the clip's, but for joints that `change` gives other offsets or ends, and
/// without those of which it is `false`.
fn changed(clip: &Clip, mut change: impl FnMut(JointId, &mut Joint) -> bool) -> Clip {
    let skeleton = clip.skeleton();
    let (mut joints, mut kept): (Vec<Joint>, Vec<JointId>) = Default::default();
    for id in skeleton.ids() {
        let mut joint = skeleton.joint(id).clone();
        let parent = joint.parent.map(|p| kept.iter().position(|k| *k == p));
        if change(id, &mut joint) && parent != Some(None) {
            joint.parent = parent.flatten().map(JointId::new);
            joints.push(joint);
            kept.push(id);
        }
    }
    let mut other = Clip::new(Skeleton::new(joints).expect("a tree"), clip.frame_time().clone());
    for frame in 0..clip.len() {
        let pose = clip.pose(frame);
        let mut now = Pose::rest(other.skeleton());
        for (i, id) in kept.iter().enumerate() {
            now.rotations[i] = pose.rotations[id.index()];
            if skeleton.joint(*id).channels.has_position() {
                now.translations[i] = pose.translations[id.index()];
            }
        }
        other.push_pose(&now);
    }
    other
}

/// A body with elbows bent forwards in its zero pose, whose arms end in the forearms' End Sites.
fn without_hands(o: &Original, bent_rad: f64) -> Original {
    let skeleton = o.clip.skeleton();
    let joint = |role| o.rig.joint(role).expect("a body with hands");
    let mut posture = vec![Quat::identity(); skeleton.len()];
    for (side, sign) in [(Side::Left, -1.0), (Side::Right, 1.0)] {
        let turn = Quat::from_scaled_axis(o.rig.up.vector() * sign * bent_rad);
        for id in skeleton.at_and_below(joint(Role::Forearm(side))) {
            posture[id.index()] = turn;
        }
    }
    let bent = Rewritten::of(&o.clip).with_rest(&posture).clip;
    let clip = changed(&bent, |id, own| {
        for side in Side::BOTH {
            if id == joint(Role::Forearm(side)) {
                own.end_sites = vec![bent.skeleton().joint(joint(Role::Hand(side))).offset];
            }
        }
        Side::BOTH.iter().all(|side| id != joint(Role::Hand(*side)))
    });
    original(&o.name, clip)
}

#[test]
fn a_forearm_without_a_hand_points_where_its_end_site_is() {
    const MOST_DEG: f64 = 0.1;
    let mut all = samples(40);
    let other = all.pop().expect("samples");
    for o in all.iter().filter(|o| o.rig.joint(Role::Hand(Side::Left)).is_some()) {
        let without = without_hands(o, 0.3);
        let ways = |clip: &Clip, o: &Original, frame: usize| {
            let world = world(clip, frame);
            Side::BOTH.map(|side| {
                let forearm = o.rig.joint(Role::Forearm(side)).expect("a forearm");
                let end = o.rig.joint(Role::Hand(side)).map(|hand| world.position(hand));
                let end = end.unwrap_or_else(|| {
                    world.point(forearm, o.rig.skeleton.joint(forearm).end_sites[0])
                });
                let turn =
                    retarget::internals::math::rotation_between(o.rig.up.vector(), Vec3::y());
                turn * (end - world.position(forearm))
            })
        };
        for (from, to) in [(&other, &without), (&without, &other)] {
            assert_ne!(
                from.rig.joint(Role::Hand(Side::Left)),
                to.rig.joint(Role::Hand(Side::Left))
            );
            let result =
                retargeted(&from.clip, &target(&to.clip, true).expect("a rig")).expect("it is");
            for frame in 0..from.clip.len() {
                let (is, wanted) = (ways(&result, to, frame), ways(&from.clip, from, frame));
                for side in 0..2 {
                    let off_deg = is[side].angle(&wanted[side]).to_degrees();
                    let what = format!("{} onto {}", from.name, to.name);
                    assert!(off_deg < MOST_DEG, "{what}, frame {frame}: {off_deg}°");
                }
            }
        }
    }
}

#[test]
fn toes_whose_joint_lies_under_the_ankle_stay_straight_with_the_foot() {
    const MOST_DEG: f64 = 1.0;
    let all = samples(120);
    let (from, plain) = (&all[0], &all[3]);
    let toes = Side::BOTH.map(|side| plain.rig.joint(Role::Toe(side)).expect("toes"));
    let up = plain.rig.up.vector();
    let clip = changed(&plain.clip, |id, own| {
        let parent = plain.clip.skeleton().parent(id);
        let ahead = |toe: JointId| {
            let offset = plain.clip.skeleton().joint(toe).offset;
            offset - up * up.dot(&offset)
        };
        if toes.contains(&id) {
            own.offset -= ahead(id);
            own.end_sites.iter_mut().for_each(|end| *end += ahead(id));
        } else if let Some(toe) = parent.filter(|p| toes.contains(p)) {
            own.offset += ahead(toe);
        }
        true
    });
    let under = rig_of(&clip).expect("a rig").rig;
    assert!(under.feet.iter().all(|foot| foot.toe.is_none()));
    let retargeted =
        |clip: &Clip| retargeted(&from.clip, &target(clip, true).expect("a rig")).expect("it is");
    let (is, plain_is) = (retargeted(&clip), retargeted(&plain.clip));
    let mut bent_deg = 0.0f64;
    for frame in 0..from.clip.len() {
        let (is, plain_is) = (world(&is, frame), world(&plain_is, frame));
        for toe in toes {
            let foot = clip.skeleton().parent(toe).expect("a foot");
            let off_deg = is.rotation(toe).angle_to(&plain_is.rotation(foot)).to_degrees();
            assert!(off_deg < MOST_DEG, "frame {frame}: {off_deg}°");
            bent_deg = bent_deg
                .max(plain_is.rotation(toe).angle_to(&plain_is.rotation(foot)).to_degrees());
        }
    }
    assert!(bent_deg > 10.0, "toes that bend by {bent_deg}°");
}
