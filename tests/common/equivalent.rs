//! Retargets between two writings of one body, through whole files, and how far the result is from
//! the truth.

#![allow(dead_code)]

use crate::rewrite::Rewritten;
use retarget::internals::bvh::{self, WriteSettings};
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::plant::FootPlants;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{Rig, RigFile, Role};
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::JointId;
use std::path::{Path, PathBuf};

/// A clip of one family, with the rig that the file itself makes.
pub struct Original {
    pub name: String,
    pub clip: Clip,
    pub rig: Rig,
}

/// One clip of each family that has a body and motion.
pub const FAMILIES: [&str; 21] = [
    "accad19_inch/10_01",
    "asf_femur21_inch/cartwheel_clean",
    "asf_osu22/Swagger",
    "bandai_namco/walk_normal_001",
    "biovision18_inch/sprint",
    "cmu_3dsmax/131_01",
    "cmu_daz/02_02",
    "cmu_motionbuilder/npybvh_run",
    "dfki_fk_jnt/custom_skeleton_walk",
    "ipisoft52/2017-12-22_16-22-35",
    "lafan1/walk",
    "mocapbank19/walk_carrybag",
    "poser_mixed/dancing41-1",
    "pybvh_vicon24/bvh_test3_fingers",
    "rokoko/jesse_dance",
    "smpl_names/hml3d_template_m",
    "snu_dummy26_inch/wd2_boxing_girl",
    "snu_reduced13_m/walk_left_45degree",
    "snu_woody20/wd2_n_kick",
    "vicon_zup_inch/zombie",
    "xsens_names/pybvh_test2",
];

/// Reads the clip of each family; the first `longest` frames of long ones.
pub fn originals(dir: &Path, names: &[&str], longest: usize) -> Vec<Original> {
    names
        .iter()
        .map(|name| {
            let path = dir.join(format!("{name}.bvh"));
            let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
            let clip = bvh::read(&bytes).unwrap_or_else(|e| panic!("{name}: {e}")).clip;
            let count = clip.len().min(longest);
            let clip = crate::rewrite::cut(&clip, 0, count);
            original(name, clip)
        })
        .collect()
}

/// Our own clips, one of each way in which they are written.
pub const SAMPLES: [&str; 5] = [
    "samples/jump",
    "samples/cmu_style/run",
    "samples/lafan_style/turn",
    "samples/mixamo_style/walk",
    "samples/z_up_style/stairs",
];

/// Reads our own clips; the first `longest` frames of long ones.
pub fn samples(longest: usize) -> Vec<Original> {
    originals(Path::new(env!("CARGO_MANIFEST_DIR")), &SAMPLES, longest)
}

/// A clip with its rig.
pub fn original(name: &str, clip: Clip) -> Original {
    let rig = rig_of(&clip).unwrap_or_else(|e| panic!("{name}: {e}")).rig;
    Original { name: name.to_owned(), clip, rig }
}

/// The rig that a clip's own file makes.
pub fn rig_of(clip: &Clip) -> Result<LoadedRig, retarget::internals::error::Error> {
    convert::source_rig(&through_bytes(clip), RigFile::default())
}

/// The clip as the program reads it back from a file.
pub fn through_bytes(clip: &Clip) -> SourceClip {
    let path = PathBuf::from("clip.bvh");
    convert::SourceClip::from_bytes(&path, &bytes(clip)).expect("what was written is read")
}

pub fn bytes(clip: &Clip) -> Vec<u8> {
    let mut bytes = Vec::new();
    bvh::write(clip, &WriteSettings::default(), &mut bytes).expect("memory takes everything");
    bytes
}

/// A target rig from a file given to `--to`: the clip's whole file, or its hierarchy alone.
pub fn target(
    clip: &Clip,
    with_motion: bool,
) -> Result<LoadedRig, retarget::internals::error::Error> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("target.bvh");
    let mut bytes = bytes(clip);
    if !with_motion {
        let text = String::from_utf8(bytes).expect("UTF-8");
        let (hierarchy, _) = text.split_once("MOTION").expect("motion");
        bytes = hierarchy.as_bytes().to_vec();
    }
    std::fs::write(&path, bytes).expect("a writable folder");
    convert::LoadedRig::load(&path)
}

/// The pure transfer: nothing is done about the feet.
pub fn plants_off() -> Settings {
    let mut settings = Settings { keep_floor: true, ..Settings::default() };
    settings.plant.foot_plants = FootPlants::Off;
    settings
}

/// A result as it is read back from its file.
pub fn retargeted(
    source: &Clip,
    target: &LoadedRig,
) -> Result<Clip, retarget::internals::error::Error> {
    let conversion =
        convert::convert(&through_bytes(source), RigFile::default(), target, &plants_off())?;
    Ok(through_bytes(&conversion.result).clip)
}

/// Distances of role joints from their true places, in centimetres of a leg of 90 cm.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    all: Vec<f64>,
    pub max: f64,
    pub place: String,
}

impl Errors {
    pub fn note(&mut self, cm: f64, place: impl FnOnce() -> String) {
        self.all.push(cm);
        if cm > self.max || !cm.is_finite() {
            self.max = cm;
            self.place = place();
        }
    }

    pub fn p95(&self) -> f64 {
        let mut sorted = self.all.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[(0.95 * (sorted.len() - 1) as f64).round() as usize]
    }
}

/// Which side of a retarget is written differently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Written {
    /// The source; the target is the original's file.
    Source,
    /// The target, a file with motion; the source is the original.
    Target,
    /// The target, a file without motion.
    BareTarget,
}

impl Written {
    pub const ALL: [Self; 3] = [Self::Source, Self::Target, Self::BareTarget];
}

/// Retargets between an original and its rewriting and measures every role joint, and the End Sites
/// that show how the last ones are turned, in every frame of the original.
pub fn errors(
    original: &Original,
    other: &Rewritten,
    written: Written,
) -> Result<Errors, retarget::internals::error::Error> {
    let mut errors = Errors::default();
    let roles: Vec<(Role, JointId)> = original.rig.roles.iter().collect();
    let skeleton = original.clip.skeleton();
    let cm = 90.0 / original.rig.leg_len;
    let mut note = |frame: usize, role: Role, off: f64| {
        errors.note(off * cm, || format!("{role} in frame {frame}"));
    };
    match written {
        Written::Source => {
            let result = retargeted(&other.clip, &target(&original.clip, true)?)?;
            // What another up axis is turned by does not show on a target that keeps its own.
            for frame in 0..original.clip.len() {
                let truth = crate::rewrite::world(&original.clip, frame);
                let now = crate::rewrite::world(&result, frame + other.lead);
                for &(role, id) in &roles {
                    note(frame, role, (now.position(id) - truth.position(id)).norm());
                    for &end in &skeleton.joint(id).end_sites {
                        note(frame, role, (now.point(id, end) - truth.point(id, end)).norm());
                    }
                }
            }
        }
        Written::Target | Written::BareTarget => {
            let rig = target(&other.clip, written == Written::Target)?;
            // Without motion a file's world is that of its zero pose.
            let turn = match written {
                Written::BareTarget => crate::rewrite::world_turn(original.rig.up, rig.rig.up),
                _ => other.turn,
            };
            let result = retargeted(&original.clip, &rig)?;
            for frame in 0..original.clip.len() {
                let truth: WorldPose = crate::rewrite::world(&original.clip, frame);
                let now = crate::rewrite::world(&result, frame);
                for &(role, id) in &roles {
                    let wanted = turn * truth.position(id) * other.scale;
                    note(frame, role, (now.position(other.now(id)) - wanted).norm() / other.scale);
                    let new = other.now(id);
                    let ends = &other.clip.skeleton().joint(new).end_sites;
                    for (&end, &new_end) in skeleton.joint(id).end_sites.iter().zip(ends) {
                        let wanted = turn * truth.point(id, end) * other.scale;
                        note(frame, role, (now.point(new, new_end) - wanted).norm() / other.scale);
                    }
                }
            }
        }
    }
    Ok(errors)
}
