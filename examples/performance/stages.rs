//! The stages of a conversion, each doing its part of a whole clip.

use super::bodies::Body;
use retarget::bvh::{self, RowWriter, Rows, WriteSettings};
use retarget::pose::WorldPose;
use retarget::{contact, settings::Settings};
use std::hint::black_box;

/// A stage: what it is called, nanoseconds a frame of the best plain loops at 31 joints and at 78, where known,
/// and work that does it once for all frames of a body.
pub struct Stage {
    pub name: &'static str,
    pub yardstick: [Option<u32>; 2],
    pub work: for<'a> fn(&'a Body) -> Box<dyn FnMut() + 'a>,
}

pub const STAGES: &[Stage] = &[
    // The yardstick's loops had forward kinematics in them.
    Stage { name: "read", yardstick: [Some(950 + 1590), Some(2250 + 4300)], work: read },
    Stage { name: "forward-kinematics", yardstick: [None; 2], work: forward },
    Stage { name: "contacts", yardstick: [None; 2], work: contacts },
    Stage { name: "to-euler", yardstick: [Some(1680), Some(4400)], work: to_euler },
    Stage { name: "write", yardstick: [Some(1070), Some(2220)], work: write },
];

fn read(body: &Body) -> Box<dyn FnMut() + '_> {
    Box::new(|| {
        black_box(bvh::read(black_box(&body.text)).expect("a sound file"));
    })
}

fn forward(body: &Body) -> Box<dyn FnMut() + '_> {
    let mut pose = body.clip.pose(0);
    let mut world = WorldPose::new(pose.rotations.len());
    Box::new(move || {
        for frame in 0..body.clip.len() {
            body.clip.read_pose(frame, &mut pose);
            world.set(body.clip.skeleton(), &pose);
            black_box(&world);
        }
    })
}

fn contacts(body: &Body) -> Box<dyn FnMut() + '_> {
    let settings = Settings::default();
    Box::new(move || {
        let paths = contact::foot_paths(&body.clip, &body.rig.rig);
        let seconds = body.clip.frame_time().seconds();
        black_box(contact::detect(&paths, &body.rig.rig, seconds, &settings.contact));
    })
}

fn to_euler(body: &Body) -> Box<dyn FnMut() + '_> {
    let writer = RowWriter::new(body.clip.skeleton(), &WriteSettings::default());
    let mut rows = Rows::default();
    Box::new(move || numbers(body, &writer, &mut rows))
}

/// All rows of a body's clip.
fn numbers(body: &Body, writer: &RowWriter, rows: &mut Rows) {
    rows.clear();
    for frame in 0..body.clip.len() {
        writer.push_frame(body.clip.rotations(frame), body.clip.translations(frame), rows);
    }
    writer.run_on(&mut writer.euler_filter(), rows);
    black_box(rows);
}

fn write(body: &Body) -> Box<dyn FnMut() + '_> {
    let writer = RowWriter::new(body.clip.skeleton(), &WriteSettings::default());
    let mut rows = Rows::default();
    numbers(body, &writer, &mut rows);
    let mut text = Vec::new();
    Box::new(move || {
        text.clear();
        writer.push_text(black_box(&rows), &mut text);
        black_box(&text);
    })
}
