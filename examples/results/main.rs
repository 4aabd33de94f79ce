//! Measures results: clips onto bodies of other proportions and onto other rigs, planted and with the
//! rotations copied.
//!
//!     cargo run --release --example results -- [--to RIG]... [--out FOLDER] CLIP...
//!
//! With `--out` the results are kept there as BVH.

mod bodies;

use retarget::convert::{self, Conversion, LoadedRig, SourceClip};
use retarget::plant::FootPlants;
use retarget::rig::RigFile;
use retarget::settings::Settings;
use std::path::{Path, PathBuf};

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut rigs, mut clips, mut out) = (Vec::new(), Vec::new(), None);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--to" => rigs.push(args.next().expect("--to RIG")),
            "--out" => out = Some(PathBuf::from(args.next().expect("--out FOLDER"))),
            _ => clips.push(arg),
        }
    }
    println!(
        "clip\tbody\tcores\tdrift\tskate\tsunk\tafloat\tmisses\tlimbs\tjerk\tpeak\tpop\tdrop\t| copy: drift\tskate\tsunk\tafloat"
    );
    for clip in &clips {
        let path = Path::new(clip);
        let bytes = convert::read_bytes(path).expect("readable");
        let source = convert::read_clip(path, &bytes).expect("a clip");
        let own = match convert::source_rig(&source, RigFile::default()) {
            Ok(own) => own,
            Err(error) => {
                eprintln!("{clip}: {error}");
                continue;
            }
        };
        for plain in &bodies::PLAIN {
            row(&source, plain.name, &plain.rig(&own.rig, &source.clip), out.as_deref());
        }
        for rig in &rigs {
            let target = convert::load_rig(Path::new(rig)).expect("a rig");
            row(&source, rig, &target, out.as_deref());
        }
    }
}

fn row(source: &SourceClip, name: &str, target: &LoadedRig, out: Option<&Path>) {
    let run = |foot_plants| -> Conversion {
        let mut settings = Settings::default();
        settings.plant.foot_plants = foot_plants;
        convert::convert(source, RigFile::default(), target, &settings).expect("a result")
    };
    let planted = run(FootPlants::Auto);
    let copied = run(FootPlants::Off);
    let name = name.rsplit('/').next().unwrap_or(name);
    let clip_name = source.path.file_stem().unwrap_or_default().to_string_lossy();
    if let Some(folder) = out {
        for (kind, done) in [("planted", &planted), ("copied", &copied)] {
            let path = folder.join(format!("{clip_name}-{name}-{kind}.bvh"));
            let bytes = convert::bvh_bytes(&done.result, &Settings::default());
            convert::write_whole(&path, &bytes, &[]).expect("written");
        }
    }
    let (r, c) = (&planted.report, &copied.report);
    let cm = 90.0 / target.rig.leg_len;
    let at = |m: &retarget::report::Measure| {
        format!("{:.2} ({:.2} {} f{})", m.value, m.worst, m.joint, m.frame)
    };
    println!(
        "{}\t{}\t{}\t{:.3}\t{:.3}\t{}\t{}\t{}\t{:.2}\t{}\t{}\t{}\t{:.2}\t| {:.3}\t{:.3}\t{:.3}\t{:.3}",
        clip_name,
        name,
        r.contact_cores,
        r.plant_drift_cm.value,
        r.skate_cm_s.value,
        at(&r.penetration_cm),
        at(&r.float_cm),
        planted.plant.misses.len(),
        r.limb_direction_deg.value,
        at(&r.jerk_ratio),
        at(&r.jerk_peak_ratio),
        at(&r.knee_pop_ratio),
        planted.plant.deepest_drop_len * cm,
        c.plant_drift_cm.value,
        c.skate_cm_s.value,
        c.penetration_cm.value,
        c.float_cm.value,
    );
}
