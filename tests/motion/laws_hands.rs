//! Hands on other hands: fingers rest as the target's rest, curl and spread about axes of their own, and palms face
//! where the source's do.

use crate::bodies::{Body, Build, Fingers, PLAIN, Part};
use crate::common;
use crate::equivalent::{FAMILIES, originals, target};
use crate::rewrite::Rewritten;
use retarget::internals::binding::{Binding, BindingSettings};
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::convert::{self, SourceClip, load_rig_with};
use retarget::internals::math::{Quat, Vec3, rotation_between};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{Digit, Rig, RigFile, Role, Side, StanceOrigin};
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::{JointId, Skeleton};
use retarget::internals::transfer::transfer;

const EXACT_RAD: f64 = 1e-4;

const WITH_FINGERS: Build = Build { fingers: Fingers::Plain(3), ..PLAIN };

/// A body whose fingers rest this far apart, each from the next, and are rolled about their hand's bone by this much:
/// 0 is a palm that faces down. Fingers of another spread are of another length, or the two were one body.
fn body(apart_rad: f64, rolled_rad: f64) -> Clip {
    let body = Body::new(WITH_FINGERS);
    let mut joints = body.skeleton.joints().to_vec();
    for (joint, part) in joints.iter_mut().zip(&body.parts) {
        let Part::Finger(side, finger, number) = *part else { continue };
        let fan = if finger == 0 { 2.5 } else { 2.0 - finger as f64 } * apart_rad;
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        let roll = Quat::from_scaled_axis(Vec3::x() * rolled_rad);
        let turn = roll * Quat::from_scaled_axis(-Vec3::y() * fan * sign);
        joint.offset = if number == 1 { roll } else { turn } * joint.offset * (1.0 + apart_rad);
        joint.end_sites.iter_mut().for_each(|end| *end = turn * *end);
    }
    let skeleton = Skeleton::new(joints).expect("the same tree");
    let mut clip = Clip::new(skeleton, FrameTime::from_seconds(0.03).expect("above zero"));
    clip.push_pose(&Pose::rest(clip.skeleton()));
    clip
}

fn rig(clip: &Clip) -> Rig {
    target(clip, false).expect("a rig").rig
}

/// Rigs with fingers: synthetic ones, and those of all real families and characters.
fn rigs() -> Vec<(String, Rig)> {
    let plain = [0.0, 0.1, 0.3].map(|apart| (format!("apart by {apart}"), rig(&body(apart, 0.0))));
    let mut rigs = plain.to_vec();
    if let Some(dir) = common::mocap_dir() {
        let real = originals(&dir, &FAMILIES, 300);
        rigs.extend(real.iter().map(|o| (o.name.clone(), o.rig.clone())));
        rigs.extend(real.iter().filter_map(|o| {
            let bare = target(&o.clip, false).ok()?.rig;
            Some((format!("{}, bare", o.name), bare))
        }));
    }
    if let Some(dir) = common::characters_dir() {
        for folder in ["fbx", "glb", "vrm"] {
            let mut paths: Vec<_> = std::fs::read_dir(dir.join(folder))
                .expect("the characters")
                .map(|entry| entry.expect("an entry").path())
                .filter(|path| path.is_file())
                .collect();
            paths.sort();
            let loaded = |path: &std::path::PathBuf| {
                Some((path.display().to_string(), load_rig_with(path, true).ok()?.rig))
            };
            rigs.extend(paths.iter().filter_map(loaded));
        }
    }
    let has_fingers = |rig: &Rig| rig.joint(Role::Finger(Side::Left, Digit::Index, 1)).is_some();
    rigs.retain(|(_, rig)| has_fingers(rig));
    rigs
}

/// How the first bone of a finger rests in a rig's stance.
struct Rest {
    hand: JointId,
    finger: JointId,
    /// In the finger's frame (local).
    bone: Vec3,
    /// In body space.
    way: Vec3,
    /// About which it curls, body space.
    curl: Vec3,
}

impl Rest {
    fn of(rig: &Rig, side: Side, digit: Digit) -> Option<Self> {
        let hand = rig.joint(Role::Hand(side))?;
        let [finger, next] = [1, 2].map(|n| rig.joint(Role::Finger(side, digit, n)));
        let (finger, next) = (finger?, next?);
        let world = WorldPose::of(&rig.skeleton, &rig.stance.local);
        let bone = world.position(next) - world.position(finger);
        let bone = (world.rotation(finger).inverse() * bone).try_normalize(1e-9)?;
        let way = rig.stance.body_from_joint[finger.index()] * bone;
        let curl = way.cross(&-Vec3::y()).try_normalize(1e-6)?;
        Some(Self { hand, finger, bone, way, curl })
    }
}

/// Every finger of the source, turned against its hand from where it rests about its own axes.
#[derive(Clone, Copy, Debug)]
enum Turned {
    No,
    Curled(f64),
    Aside(f64),
}

impl Turned {
    fn about(self, rest: &Rest) -> Quat {
        match self {
            Turned::No => Quat::identity(),
            Turned::Curled(angle) => Quat::from_scaled_axis(rest.curl * angle),
            Turned::Aside(angle) => {
                let up = rest.curl.cross(&rest.way).normalize();
                Quat::from_scaled_axis(up * angle)
            }
        }
    }
}

/// How far the first bones of the target's fingers are from where they rest, turned about their own axes as the
/// source's are; radians.
fn off_rad(source: &Rig, target: &Rig, turned: Turned) -> Option<(f64, usize)> {
    let binding = Binding::new(source.clone(), target.clone(), &BindingSettings::default()).ok()?;
    let mut pose = source.stance.local.clone();
    for side in Side::BOTH {
        let hand = source.joint(Role::Hand(side))?;
        pose.rotations[hand.index()] *= Quat::from_euler_angles(0.4, -0.3, 0.7);
    }
    let stance = |id: JointId| source.stance.body_from_joint[id.index()];
    let digits = || Side::BOTH.into_iter().flat_map(|side| Digit::ALL.map(|d| (side, d)));
    for (side, digit) in digits() {
        let Some(rest) = Rest::of(source, side, digit) else { continue };
        let hand_from_finger =
            stance(rest.hand).inverse() * turned.about(&rest) * stance(rest.finger);
        let world = WorldPose::of(&source.skeleton, &pose);
        let parent = source.skeleton.parent(rest.finger).expect("it hangs on a hand");
        let parent_from_hand = world.rotation(parent).inverse() * world.rotation(rest.hand);
        pose.rotations[rest.finger.index()] = parent_from_hand * hand_from_finger;
    }
    let frame_time = FrameTime::from_seconds(0.03).expect("above zero");
    let mut clip = Clip::new(source.skeleton.clone(), frame_time);
    clip.push_pose(&pose);
    let result = transfer(&clip, &binding);
    let world = WorldPose::of(&target.skeleton, &result.pose(0));
    let (mut worst, mut count) = (0.0f64, 0);
    for (side, digit) in digits() {
        if Rest::of(source, side, digit).is_none() {
            continue;
        }
        let Some(rest) = Rest::of(target, side, digit) else { continue };
        let hand_from_world = world.rotation(rest.hand).inverse();
        let bone = hand_from_world * (world.rotation(rest.finger) * rest.bone);
        let is = target.stance.body_from_joint[rest.hand.index()] * bone;
        worst = worst.max(is.angle(&(turned.about(&rest) * rest.way)));
        count += 1;
    }
    Some((worst, count))
}

#[test]
fn fingers_turn_about_axes_of_their_own_from_where_the_targets_rest() {
    let rigs = rigs();
    let mut fingers = 0;
    for turned in [Turned::No, Turned::Curled(1.2), Turned::Aside(0.2)] {
        let mut wrong = Vec::new();
        for (from, source) in &rigs {
            for (onto, target) in &rigs {
                // One body, of which more is seen on one side, keeps what it does.
                let family = |name: &str| name.trim_end_matches(", bare").to_owned();
                if from != onto && family(from) == family(onto) {
                    continue;
                }
                let Some((off, count)) = off_rad(source, target, turned) else { continue };
                fingers += count;
                if off.is_nan() || off > EXACT_RAD {
                    wrong.push(format!("{from} onto {onto}: {:.1}°", off.to_degrees()));
                }
            }
        }
        assert!(wrong.is_empty(), "{turned:?}: {} pairs\n{}", wrong.len(), wrong.join("\n"));
    }
    assert!(fingers >= 3 * 9 * 8, "{fingers} fingers");
}

/// The row of a hand's knuckles, from the little finger to the index finger; world.
fn row(rig: &Rig, world: &WorldPose, side: Side) -> Vec3 {
    let knuckle = |digit| world.position(rig.joint(Role::Finger(side, digit, 1)).expect("fingers"));
    knuckle(Digit::Index) - knuckle(Digit::Pinky)
}

#[test]
fn palms_face_where_the_sources_do_however_hands_rest() {
    let down = body(0.1, 0.0);
    for rolled_rad in [-1.5, -0.6, 0.6, 1.5] {
        let other = body(0.15, rolled_rad);
        for (from, onto) in [(&down, &other), (&other, &down)] {
            let (source, rig) = (rig(from), rig(onto));
            let binding = Binding::new(source, rig, &BindingSettings::default()).expect("a pair");
            let mut pose = Pose::rest(&binding.source.skeleton);
            let arm = binding.source.joint(Role::UpperArm(Side::Left)).expect("an arm");
            pose.rotations[arm.index()] = Quat::from_euler_angles(0.5, 0.2, -0.8);
            let mut clip = Clip::new(from.skeleton().clone(), from.frame_time().clone());
            clip.push_pose(&pose);
            let result = transfer(&clip, &binding).pose(0);
            let was = WorldPose::of(&binding.source.skeleton, &pose);
            let is = WorldPose::of(&binding.target.skeleton, &result);
            for side in Side::BOTH {
                let off = row(&binding.target, &is, side).angle(&row(&binding.source, &was, side));
                assert!(off < EXACT_RAD, "{rolled_rad}, {side:?}: {:.1}°", off.to_degrees());
            }
        }
    }
}

/// A hand is told from its bones, whether the body stands in its zero pose or not.
#[test]
fn fingers_rest_as_a_zero_pose_has_them_in_which_nobody_stands() {
    let standing = body(0.15, 0.0);
    let own = rig(&standing);
    let folded = |joint: &str| joint.ends_with("UpLeg") || joint.ends_with("ForeArm");
    let mut joints = standing.skeleton().joints().to_vec();
    // Thighs ahead and forearms up; what hangs on them is turned with them.
    let turned: Vec<Option<Quat>> = standing
        .skeleton()
        .ids()
        .map(|id| {
            let chain = std::iter::once(id).chain(standing.skeleton().ancestors(id));
            let top = chain.into_iter().find(|id| folded(standing.skeleton().name(*id)))?;
            let is_leg = standing.skeleton().name(top).ends_with("UpLeg");
            let axis = if is_leg { -Vec3::x() } else { Vec3::y() };
            Some(Quat::from_scaled_axis(axis * std::f64::consts::FRAC_PI_2))
        })
        .collect();
    for id in standing.skeleton().ids() {
        let parent = standing.skeleton().parent(id);
        if let Some(turn) = parent.and_then(|parent| turned[parent.index()]) {
            joints[id.index()].offset = turn * joints[id.index()].offset;
        }
        if let Some(turn) = turned[id.index()] {
            joints[id.index()].end_sites.iter_mut().for_each(|end| *end = turn * *end);
        }
    }
    let mut other =
        Clip::new(Skeleton::new(joints).expect("the same tree"), standing.frame_time().clone());
    other.push_pose(&Pose::rest(other.skeleton()));
    let found = rig(&other);
    assert_eq!(found.stance.origin, StanceOrigin::Built);
    for side in Side::BOTH {
        for digit in Digit::ALL {
            // Against the middle finger, so that the palm's own turn plays no part.
            let ways = |rig: &Rig| {
                let way = |digit| Rest::of(rig, side, digit).expect("a finger").way;
                let middle = way(Digit::Middle);
                rotation_between(middle, Vec3::x()) * way(digit)
            };
            let off = ways(&found).angle(&ways(&own));
            assert!(off < 0.01, "{side:?} {digit:?}: {:.1}°", off.to_degrees());
        }
    }
}

/// The sample's walk, with hands that turn about their wrists.
fn waving() -> SourceClip {
    let mut walk = SourceClip::load("samples/walk.bvh").expect("a clip");
    let rig = target(&walk.clip, true).expect("a rig").rig;
    let mut waving = Clip::new(rig.skeleton.clone(), walk.clip.frame_time().clone());
    let mut pose = Pose::rest(&rig.skeleton);
    for frame in 0..walk.clip.len() {
        walk.clip.read_pose(frame, &mut pose);
        for side in Side::BOTH {
            let hand = rig.joint(Role::Hand(side)).expect("a hand");
            let turn = Quat::from_euler_angles(0.6 * (0.1 * frame as f64).sin(), 0.3, 0.2);
            pose.rotations[hand.index()] *= turn;
        }
        waving.push_pose(&pose);
    }
    walk.clip = waving;
    walk
}

/// Palms that begin at one wrist and have fingers each, as in some game characters, where no joint holds them together.
#[test]
fn a_hand_of_several_palms_moves_as_one_hand() {
    let whole = body(0.1, 0.0);
    let skeleton = whole.skeleton();
    let named = |name: String| skeleton.ids().find(|id| skeleton.name(*id) == name).expect("there");
    let mut parted = Rewritten::of(&whole);
    for side in ["Left", "Right"] {
        let ways =
            ["Hand", "HandMiddle1", "HandMiddle2"].map(|part| named(format!("{side}{part}")));
        let run = ways.map(|id| parted.place[id.index()]);
        let hand = format!("{side}Hand");
        let copied = |name: &str| match name == hand {
            true => format!("{side}Palm2"),
            false => name.replace("HandMiddle", "Claw"),
        };
        parted = parted.with_copy_beside(&run, copied).renamed(|_, name| match name == hand {
            true => format!("{side}Palm1"),
            false => name.to_owned(),
        });
    }
    let targets = [&whole, &parted.clip].map(|clip| target(clip, false).expect("a rig"));
    let rigs = [&targets[0].rig, &targets[1].rig];
    for side in Side::BOTH {
        let hands = rigs.map(|rig| rig.joint(Role::Hand(side)).expect("a hand"));
        assert_eq!(parted.place[hands[0].index()], hands[1]);
    }
    let palm = |name: String| rigs[1].skeleton.ids().find(|id| rigs[1].skeleton.name(*id) == name);
    let palms = ["Left", "Right"]
        .map(|side| [1, 2].map(|n| palm(format!("{side}Palm{n}")).expect("a palm").index()));
    let cartwheel = |dir: std::path::PathBuf| dir.join("asf_femur21_inch/cartwheel_clean.bvh");
    let cartwheel = common::mocap_dir().map(cartwheel).map(SourceClip::load);
    let cartwheel = cartwheel.map(|clip| clip.expect("a clip"));
    for (source, leans) in [(waving(), false)].into_iter().chain(cartwheel.map(|it| (it, true))) {
        let [one, several] = targets.each_ref().map(|target| {
            let settings = Settings::default();
            let done = convert::convert(&source, RigFile::default(), target, &settings);
            done.expect("a person").result
        });
        let (mut is, mut wanted) = (Pose::rest(several.skeleton()), Pose::rest(one.skeleton()));
        let mut most_rad = 0.0_f64;
        for frame in 0..source.clip.len() {
            several.read_pose(frame, &mut is);
            one.read_pose(frame, &mut wanted);
            for [first, second] in palms {
                assert_eq!(is.rotations[first], is.rotations[second], "frame {frame}");
                most_rad = most_rad.max(is.rotations[first].angle());
            }
            // Where hands lie down on the floor, the middle of their points counts, of which there are more now.
            for (id, place) in skeleton.ids().zip(&parted.place).filter(|_| !leans) {
                let off = is.rotations[place.index()].angle_to(&wanted.rotations[id.index()]);
                assert!(off < 1e-9, "{}: frame {frame}, {off}", skeleton.name(id));
            }
        }
        assert!(most_rad > 0.3, "hands turn by {most_rad}");
    }
}
