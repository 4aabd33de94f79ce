//! What corrections may not do to joints: real clips on bodies of other builds.

use crate::common;
use crate::plain_bodies::PLAIN;
use retarget::internals::convert::{self, Conversion, LoadedRig, SourceClip};
use retarget::internals::math::Vec3;
use retarget::internals::plant::{FootPlants, GoalLimb};
use retarget::internals::pose::WorldPose;
use retarget::internals::report::{Number, Report};
use retarget::internals::rig::{JointLimit, Rig, RigFile, Role, Side};
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::JointId;
use std::path::Path;

/// Three joints of a limb whose middle one is a hinge.
struct Hinge {
    name: String,
    joints: [JointId; 3],
    /// In the frame of the top joint, which no roll of the lower bone turns: about it the limb bends by positive
    /// angles.
    axis: Vec3,
    /// The farthest that it bends in people, degrees.
    most_deg: f64,
}

fn hinges(rig: &Rig) -> Vec<Hinge> {
    let of = |side: Side| {
        let outwards = if side == Side::Left { -1.0 } else { 1.0 };
        let knee = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)];
        let elbow = [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)];
        [(knee, Vec3::x(), 160.0), (elbow, Vec3::y() * outwards, 153.0)]
    };
    let hinge = |(roles, axis, most_deg): ([Role; 3], Vec3, f64)| {
        let [top, middle, end] = roles.map(|role| rig.joint(role));
        let joints = [top?, middle?, end?];
        let axis = rig.stance.body_from_joint[joints[0].index()].inverse() * axis;
        Some(Hinge { name: roles[1].to_string(), joints, axis, most_deg })
    };
    Side::BOTH.into_iter().flat_map(of).filter_map(hinge).collect()
}

impl Hinge {
    /// How far it is bent, and the sine of its bend about its axis.
    fn bend(&self, world: &WorldPose) -> (f64, f64) {
        let [top, middle, end] = self.joints.map(|id| world.position(id));
        let (upper, lower) = (middle - top, end - middle);
        let axis = world.rotation(self.joints[0]) * self.axis;
        let sine = upper.cross(&lower).dot(&axis) / (upper.norm() * lower.norm()).max(1e-300);
        (upper.angle(&lower).to_degrees(), sine)
    }
}

pub(crate) fn on(source: &SourceClip, target: &LoadedRig, foot_plants: FootPlants) -> Conversion {
    let mut settings = Settings::default();
    settings.plant.foot_plants = foot_plants;
    convert::convert(source, RigFile::default(), target, &settings).expect("a body like its own")
}

#[test]
fn corrections_bend_no_knee_or_elbow_backwards_and_none_farther_than_people_do() {
    let Some(dir) = common::mocap_dir() else { return };
    let (mut clips, mut seen, mut backwards, mut free_beyond) = (0, 0, 0, 0);
    for (name, source) in common::moving_clips(&dir) {
        let Ok(own) = convert::source_rig(&source, RigFile::default()) else { continue };
        clips += 1;
        for body in
            PLAIN.iter().filter(|body| body.name != "all x 1.8" && body.name != "hips x 1.6")
        {
            let target = body.rig(&own.rig, &source.clip);
            let transferred = on(&source, &target, FootPlants::Off).result;
            let planted = on(&source, &target, FootPlants::Auto).result;
            let world = |clip: &retarget::internals::clip::Clip, frame| {
                WorldPose::of(clip.skeleton(), &clip.pose(frame))
            };
            let mut unlimited = body.rig(&own.rig, &source.clip);
            unlimited.rig.human_limits = false;
            let unlimited = on(&source, &unlimited, FootPlants::Auto).result;
            for frame in 0..transferred.len() {
                let [was, is] = [&transferred, &planted].map(|clip| world(clip, frame));
                let free = world(&unlimited, frame);
                for hinge in hinges(&target.rig) {
                    let [(was_deg, was_sine), (is_deg, is_sine)] =
                        [&was, &is].map(|world| hinge.bend(world));
                    let place =
                        || format!("{name} on {}, frame {frame}, {}", body.name, hinge.name);
                    backwards += usize::from(was_sine < -0.05);
                    // One degree: a bend aside turns about a little as the hinge's frame rolls. What the source bends
                    // backwards may go four farther.
                    let farther = if was_sine < 0.0 { 0.0698 } else { 0.0 };
                    let least = was_sine.min(0.0) - farther - 0.0175;
                    assert!(is_sine >= least, "{}: {is_sine}, was {was_sine}", place());
                    // What is bent aside counts in the whole angle, not in the range.
                    let most_deg = hinge.most_deg.max(was_deg) + 4.0;
                    free_beyond += usize::from(hinge.bend(&free).0 > most_deg);
                    assert!(is_deg <= most_deg, "{}: {is_deg}, was {was_deg}", place());
                    seen += 1;
                }
            }
        }
    }
    assert!(clips >= 35 && seen > 100_000, "{clips} clips, {seen} hinges");
    assert!(free_beyond > 0, "none would be bent too far without limits");
    assert!(backwards > 100, "only {backwards} were transferred backwards");
}

/// Checks that these numbers of a report are what a good result has.
pub(crate) fn assert_good(case: &str, report: &Report, numbers: &[&str]) {
    for number in numbers {
        let number = Number::named(number).expect("a number of the report");
        let measure = number.of(report);
        assert!(measure.value <= number.threshold, "{case}: {} {measure:?}", number.name);
    }
}

/// `hero` with the swing and the twist (degrees) that these joints may make to any side, on both sides.
pub(crate) fn hero_within(limits: &[(&str, f64, f64)]) -> LoadedRig {
    let mut hero = LoadedRig::load(Path::new("samples/skeletons/hero.toml")).expect("a rig");
    for (name, swing_deg, twist_deg) in limits {
        for side in ["Left", "Right"] {
            let joint = hero.rig.skeleton.find(&format!("{side}{name}"));
            let joint = joint.expect("a joint of hero");
            let [swing, twist] = [swing_deg, twist_deg].map(|deg| deg.to_radians());
            let limit = JointLimit::Ball { swing_rad: [swing; 2], twist_rad: [-twist, twist] };
            hero.rig.limits.push((joint, limit));
        }
    }
    hero
}

/// The real clips whose rigs are recognised as people's.
fn clips_of_people(dir: &Path) -> impl Iterator<Item = (String, SourceClip)> {
    let is_person = |source: &SourceClip| convert::source_rig(source, RigFile::default()).is_ok();
    common::moving_clips(dir).filter(move |(_, source)| is_person(source))
}

/// Makes hinges of `hero`'s elbows, from straight to 150°.
pub(crate) fn hinge_elbows(hero: &mut LoadedRig) {
    for (name, side) in [("LeftForeArm", -1.0), ("RightForeArm", 1.0)] {
        let joint = hero.rig.skeleton.find(name).expect("a joint of hero");
        let (axis, max_rad) = (Vec3::y() * side, 150f64.to_radians());
        hero.rig.limits.push((joint, JointLimit::Hinge { axis, min_rad: 0.0, max_rad }));
    }
}

/// What game developers state of hips, ankles, shoulders and wrists, with elbows as hinges, and half of that.
#[test]
fn no_limb_snaps_within_limits_as_game_developers_state_them_nor_within_half_of_them() {
    let Some(dir) = common::mocap_dir() else { return };
    let stated =
        [("UpLeg", 120.0, 40.0), ("Arm", 110.0, 80.0), ("Foot", 40.0, 20.0), ("Hand", 70.0, 80.0)];
    for share in [1.0, 0.5] {
        let mut target = hero_within(&stated.map(|(name, a, b)| (name, a * share, b * share)));
        hinge_elbows(&mut target);
        let mut clips = 0;
        for (name, source) in clips_of_people(&dir) {
            clips += 1;
            let report = on(&source, &target, FootPlants::Auto).report;
            assert_good(&format!("{name}, {share} of them"), &report, &["snap_deg"]);
            assert_eq!(
                report.joint_limits_ratio.value, 0.0,
                "{name}: {:?}",
                report.joint_limits_ratio
            );
        }
        assert!(clips >= 35, "{clips} clips");
    }
}

/// An upper arm that may twist by 80° to either side has to turn its elbow for a hand that carries the body. Otherwise the
/// hand is 5 cm below the floor, and misses its place in 56 frames.
#[test]
fn hands_come_to_the_floor_within_limits_as_game_developers_state_them() {
    let Some(dir) = common::mocap_dir() else { return };
    let mut target = hero_within(&[("Arm", 110.0, 80.0), ("Hand", 70.0, 80.0)]);
    hinge_elbows(&mut target);
    let clips = clips_of_people(&dir).filter(|(name, _)| name.contains("cartwheel"));
    let mut seen = 0;
    for (name, source) in clips {
        seen += 1;
        let done = on(&source, &target, FootPlants::Auto);
        let hands = done.plant.misses.iter().filter(|miss| !matches!(miss.limb, GoalLimb::Foot(_)));
        assert!(hands.count() < 25, "{name}: {:?}", done.plant.misses);
        assert_good(&name, &done.report, &["snap_deg"]);
        let below = &done.report.below_floor_cm;
        assert!(below.value < 3.0, "{name}: {below:?}");
        assert_eq!(done.report.joint_limits_ratio.value, 0.0, "{name}");
    }
    assert_eq!(seen, 1);
}

/// Half of what game developers state of hips and ankles: a flat foot below a shin that leads far ahead is beyond it.
#[test]
fn feet_stay_where_they_stand_on_a_rig_whose_hips_and_ankles_go_half_as_far() {
    let target = hero_within(&[("UpLeg", 60.0, 20.0), ("Foot", 20.0, 10.0)]);
    let names = [
        "walk.bvh",
        "stairs.bvh",
        "cmu_style/walk.bvh",
        "lafan_style/walk.bvh",
        "mixamo_style/walk.bvh",
        "z_up_style/walk.bvh",
        "z_up_style/stairs.bvh",
        "run.bvh",
        "jump.bvh",
        "lafan_style/crouch.bvh",
    ];
    for name in names {
        let source = convert::SourceClip::load(Path::new("samples").join(name)).expect("a clip");
        let report = on(&source, &target, FootPlants::Auto).report;
        assert_good(
            name,
            &report,
            &["plant_drift_cm", "skate_cm_s", "penetration_cm", "joint_limits_ratio"],
        );
    }
}

/// The most that stiff ankles turn soles into the floor. Feet that turn about their ankles alone sink by 0.5 cm, and
/// feet that are brought within the limit on the shins as first planned, by 0.3 cm.
const MOST_SUNK_CM: f64 = 0.25;

/// Ankles so stiff that a foot cannot lie on the floor while its shin leads over it, which turns it.
#[test]
fn feet_that_stiff_ankles_turn_away_are_swept_back_to_where_they_stand() {
    let target = hero_within(&[("Foot", 10.0, 5.0)]);
    let names =
        ["walk.bvh", "stairs.bvh", "turn.bvh", "lafan_style/walk.bvh", "z_up_style/walk.bvh"];
    let mut swept = 0;
    for name in names {
        let source = convert::SourceClip::load(Path::new("samples").join(name)).expect("a clip");
        let done = on(&source, &target, FootPlants::Auto);
        assert_good(
            name,
            &done.report,
            &["plant_drift_cm", "skate_cm_s", "joint_limits_ratio", "snap_deg"],
        );
        let sunk = &done.report.penetration_cm;
        assert!(sunk.value <= MOST_SUNK_CM, "{name}: a foot turned into the floor: {sunk:?}");
        for of in &done.plant.swept {
            assert!(of.left_len < 1e-4 * target.rig.leg_len, "{name}: {of:?}");
            swept += 1;
        }
    }
    assert!(swept > 200, "legs were swept {swept} times");
}

/// The most by which feet on stiff ankles drift: one that leaves the floor a frame before its source's moves a millimetre.
const MOST_DRIFT_CM: f64 = 0.15;

/// A foot that comes down on its heel has its ball on the floor before it lies flat, and a stiff ankle turns it meanwhile.
#[test]
fn real_feet_on_stiff_ankles_stay_where_they_stand() {
    let Some(dir) = common::mocap_dir() else { return };
    let target = hero_within(&[("Foot", 10.0, 5.0)]);
    let mut clips = 0;
    for (name, source) in clips_of_people(&dir) {
        clips += 1;
        let report = on(&source, &target, FootPlants::Auto).report;
        assert_good(&name, &report, &["skate_cm_s", "snap_deg"]);
        assert_eq!(report.joint_limits_ratio.value, 0.0, "{name}: {:?}", report.joint_limits_ratio);
        let drift = &report.plant_drift_cm;
        assert!(drift.value <= MOST_DRIFT_CM, "{name}: {drift:?}");
    }
    assert!(clips >= 35, "{clips} clips");
}
