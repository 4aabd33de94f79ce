//! Settings as meant, from arguments as typed.

use super::args::RetargetArgs;
use super::failure::Failure;
use super::stream::{Stream, is_dash};
use retarget::binding::Scale;
use retarget::convert::unpacked_name;
use retarget::settings::Settings;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One clip to be carried onto one target.
#[derive(Debug)]
pub struct Job {
    pub input: Stream,
    pub target: PathBuf,
    /// What the user says of the source's rig.
    pub from: Option<PathBuf>,
    pub output: Stream,
    /// What the user says of the scale; it goes before what the target's file says.
    pub scale: Option<Scale>,
    pub settings: Settings,
    pub told: Told,
}

/// How much is printed of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Nothing,
    Short,
    All,
    Json,
}

impl Job {
    /// What the arguments mean. Touches no file.
    pub fn meant(args: RetargetArgs) -> Result<Self, Failure> {
        for (option, path) in [("--to", Some(&args.to)), ("--from", args.from.as_ref())] {
            if path.is_some_and(|path| is_dash(path)) {
                return Err(Failure::Usage(format!(
                    "{option} takes a file; only IN.bvh can be standard input"
                )));
            }
        }
        let input = Stream::new(args.input);
        let output = match args.output {
            Some(path) => Stream::new(path),
            None => default_output(&input, &args.to),
        };
        if args.json && output == Stream::Standard {
            return Err(Failure::Usage(
                "--json and the result would both go to standard output; name a file with -o"
                    .to_owned(),
            ));
        }
        let mut settings = Settings::default();
        settings.plant.foot_plants = args.foot_plants.into();
        settings.write.decimals = args.decimals;
        if let Some(scale) = args.scale {
            settings.binding.scale = scale;
        }
        let told = match (args.json, args.quiet, args.verbose) {
            (true, ..) => Told::Json,
            (_, true, _) => Told::Nothing,
            (_, _, true) => Told::All,
            _ => Told::Short,
        };
        let scale = args.scale;
        Ok(Self { input, target: args.to, from: args.from, output, scale, settings, told })
    }
}

/// `walk.hero.bvh` in the current folder, for walk.bvh and hero.toml: clips often live in folders that
/// are shared or read-only, and a result beside its source would be taken for another source.
fn default_output(input: &Stream, target: &Path) -> Stream {
    let Some(input) = input.file() else { return Stream::Standard };
    let mut name = OsString::from(unpacked_name(input).file_stem().unwrap_or_default());
    name.push(".");
    name.push(target.file_stem().unwrap_or_default());
    name.push(".bvh");
    Stream::File(PathBuf::from(name))
}
