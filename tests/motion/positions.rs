//! Clips of positions alone: what the positions show comes back.

use crate::common::{mocap_clips, mocap_dir};
use retarget::internals::bvh;
use retarget::internals::clip::Clip;
use retarget::internals::math::{Vec3, percentile};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::positions::{Layout, PositionsError, Tracked, clip_of};
use retarget::internals::rig::recognise_clip;

/// World positions of every joint, frame-major.
fn positions(clip: &Clip) -> Vec<Vec3> {
    let skeleton = clip.skeleton();
    let (mut pose, mut world) = (Pose::rest(skeleton), WorldPose::new(skeleton.len()));
    let mut positions = Vec::new();
    for frame in 0..clip.len() {
        clip.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        positions.extend_from_slice(&world.positions);
    }
    positions
}

fn tracked(clip: &Clip, positions: &[Vec3]) -> Tracked {
    let joints = clip.skeleton().joints();
    let names = joints.iter().map(|joint| joint.name.clone()).collect();
    let parents = joints.iter().map(|joint| joint.parent.map_or(-1, |p| p.index() as isize));
    Tracked::new(names, parents.collect(), positions.to_vec()).expect("a body")
}

#[test]
fn directions_of_real_clips_come_back() {
    let Some(dir) = mocap_dir() else { return };
    let mut seen = 0;
    for (name, bytes) in mocap_clips(&dir) {
        let Ok(file) = bvh::read(&bytes) else { continue };
        let clip = retarget::internals::edit::part(&file.clip, 0, 300, 1);
        if clip.len() < 10 || recognise_clip(&clip, &Default::default()).is_err() {
            continue;
        }
        let given = positions(&clip);
        let made = clip_of(&tracked(&clip, &given), clip.frame_time().clone(), None);
        let made = positions(&made.expect("a body").clip);
        let joints = clip.skeleton().len();
        let apart = (0..given.len()).filter_map(|i| {
            let parent = clip.skeleton().joints()[i % joints].parent?.index() + i / joints * joints;
            let (theirs, ours) = (given[i] - given[parent], made[i] - made[parent]);
            (theirs.norm() > 1e-3 * clip.skeleton().reach_len()).then(|| theirs.angle(&ours))
        });
        let apart_rad = percentile(apart.collect::<Vec<_>>(), 0.99);
        assert!(apart_rad <= 0.5_f64.to_radians(), "{name}: {apart_rad} rad");
        seen += 1;
    }
    assert!(seen > 30, "{seen} clips");
}

#[test]
fn what_is_no_body_is_refused() {
    let layout = Layout::named("coco17").expect("a layout");
    let nowhere = layout.tracked(&[Vec3::zeros(); 17], 17).expect("17 points");
    let frame_time = retarget::internals::clip::FrameTime::from_seconds(0.1).expect("a time");
    assert_eq!(clip_of(&nowhere, frame_time, None).unwrap_err(), PositionsError::NoLength);
    let mut points = [Vec3::zeros(); 34];
    points[20].y = f64::NAN;
    let refused = layout.tracked(&points, 17).unwrap_err();
    assert_eq!(refused, PositionsError::NotFinite { frame: 1, joint: "point 3".to_owned() });
    assert!(layout.tracked(&points, 16).is_err());
    let circle = Tracked::new(vec!["a".into(), "b".into()], vec![1, 0], vec![Vec3::zeros(); 2]);
    assert!(matches!(circle, Err(PositionsError::Parents(_))));
}
