//! Contacts that are found on the samples, against those that their generator made.

use retarget::contact::{self, Part};
use retarget::convert;
use retarget::rig::{RigFile, Side};
use std::path::{Path, PathBuf};

/// Every clip of the samples that has its truth beside it.
fn samples() -> Vec<(PathBuf, serde_json::Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut folders = vec![folder];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("samples can be listed") {
            let path = entry.expect("an entry").path();
            let truth = path.with_extension("truth.json");
            if path.is_dir() {
                // Animals have a truth of another form.
                folders.extend(Some(path).filter(|path| !path.ends_with("animals")));
            } else if path.extension().is_some_and(|e| e == "bvh") && truth.exists() {
                let text = std::fs::read(truth).expect("readable");
                found.push((path, serde_json::from_slice(&text).expect("JSON")));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(found.len(), 15, "clips with their truth");
    found
}

/// Frames in which a part stands, by the truth.
fn true_mask(truth: &serde_json::Value, side: Side, part: Part) -> Vec<bool> {
    let frames = truth["frames"].as_u64().expect("a count") as usize;
    let mut mask = vec![false; frames];
    let side = match side {
        Side::Left => "left",
        Side::Right => "right",
    };
    let part = match part {
        Part::Heel => "heel",
        Part::Ball => "ball",
    };
    for contact in truth["contacts"].as_array().expect("a list") {
        if contact["foot"] == side && contact["part"] == part {
            let place = |key: &str| contact[key].as_u64().expect("a frame") as usize;
            mask[place("first_frame")..place("end_frame")].fill(true);
        }
    }
    mask
}

#[test]
fn contacts_are_those_of_the_truth() {
    let mut all = (0usize, 0usize, 0usize);
    for (path, truth) in samples() {
        let bytes = convert::read_bytes(&path).expect("readable");
        let source = convert::read_clip(&path, &bytes).expect("a clip");
        let loaded = convert::source_rig(&source, RigFile::default()).expect("a body");
        let feet = contact::foot_paths(&source.clip, &loaded.rig);
        let frame_time_s = source.clip.frame_time().seconds();
        let track = contact::detect(&feet, &loaded.rig, frame_time_s, &Default::default());
        let mut counts = (0usize, 0usize, 0usize);
        for (foot, side) in loaded.rig.foot_ids().zip(Side::BOTH) {
            for part in Part::BOTH {
                let found = track.mask(foot, part);
                for (is, should) in found.iter().zip(true_mask(&truth, side, part)) {
                    counts.0 += usize::from(*is && should);
                    counts.1 += usize::from(*is && !should);
                    counts.2 += usize::from(!*is && should);
                }
            }
        }
        let f1 = f1(counts);
        println!("{f1:.3} {counts:?} {}", path.display());
        assert!(f1 >= 0.95, "{}: F1 {f1:.3}", path.display());
        all = (all.0 + counts.0, all.1 + counts.1, all.2 + counts.2);
    }
    println!("{:.4} {all:?} all samples", f1(all));
}

fn f1((hits, extra, missed): (usize, usize, usize)) -> f64 {
    2.0 * hits as f64 / (2 * hits + extra + missed).max(1) as f64
}
