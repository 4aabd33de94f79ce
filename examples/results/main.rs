//! Measures results: clips onto bodies of other proportions and onto other rigs, planted and with the
//! rotations copied, as the tables of docs/results/.
//!
//!     cargo run --release --example results -- [--to RIG]... [--strangers FIRST..END] [--out FOLDER] CLIP|FOLDER...
//!
//! Folders are searched for clips of more than one frame. Every clip goes onto the seven plain bodies
//! (`plain.rs`) made from its own, and onto each RIG; with `--strangers` onto these and the strangers of those seeds
//! alone. What misses is listed with what acted there (`reason.rs`). With
//! `--out` the results are kept there as BVH.

#[path = "../../tests/common/bodies.rs"]
mod bodies;
mod plain;
mod reason;
#[path = "../../tests/common/strangers.rs"]
mod strangers;
mod tables;

use reason::Case;
use retarget::internals::batch::{self, Named};
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::plant::{FootPlants, GoalLimb, Miss};
use retarget::internals::report::{LEG_CM, NUMBERS, Report};
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use strangers::Stranger;

/// What the misses of feet are counted under.
pub const FOOT: &str = "foot";

/// One clip on one body.
pub struct Row {
    pub clip: String,
    pub body: String,
    pub frames: usize,
    pub planted: Report,
    pub copied: Report,
    /// Goals missed in a frame, by what texts call the limb, of feet [`FOOT`].
    pub misses: BTreeMap<&'static str, usize>,
    pub drop_cm: f64,
    /// Why, by number; for those that miss what is good.
    pub reasons: BTreeMap<&'static str, String>,
}

/// To two decimals, those below a tenth to three.
pub fn text(value: f64) -> String {
    let text = if value < 0.1 { format!("{value:.3}") } else { format!("{value:.2}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut rigs, mut named, mut out) = (Vec::new(), Vec::new(), None);
    let mut strangers: Option<Vec<Stranger>> = None;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--to" => rigs.push(args.next().expect("--to RIG")),
            "--strangers" => {
                let seeds = args.next().and_then(|range| {
                    let (first, end) = range.split_once("..")?;
                    Some(first.parse().ok()?..end.parse().ok()?)
                });
                let seeds = seeds.expect("--strangers FIRST..END");
                strangers = Some(seeds.map(Stranger::new).collect());
            }
            "--out" => out = Some(PathBuf::from(args.next().expect("--out FOLDER"))),
            _ => named.push(Named::Path(PathBuf::from(arg))),
        }
    }
    if let Some(folder) = &out
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        eprintln!("cannot make the folder {}: {error}", folder.display());
        std::process::exit(1);
    }
    let (mut rows, mut refused) = (Vec::new(), Vec::new());
    for found in batch::find(&named).expect("clips").found {
        let name = found.name;
        match clip(&found.path, &name, &rigs, strangers.as_deref(), out.as_deref()) {
            Ok(of_clip) => rows.extend(of_clip),
            Err(error) => refused.push((name, error.to_string())),
        }
    }
    print!("{}", tables::document(&rows, &refused));
}

/// One clip on all bodies and rigs; none for a single pose.
fn clip(
    path: &Path,
    name: &str,
    rigs: &[String],
    strangers: Option<&[Stranger]>,
    out: Option<&Path>,
) -> Result<Vec<Row>, retarget::internals::error::Error> {
    let source = convert::SourceClip::load(path)?;
    if source.clip.len() < 3 {
        return Ok(Vec::new());
    }
    let own = convert::source_rig(&source, RigFile::default())?;
    let mut targets: Vec<(String, LoadedRig)> = match strangers {
        Some(strangers) => strangers.iter().map(|body| (body.name(), body.rig())).collect(),
        None => {
            let plain = plain::PLAIN.iter();
            plain.map(|body| (body.name.to_owned(), body.rig(&own.rig, &source.clip))).collect()
        }
    };
    for rig in rigs {
        let path = Path::new(rig);
        let parts = path.with_extension("");
        let parts: Vec<_> = parts.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
        let title = parts.iter().rev().map(AsRef::as_ref).collect::<Vec<&str>>().join("/");
        targets.push((title, convert::LoadedRig::load(path)?));
    }
    targets.iter().map(|(body, target)| row(&source, name, body, target, out)).collect()
}

fn row(
    source: &SourceClip,
    clip: &str,
    body: &str,
    target: &LoadedRig,
    out: Option<&Path>,
) -> Result<Row, retarget::internals::error::Error> {
    let run = |foot_plants| {
        let mut settings = Settings::default();
        settings.plant.foot_plants = foot_plants;
        convert::convert(source, RigFile::default(), target, &settings)
    };
    let (planted, copied) = (run(FootPlants::Auto)?, run(FootPlants::Off)?);
    if let Some(folder) = out {
        for (kind, done) in [("planted", &planted), ("copied", &copied)] {
            let stem = Path::new(clip).file_stem().unwrap_or_default().to_string_lossy();
            let body = body.replace('/', "-");
            let path = folder.join(format!("{stem}-{body}-{kind}.bvh"));
            convert::write_whole(&path, &done.result.bvh_bytes(&Settings::default()), &[])?;
        }
    }
    let mut misses = BTreeMap::new();
    for Miss { limb, .. } in &planted.plant.misses {
        let word = match limb {
            GoalLimb::Foot(_) => FOOT,
            GoalLimb::Limb(limb) => limb.word(),
        };
        *misses.entry(word).or_default() += 1;
    }
    let case = Case { source, planted: &planted, copied: &copied };
    let over = NUMBERS.iter().filter(|number| number.of(&planted.report).value > number.threshold);
    let reasons = over.map(|number| (number.name, case.reason(number))).collect();
    Ok(Row {
        clip: clip.to_owned(),
        body: body.to_owned(),
        frames: source.clip.len(),
        misses,
        drop_cm: planted.plant.deepest_drop_len() * LEG_CM / target.rig.leg_len,
        reasons,
        planted: planted.report,
        copied: copied.report,
    })
}
