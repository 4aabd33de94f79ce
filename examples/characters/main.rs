//! Measures characters: walks onto each of them, and their own clips onto other targets, as the tables of
//! docs/CHARACTERS.md.
//!
//!     cargo run --release --example characters -- FOLDER [--to TARGET]... WALK...
//!
//! FOLDER holds the files that `tests/rig/recognise/characters.txt` lists with their roles. Each WALK goes onto each
//! file; with `--to` every clip of each file goes onto each TARGET too.

#[path = "../../tests/common/listed.rs"]
mod listed;

use retarget::internals::convert::{self, LengthUnit, LoadedRig, Reading, SourceClip};
use retarget::internals::error::Error;
use retarget::internals::report::Report;
use retarget::internals::rig::{RigFile, Role};
use retarget::internals::scene::Base;
use retarget::internals::settings::Settings;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const ROLES: &str = include_str!("../../tests/rig/recognise/characters.txt");

/// The worst of some reports.
#[derive(Default)]
struct Worst {
    count: usize,
    drift_cm: f64,
    skate_cm_s: f64,
    sunk_cm: f64,
    above_cm: f64,
    limbs_deg: f64,
}

impl Worst {
    fn see(&mut self, report: &Report) {
        self.count += 1;
        self.drift_cm = self.drift_cm.max(report.plant_drift_cm.value);
        self.skate_cm_s = self.skate_cm_s.max(report.skate_cm_s.value);
        self.sunk_cm = self.sunk_cm.max(report.penetration_cm.value);
        self.above_cm = self.above_cm.max(report.float_cm.value);
        self.limbs_deg = self.limbs_deg.max(report.limb_direction_deg.value);
    }

    fn text(&self) -> String {
        let Self { count, drift_cm, skate_cm_s, sunk_cm, above_cm, limbs_deg } = self;
        format!(
            "{count} | {drift_cm:.3} | {skate_cm_s:.3} | {sunk_cm:.3} | {above_cm:.3} | {limbs_deg:.1}°"
        )
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().expect("FOLDER"));
    let (mut targets, mut walks) = (Vec::new(), Vec::new());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--to" => targets.push(args.next().expect("--to TARGET")),
            _ => walks.push(convert::SourceClip::load(Path::new(&arg)).expect("a walk")),
        }
    }
    let files: Vec<(&str, BTreeMap<Role, String>)> = ROLES
        .split("# ")
        .skip(1)
        .filter_map(|section| section.split_once('\n'))
        .flat_map(|(names, lines)| names.split(' ').map(|name| (name, listed::listed(lines))))
        .collect();
    let numbers = "drift, cm | skate, cm/s | soles sink, cm | soles above, cm | limbs off";
    println!("| file | roles right | named wrong | stance | unit | walks | {numbers} |");
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (name, roles) in &files {
        match onto(&folder.join(name), roles, &walks) {
            Ok(row) => println!("| {name} | {row} |"),
            Err(error) => println!("| {name} | {error} |"),
        }
    }
    if targets.is_empty() {
        return;
    }
    let targets: Vec<LoadedRig> = targets
        .iter()
        .map(|path| convert::LoadedRig::load(Path::new(path)).expect("a target"))
        .collect();
    println!("\n| file | results | {numbers} |");
    println!("|---|---|---|---|---|---|---|");
    for (name, _) in &files {
        match from(&folder.join(name), &targets) {
            Ok(row) => println!("| {name} | {row} |"),
            Err(error) => println!("| {name} | {error} |"),
        }
    }
}

/// A character with the walks.
fn onto(
    path: &Path,
    listed: &BTreeMap<Role, String>,
    walks: &[SourceClip],
) -> Result<String, Error> {
    let target = convert::LoadedRig::load(path)?;
    let named = |(role, joint)| (role, target.rig.skeleton.name(joint).to_owned());
    let found: BTreeMap<Role, String> = target.rig.roles.iter().map(named).collect();
    let is_right = |(role, joint): &(&Role, &String)| listed.get(role) == Some(joint);
    let right = found.iter().filter(is_right).count();
    let body = target.character.as_ref().map(|character| &character.body.base);
    let stance = match body {
        Some(Base::Bind { off_rad }) => {
            format!("bind pose, nodes {:.0}° off", off_rad.to_degrees())
        }
        _ => "nodes".to_owned(),
    };
    let unit = LengthUnit::of(&target.rig).map_or(String::new(), |unit| unit.to_string());
    let mut worst = Worst::default();
    for walk in walks {
        let done = convert::convert(walk, RigFile::default(), &target, &Settings::default())?;
        worst.see(&done.report);
    }
    let (all, wrong) = (listed.len(), found.len() - right);
    Ok(format!("{right} of {all} | {wrong} | {stance} | {unit} | {}", worst.text()))
}

/// The clips of a file onto other targets.
fn from(path: &Path, targets: &[LoadedRig]) -> Result<String, Error> {
    let found = convert::inspect(
        path,
        &convert::read_bytes(path)?,
        &RigFile::default(),
        &Reading::default(),
        &Settings::default().contact,
    )?;
    let mut worst = Worst::default();
    for take in found.takes.iter().filter(|take| take.moves) {
        let clip = convert::load_take(path, Some(&take.name))?;
        for target in targets {
            let done = convert::convert(&clip, RigFile::default(), target, &Settings::default())?;
            worst.see(&done.report);
        }
    }
    Ok(worst.text())
}
