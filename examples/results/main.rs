//! Measures results: clips onto bodies of other proportions and onto other rigs, planted and with the
//! rotations copied, as the tables of docs/results/.
//!
//!     cargo run --release --example results -- [--to RIG]... [--strangers FIRST..END]... [--motions FIRST..END]
//!         [--out FOLDER | --lines] CLIP|FOLDER...
//!
//! Folders are searched for clips of more than one frame. Every clip goes onto the seven plain bodies
//! (`plain.rs`) made from its own, and onto each RIG; with `--strangers` onto these and the strangers of those seeds
//! alone. With `--motions` it is not the clip that goes, but the motions that those seeds make of it. What misses is listed
//! with what acted there (`reason.rs`). With `--out` the results are kept there as BVH, and the motions. With `--lines` there
//! is a line for each result instead of the tables (`lines.rs`), on as many threads as there are cores: two versions of the
//! program are compared by these.

#[path = "../../tests/common/bodies.rs"]
mod bodies;
mod lines;
mod plain;
mod reason;
#[path = "../../tests/common/strange_motions.rs"]
mod strange_motions;
#[path = "../../tests/common/strangers.rs"]
mod strangers;
mod tables;

use reason::Case;
use retarget::internals::batch::{self, Named};
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::error::Error;
use retarget::internals::plant::{FootPlants, GoalLimb, Miss};
use retarget::internals::report::{LEG_CM, NUMBERS, Report};
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use strange_motions::StrangeMotion;
use strangers::Stranger;

/// What the misses of feet are counted under.
pub const FOOT: &str = "foot";

/// What tables call a body, and its rig.
type Target = (String, LoadedRig);

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
    let (mut others, mut named, mut out) = (Vec::new(), Vec::new(), None);
    let mut motions = None;
    let (mut lines, mut only_others) = (false, false);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--to" => others.push(rig(&args.next().expect("--to RIG"))),
            "--motions" => motions = Some(seeds(args.next()).expect("--motions FIRST..END")),
            "--strangers" => {
                let seeds = seeds(args.next()).expect("--strangers FIRST..END");
                others.extend(seeds.map(Stranger::new).map(|body| (body.name(), body.rig())));
                only_others = true;
            }
            "--lines" => lines = true,
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
    if lines {
        lines::print_heads();
    }
    for found in batch::find(&named).expect("clips").found {
        let name = found.name;
        let of_clip = clips(&found.path, &name, motions.clone()).and_then(|clips| {
            for (name, source) in clips {
                if let (Some(folder), true) = (&out, motions.is_some()) {
                    let name = Path::new(&name).file_name().unwrap_or_default();
                    keep(&folder.join(name), &source.clip)?;
                }
                let plain = if only_others { Vec::new() } else { plain_bodies(&source)? };
                let targets: Vec<&Target> = plain.iter().chain(&others).collect();
                if lines {
                    lines::print(&source, &name, &targets)?;
                    continue;
                }
                for (body, target) in targets {
                    rows.push(row(&source, &name, body, target, out.as_deref())?);
                }
            }
            Ok(())
        });
        if let Err(error) = of_clip {
            let reason = error.to_string().lines().next().unwrap_or_default().to_owned();
            refused.push((name, reason));
        }
    }
    if !rows.is_empty() {
        return print!("{}", tables::document(&rows, &refused));
    }
    refused.iter().for_each(|(name, reason)| eprintln!("{name}: {reason}"));
    if !lines {
        eprintln!("nothing was made: name clips of people with three frames or more");
        std::process::exit(1);
    }
}

/// A rig of a file; called by the last two parts of its path.
fn rig(path: &str) -> Target {
    let path = Path::new(path);
    let parts = path.with_extension("");
    let parts: Vec<_> = parts.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    let title = parts.iter().rev().map(AsRef::as_ref).collect::<Vec<&str>>().join("/");
    (title, LoadedRig::load(path).expect("a rig"))
}

/// The seeds of `FIRST..END`.
fn seeds(range: Option<String>) -> Option<Range<u64>> {
    let (first, end) = range.as_deref()?.split_once("..")?;
    Some(first.parse().ok()?..end.parse().ok()?)
}

/// The clip of a file with its name, or the motions that these seeds make of it; none for a single pose.
fn clips(
    path: &Path,
    name: &str,
    motions: Option<Range<u64>>,
) -> Result<Vec<(String, SourceClip)>, Error> {
    let source = SourceClip::load(path)?;
    if source.clip.len() < 3 {
        return Ok(Vec::new());
    }
    let Some(seeds) = motions else { return Ok(vec![(name.to_owned(), source)]) };
    let own = convert::source_rig(&source, RigFile::default())?;
    let motion = |seed| {
        let strange = StrangeMotion::new(seed).of(&source.clip, &own.rig);
        let name = Path::new(name).with_extension("").display().to_string();
        (format!("{name} {seed}.bvh"), SourceClip::new(path, strange))
    };
    Ok(seeds.map(motion).collect())
}

/// The plain bodies made from a clip's own.
fn plain_bodies(source: &SourceClip) -> Result<Vec<Target>, Error> {
    let own = convert::source_rig(source, RigFile::default())?;
    let plain = plain::PLAIN.iter();
    Ok(plain.map(|body| (body.name.to_owned(), body.rig(&own.rig, &source.clip))).collect())
}

/// Writes a clip as BVH.
fn keep(path: &Path, clip: &Clip) -> Result<(), Error> {
    convert::write_whole(path, &clip.bvh_bytes(&Settings::default()), &[])
}

fn row(
    source: &SourceClip,
    clip: &str,
    body: &str,
    target: &LoadedRig,
    out: Option<&Path>,
) -> Result<Row, Error> {
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
            keep(&path, &done.result)?;
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
