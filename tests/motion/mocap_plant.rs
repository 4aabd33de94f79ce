//! Real walks onto the same body with longer legs: planted feet stay where they are.
//!
//! The drift is measured twice: by the program's own report, and here, from the definition alone.

use crate::common;
use crate::equivalent::{original, target, through_bytes};
use crate::rewrite;
use crate::rewrite::world;
use retarget::internals::bvh;
use retarget::internals::clip::Clip;
use retarget::internals::convert;
use retarget::internals::math::Vec3;
use retarget::internals::plant::FootPlants;
use retarget::internals::rig::{RigFile, Role, Side};
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::{JointId, Skeleton};
use std::ops::Range;

/// The clip on a body whose thighs and shins are `factor` times as long.
fn with_legs(clip: &Clip, legs: &[JointId], hips: JointId, factor: f64) -> Clip {
    let mut joints = clip.skeleton().joints().to_vec();
    legs.iter().for_each(|id| joints[id.index()].offset *= factor);
    let mut longer = Clip::new(Skeleton::new(joints).unwrap(), clip.frame_time().clone());
    for frame in 0..clip.len() {
        let mut pose = clip.pose(frame);
        // Its feet must not be under the floor in every frame of its own file.
        for id in legs.iter().chain([&hips]) {
            pose.translations[id.index()] *= factor;
        }
        longer.push_pose(&pose);
    }
    longer
}

/// Stretches in which any sensible detector agrees that the foot stands: its ball slower than 0.15
/// leg/s and lower than 0.06 leg over the floor for at least 0.1 s, 0.03 s taken off at both ends.
fn contact_cores(path: &[Vec3], up: Vec3, floor: f64, leg: f64, dt: f64) -> Vec<Range<usize>> {
    let stands: Vec<bool> = (0..path.len())
        .map(|i| {
            let (a, b) = (i.saturating_sub(1), (i + 1).min(path.len() - 1));
            let speed = (path[b] - path[a]).norm() / ((b - a) as f64 * dt);
            speed < 0.15 * leg && path[i].dot(&up) - floor < 0.06 * leg
        })
        .collect();
    let margin = (0.03 / dt).ceil() as usize;
    let mut cores = Vec::new();
    let mut start = None;
    for (i, stands) in stands.into_iter().chain([false]).enumerate() {
        match (start, stands) {
            (None, true) => start = Some(i),
            (Some(from), false) => {
                if (i - from) as f64 * dt >= 0.1 && i - from > 2 * margin {
                    cores.push(from + margin..i - margin);
                }
                start = None;
            }
            _ => (),
        }
    }
    cores
}

fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(share * (values.len() - 1) as f64).round() as usize]
}

/// The drift of planted balls over the source's contact cores, p95, centimetres of a leg of 90 cm.
fn drift(
    source: (&Clip, Vec3, f64),
    result: (&Clip, Vec3, f64),
    balls: [JointId; 2],
) -> (f64, usize) {
    let path = |clip: &Clip, id: JointId| -> Vec<Vec3> {
        (0..clip.len()).map(|frame| world(clip, frame).position(id)).collect()
    };
    let (clip, up, leg) = source;
    let dt = clip.frame_time().seconds();
    let paths = balls.map(|id| path(clip, id));
    let heights = paths.iter().flatten().map(|p| p.dot(&up)).collect();
    let floor = percentile(heights, 0.05);
    let (result, result_up, result_leg) = result;
    let mut drifts = Vec::new();
    for (ball, source_path) in balls.into_iter().zip(&paths) {
        let moved = path(result, ball);
        for core in contact_cores(source_path, up, floor, leg, dt) {
            let stay = &moved[core];
            let axis = |i: usize| percentile(stay.iter().map(|p| p[i]).collect(), 0.5);
            let median = Vec3::new(axis(0), axis(1), axis(2));
            let level = |v: Vec3| (v - result_up * result_up.dot(&v)).norm();
            let worst = stay.iter().map(|p| level(p - median)).fold(0.0, f64::max);
            drifts.push(worst * 90.0 / result_leg);
        }
    }
    let count = drifts.len();
    (percentile(drifts, 0.95), count)
}

#[test]
fn planted_feet_of_longer_legs_do_not_drift() {
    const REACH_CM: f64 = 0.2;
    let Some(dir) = common::mocap_dir() else { return };
    let walks = [
        ("cmu_3dsmax/131_01", 994),
        ("bandai_namco/walk_normal_001", 195),
        ("lafan1/walk", 900),
        ("asf_osu22/Swagger", 581),
    ];
    for (name, frames) in walks {
        let bytes = std::fs::read(dir.join(format!("{name}.bvh"))).expect("readable");
        let clip = rewrite::cut(&bvh::read(&bytes).expect("a clip").clip, 0, frames);
        let o = original(name, clip);
        let joint = |role: Role| o.rig.joint(role).expect("a leg");
        let legs: Vec<JointId> = Side::BOTH
            .into_iter()
            .flat_map(|side| [joint(Role::Shin(side)), joint(Role::Foot(side))])
            .collect();
        let longer = with_legs(&o.clip, &legs, joint(Role::Hips), 1.3);
        let rig = target(&longer, true).unwrap_or_else(|e| panic!("{name}: {e}"));
        let balls = Side::BOTH.map(|side| joint(Role::Toe(side)));
        let run = |plants: FootPlants| {
            let mut settings = Settings::default();
            settings.plant.foot_plants = plants;
            let source = through_bytes(&o.clip);
            convert::convert(&source, RigFile::default(), &rig, &settings).unwrap()
        };
        let measured = |result: &Clip| {
            let source = (&o.clip, o.rig.up.vector(), o.rig.leg_len);
            drift(source, (result, rig.rig.up.vector(), rig.rig.leg_len), balls)
        };
        let done = run(FootPlants::Auto);
        let off = run(FootPlants::Off);
        let (cm, cores) = measured(&done.result);
        let (off_cm, _) = measured(&off.result);
        let report = &done.report;
        eprintln!(
            "{name}: drift p95 {cm:.4} cm over {cores} cores (plants off {off_cm:.4}); reported {:.4} \
             over {} (off {:.4}); skate {:.3} cm/s, penetration {:.3}, float {:.3} cm, limbs {:.2}°, \
             jump {:.3}, misses {}",
            report.plant_drift_cm.value,
            report.contact_cores,
            off.report.plant_drift_cm.value,
            report.skate_cm_s.value,
            report.penetration_cm.value,
            report.float_cm.value,
            report.limb_direction_deg.value,
            report.jump_ratio.value,
            done.plant.misses.len(),
        );
        assert!(cores >= 4, "{name}: {cores} contact cores");
        assert!(cm <= REACH_CM, "{name}: drift p95 {cm} cm");
        // Where feet do slide, both opinions must see it.
        let reported_off = off.report.plant_drift_cm.value;
        assert!(off_cm > REACH_CM, "{name}: without planting {off_cm} cm");
        assert!(
            (reported_off - off_cm).abs() < 0.1 * off_cm,
            "{name}: {reported_off}, {off_cm} cm"
        );
        let reported = report.plant_drift_cm.value;
        assert!(reported <= REACH_CM, "{name}: reported drift p95 {reported} cm");
    }
}
