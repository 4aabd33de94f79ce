//! Knees that carry weight, on bodies of other builds.

use crate::common;
use crate::plain_bodies::PLAIN;
use retarget::internals::clip::Clip;
use retarget::internals::contact::{ContactFile, Limb};
use retarget::internals::convert::{self, Conversion, LoadedContacts, LoadedRig, SourceClip};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::plant::{FootPlants, GoalLimb, Miss};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{Rig, RigFile, Role, Side};
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::{Joint, JointId, Skeleton};
use std::path::{Path, PathBuf};

const BODIES: [&str; 4] = ["child", "legs x 1.3", "all x 1.8", "thigh x 0.85, shin x 1.2"];

/// The conversions of a clip onto bodies of other builds.
fn conversions(source: &SourceClip) -> Vec<(&'static str, Conversion)> {
    let own = convert::source_rig(source, RigFile::default()).expect("a person");
    let on = |name: &'static str| {
        let body = PLAIN.iter().find(|body| body.name == name).expect("a plain body");
        let target = body.rig(&own.rig, &source.clip);
        let done = convert::convert(source, RigFile::default(), &target, &Settings::default());
        (name, done.expect("a body like its own"))
    };
    BODIES.into_iter().map(on).collect()
}

fn world(clip: &Clip, frame: usize) -> WorldPose {
    WorldPose::of(clip.skeleton(), &clip.pose(frame))
}

fn shin(rig: &Rig, side: Side) -> JointId {
    rig.joint(Role::Shin(side)).expect("a person")
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Farthest off, centimetres of a leg of 90 cm: the knees' height from where the source's flesh is on the floor, their
/// slide, and the depth of the lowest sole point of the same leg while it kneels. With the count of stays.
fn worst(source: &Clip, done: &Conversion) -> ([f64; 3], usize) {
    let binding = &done.binding;
    let (rig, up) = (&binding.target, binding.target.up);
    let cm = 90.0 / rig.leg_len;
    let (mut off, mut stays) = ([0.0f64; 3], 0);
    for side in Side::BOTH {
        for contact in done.contacts.of_limb(Limb::Knee(side)) {
            let own = shin(&binding.source, side);
            let source_height = |f| binding.source.up.height(world(source, f).position(own));
            let flesh = median(contact.frames.clone().map(source_height).collect());
            let flesh = flesh - contact.floor_height;
            let wanted =
                binding.target_height(contact.floor_height) + flesh.max(0.0) * binding.scale;
            let floor = binding.target_height(contact.floor_height);
            let first = world(&done.result, contact.frames.start).position(shin(rig, side));
            for frame in contact.frames.clone() {
                let pose = world(&done.result, frame);
                let knee = pose.position(shin(rig, side));
                off[0] = off[0].max((up.height(knee) - wanted).abs() * cm);
                off[1] = off[1].max(up.level(knee - first).norm() * cm);
                let foot = &rig.feet[side.index()];
                let tip = pose.point(foot.toe.unwrap_or(foot.ankle), foot.tip);
                let points = [pose.point(foot.ankle, foot.heel), tip];
                let lowest = points.iter().map(|p| up.height(*p)).fold(f64::INFINITY, f64::min);
                off[2] = off[2].max((floor - lowest) * cm);
            }
            stays += 1;
        }
    }
    (off, stays)
}

/// How much deeper than the source's any knee of the result goes into the ground where it does not kneel, and where:
/// centimetres of a leg of 90 cm.
fn deepest_knee(source: &Clip, done: &Conversion) -> (f64, usize) {
    let binding = &done.binding;
    let (rig, own) = (&binding.target, &binding.source);
    let ground = done.contacts.floor_height;
    let low_by = |frame: usize| {
        let [is, was] = [world(&done.result, frame), world(source, frame)];
        let of = |side: Side| {
            let mut stays = done.contacts.of_limb(Limb::Knee(side));
            if stays.any(|stay| stay.frames.contains(&frame)) {
                return 0.0;
            }
            let source_height = own.up.height(was.position(shin(own, side)));
            // Far under the ground: nothing of the body is on it, as in a frame for calibration.
            if source_height < ground - 0.2 * own.leg_len {
                return 0.0;
            }
            let least = binding.target_height(source_height.min(ground));
            least - rig.up.height(is.position(shin(rig, side)))
        };
        Side::BOTH.into_iter().map(of).fold(0.0, f64::max) * 90.0 / rig.leg_len
    };
    let deepest = (0..source.len()).map(|frame| (low_by(frame), frame));
    deepest.max_by(|a, b| a.0.total_cmp(&b.0)).expect("frames")
}

/// The largest change, from frame to frame, of how fast a knee bends from this frame on: degrees a frame, each frame.
fn sharpest(rig: &Rig, clip: &Clip, from: usize) -> f64 {
    let of = |side: Side| {
        let roles = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)];
        let joints = roles.map(|role| rig.joint(role).expect("a person"));
        let bend = |frame: usize| {
            let world = world(clip, frame);
            let [hip, knee, ankle] = joints.map(|id| world.position(id));
            (knee - hip).angle(&(ankle - knee)).to_degrees()
        };
        let bends: Vec<f64> = (from..clip.len()).map(bend).collect();
        let change = |w: &[f64]| (w[0] - 2.0 * w[1] + w[2]).abs();
        bends.windows(3).map(change).fold(0.0, f64::max)
    };
    Side::BOTH.into_iter().map(of).fold(0.0, f64::max)
}

/// The largest change of the hips' velocity around a frame, centimetres a frame, each frame, of a leg of 90 cm.
fn hips_jolt(rig: &Rig, clip: &Clip, around: usize) -> f64 {
    let hips = rig.joint(Role::Hips).expect("a person");
    let places: Vec<Vec3> =
        (around - 4..around + 5).map(|f| world(clip, f).position(hips)).collect();
    let change = |w: &[Vec3]| (w[0] - 2.0 * w[1] + w[2]).norm() * 90.0 / rig.leg_len;
    places.windows(3).map(change).fold(0.0, f64::max)
}

/// Somebody who kneels upright on both knees, toes tucked under, and sways; then rises off the floor.
fn kneeling() -> SourceClip {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/walk.bvh");
    let sample = convert::SourceClip::from_bytes(&path, &std::fs::read(&path).unwrap()).unwrap();
    let rig = convert::source_rig(&sample, RigFile::default()).unwrap().rig;
    let skeleton = &rig.skeleton;
    let stance = |id: JointId| rig.stance.body_from_joint[id.index()];
    let bend = |deg: f64| Quat::from_scaled_axis(Vec3::x() * deg.to_radians());
    // The body faces +Z with +Y up, so that body space is the world's.
    let posed = |thigh_deg: f64, shin_deg: f64| {
        let mut pose = rig.stance.local.clone();
        let turned = |id: JointId| {
            let deg = match rig.roles.role(id) {
                Some(Role::Thigh(_)) => -thigh_deg,
                Some(Role::Shin(_)) => shin_deg,
                Some(Role::Foot(_)) => 70.0,
                _ => 0.0,
            };
            bend(deg) * stance(id)
        };
        let of_legs = |id: &JointId| {
            let role = rig.roles.role(*id);
            matches!(role, Some(Role::Thigh(_) | Role::Shin(_) | Role::Foot(_) | Role::Toe(_)))
        };
        let hips = rig.joint(Role::Hips).unwrap();
        pose.rotations[hips.index()] = stance(hips);
        for id in skeleton.ids().filter(of_legs) {
            let above = skeleton.parent(id).unwrap();
            pose.rotations[id.index()] = turned(above).inverse() * turned(id);
        }
        pose.translations[hips.index()] = Vec3::zeros();
        pose
    };
    let knee_over_foot = |pose: &Pose| {
        let (world, foot) = (WorldPose::of(skeleton, pose), &rig.feet[0]);
        let ball = world.point(foot.ankle, foot.ball).y - foot.ball_height;
        let tip = world.point(foot.toe.unwrap(), foot.tip).y;
        world.position(shin(&rig, Side::Left)).y - ball.min(tip)
    };
    let flesh = 0.06 * rig.leg_len;
    let off = |deg: &f64| (knee_over_foot(&posed(0.0, *deg)) - flesh).abs();
    let shin_deg = (500..1200).map(|i| 0.1 * f64::from(i));
    let shin_deg = shin_deg.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap();

    let frame_time = retarget::internals::clip::FrameTime::from_seconds(1.0 / 60.0).unwrap();
    let mut clip = Clip::new(skeleton.clone(), frame_time);
    let hips = rig.joint(Role::Hips).unwrap();
    for frame in 0..220 {
        let t = f64::from(frame) / 60.0;
        let rise = ((t - 2.5) / 2.0).clamp(0.0, 1.0);
        let rise = rise * rise * rise * (10.0 + rise * (6.0 * rise - 15.0));
        let mut pose = posed(4.0 + 6.0 * (2.5 * t).sin(), shin_deg);
        let knee = WorldPose::of(skeleton, &pose).position(shin(&rig, Side::Left));
        let place = Vec3::new(knee.x, flesh + 0.8 * rig.leg_len * rise, 0.0);
        pose.translations[hips.index()] = place - knee;
        clip.push_pose(&pose);
    }
    SourceClip::new("kneeling.bvh", clip)
}

#[test]
fn who_kneels_kneels_on_every_body_and_rises_without_a_pop() {
    let source = kneeling();
    let own = convert::source_rig(&source, RigFile::default()).expect("a person").rig;
    for (body, done) in conversions(&source) {
        let ([height, slide, sunk], stays) = worst(&source.clip, &done);
        let held: usize = done.contacts.limbs.iter().map(|stay| stay.frames.len()).sum();
        let (was, is) =
            (sharpest(&own, &source.clip, 0), sharpest(&done.binding.target, &done.result, 0));
        let what =
            format!("{body}: {height:.2} up, slid {slide:.2}, {sunk:.2} under; {is:.3}, {was:.3}");
        assert!(stays == 2 && held > 250, "{body}: {stays} stays of {held} frames");
        assert!(height < 0.1 && slide < 0.1 && sunk < 0.1, "{what} (cm)");
        assert!(is < 1.0, "{what} (degrees a frame, each frame)");
        assert_eq!(done.plant.misses, [], "{body}");
    }
}

#[test]
fn a_knee_that_carries_nothing_does_not_sink_into_the_floor() {
    let mut source = kneeling();
    let own = convert::source_rig(&source, RigFile::default()).expect("a person").rig;
    let text = "[knees]\nleft = []\nright = []";
    let file = ContactFile::parse(text).expect("a side file");
    source.contacts = Some(LoadedContacts { path: PathBuf::from("none.toml"), file });
    // Longer thighs over shorter shins bring the knees lower.
    let mut longer = source.clone();
    let joints = own.skeleton.ids().map(|id| {
        let factor = match own.roles.role(id) {
            Some(Role::Shin(_)) => 1.3,
            Some(Role::Foot(_)) => 0.7,
            _ => 1.0,
        };
        let joint = own.skeleton.joint(id).clone();
        Joint { offset: joint.offset * factor, ..joint }
    });
    let skeleton = Skeleton::new(joints.collect()).expect("the same tree");
    longer.clip = Clip::new(skeleton, source.clip.frame_time().clone());
    (0..source.clip.len()).for_each(|frame| longer.clip.push_pose(&source.clip.pose(frame)));
    longer.contacts = None;
    let target = convert::source_rig(&longer, RigFile::default()).expect("a person");
    let convert = |foot_plants| {
        let mut settings = Settings::default();
        settings.plant.foot_plants = foot_plants;
        convert::convert(&source, RigFile::default(), &target, &settings).expect("a body like it")
    };
    let (done, copy) = (convert(FootPlants::Auto), convert(FootPlants::Off));
    assert_eq!(done.contacts.limbs, []);
    let [(deep, frame), (was, _)] = [&done, &copy].map(|done| deepest_knee(&source.clip, done));
    assert!(was > 3.0, "copied it is {was:.2} cm deep alone");
    assert!(deep < 0.1, "frame {frame}: {deep:.2} cm deep, copied {was:.2}");
    let is = sharpest(&target.rig, &done.result, 0);
    assert!(is < 1.0, "{is:.3} degrees a frame, each frame");
}

#[test]
fn a_knee_that_cannot_come_to_the_floor_is_told() {
    let source = kneeling();
    let own = convert::source_rig(&source, RigFile::default()).expect("a person");
    let mut target = PLAIN[0].rig(&own.rig, &source.clip);
    let convert = |target: &LoadedRig| {
        convert::convert(&source, RigFile::default(), target, &Settings::default()).unwrap().plant
    };
    let of_knees = |miss: &Miss| matches!(miss.limb, GoalLimb::Limb(Limb::Knee(_)));
    assert!(!convert(&target).misses.iter().any(of_knees));
    // Hips that are to stay where they are carried bring no knee to the floor.
    target.rig.weights.insert(Role::Hips, 0.0);
    let missed = convert(&target).misses;
    assert!(missed.iter().filter(|miss| of_knees(miss)).count() > 250, "{}", missed.len());
}

#[test]
fn knees_of_real_clips_stay_where_they_kneel() {
    let Some(dir) = common::mocap_dir() else { return };
    let mut seen = 0;
    for (name, source) in common::moving_clips(&dir) {
        let Ok(own) = convert::source_rig(&source, RigFile::default()) else { continue };
        if own.rig.feet.len() != 2 {
            continue;
        }
        for (body, done) in conversions(&source) {
            let ([height, slide, sunk], stays) = worst(&source.clip, &done);
            let what =
                format!("{name} on {body}: {height:.2} up, slid {slide:.2}, {sunk:.2} under");
            assert!(height < 0.5 && slide < 0.5 && sunk < 0.5, "{what} (cm)");
            let (deep, frame) = deepest_knee(&source.clip, &done);
            // Where a knee sweeps through a fall, where it comes to is known to some 2 cm alone.
            assert!(deep < 2.2, "{name} on {body}, frame {frame}: {deep:.2} cm deeper");
            seen += stays;
        }
    }
    assert!(seen >= 4, "{seen} stays of knees");
}

#[test]
fn who_goes_down_on_one_knee_and_on_both_has_them_on_the_floor_and_feet_in_place_on_every_body() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/kneel.bvh");
    let source = convert::SourceClip::load(&path).expect("a sample");
    for (body, done) in conversions(&source) {
        let ([height, slide, sunk], stays) = worst(&source.clip, &done);
        let what = format!("{body}: {height:.2} up, slid {slide:.2}, {sunk:.2} under");
        assert_eq!(stays, 2, "{body}");
        assert!(height < 0.1 && slide < 0.1 && sunk < 0.1, "{what} (cm)");
        let drift = &done.report.plant_drift_cm;
        assert!(drift.value < 0.05, "{body}: {drift:?}");
        assert_eq!(done.plant.misses, [], "{body}");
        let second =
            done.contacts.limbs.iter().max_by_key(|stay| stay.frames.start).expect("stays");
        for frame in [second.frames.start, second.frames.end] {
            let jolt = hips_jolt(&done.binding.target, &done.result, frame);
            assert!(jolt < 0.05, "{body}: the hips jolt by {jolt:.3} at frame {frame}");
        }
        let risen = done.contacts.limbs.iter().map(|stay| stay.frames.end).max().expect("stays");
        let is = sharpest(&done.binding.target, &done.result, risen);
        assert!(is < 2.0, "{body} rises with {is:.3} degrees a frame, each frame");
    }
}

#[test]
fn a_foot_that_stood_before_its_knee_came_down_stays_and_knees_only_bend() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let source = convert::SourceClip::load(samples.join("kneel.bvh")).expect("a sample");
    for name in ["hero.toml", "child.toml", "stocky.toml"] {
        let target =
            convert::LoadedRig::load(samples.join("skeletons").join(name)).expect("a sample");
        let done = convert::convert(&source, RigFile::default(), &target, &Settings::default());
        let report = done.expect("a person").report;
        let (drift, outside) = (&report.plant_drift_cm, &report.joint_limits_ratio);
        assert!(drift.value < 0.05, "{name}: {drift:?}");
        assert_eq!(outside.value, 0.0, "{name}: {outside:?}");
    }
}
