//! Doubtful rigs are read right or refused, and never wrong.

use crate::common;
use crate::doubtful::{Outcome, Seed, as_source, as_target, doubtful, kinect};
use crate::equivalent::{
    FAMILIES, Original, Written, errors, original, originals, plants_off, rig_of, samples,
};
use crate::equivalent::{target, through_bytes};
use crate::rewrite::{self, Rewritten};
use retarget::internals::bvh;
use retarget::internals::convert::{self, LoadedRig};
use retarget::internals::math::Vec3;
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{RigFile, Role, Side, UpAxis, WrittenRoles};
use retarget::internals::skeleton::JointId;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::path::Path;

/// Frames of each clip that are looked at.
const LONGEST: usize = 240;

/// Seeds of rigs that are the hardest to read: frames turned anyhow of bodies that stoop, kick and never stand, feet
/// that show no toes, a zero pose along another axis than the motion; the last three digits are the clip's.
const HARDEST: [u64; 9] =
    [41003012, 51012024, 60008012, 60010005, 60014030, 60023012, 60068006, 61100012, 345010022];

fn game() -> LoadedRig {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/skeletons");
    let mut game = convert::LoadedRig::load(samples.join("game.toml")).expect("a sample");
    // Knees that a limit holds back are no misreading.
    game.rig.limits.clear();
    game
}

/// All real clips of a person whom names tell, and that move.
fn people(dir: &Path) -> Vec<Original> {
    let clips = common::mocap_clips(dir).into_iter().filter_map(|(name, bytes)| {
        let clip = bvh::read(&bytes).ok()?.clip;
        // A single pose without toes shows nothing of its front.
        if clip.len() < 10 {
            return None;
        }
        retarget::internals::rig::recognise(clip.skeleton(), &WrittenRoles::default()).ok()?;
        if name.contains("nan_values") {
            return None;
        }
        let count = clip.len().min(LONGEST);
        let clip = rewrite::cut(&clip, 0, count);
        rig_of(&clip).is_ok().then(|| original(&name, clip))
    });
    let people: Vec<Original> = clips.collect();
    assert_eq!(people.len(), 37, "people that move");
    people
}

#[derive(Default)]
struct Count {
    right: usize,
    /// By what was asked.
    refused: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Count {
    fn note(&mut self, what: &str, outcome: Outcome) {
        match outcome {
            Outcome::Right => self.right += 1,
            Outcome::Refused(why) => *self.refused.entry(kind_of(&why)).or_default() += 1,
            Outcome::Wrong(how) => self.wrong.push(format!("{what}: {how}")),
        }
    }
}

/// What a refusal asks, without the file and the joints that it names.
fn kind_of(refusal: &str) -> String {
    let words = refusal.rsplit_once("apart: ").map_or(refusal, |(_, problem)| problem);
    let words = words.split_once(".bvh: ").map_or(words, |(_, problem)| problem);
    let unnamed = words.split('"').step_by(2).collect::<Vec<_>>().join("…");
    unnamed.split([':', ';', ',']).next().unwrap_or_default().to_owned()
}

#[test]
fn doubtful_rigs_are_right_or_refused_and_never_wrong() {
    let Some(dir) = common::mocap_dir() else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("RETARGET_SEED").unwrap_or(1);
    let rounds = number("RETARGET_ROUNDS").unwrap_or(4);
    let game = game();
    let walk = samples(60).remove(3);
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    // Of sources whose names do not say the opposite of what their motion shows.
    let (mut clear, mut asked) = (0, 0);
    for (i, o) in people(&dir).iter().enumerate() {
        let i = i as u64;
        let hardest = HARDEST.into_iter().filter(|seed| seed % 1000 == i);
        let drawn = (0..rounds).map(|round| 1000 * (first + round) + i);
        for seed in hardest.chain(drawn) {
            let (how, other, unknowable) = doubtful(o, seed);
            let what = format!("{} ({seed}: {how})", o.name);
            let mut note = |side, outcome| {
                counts.entry(side).or_default().note(&format!("{side} {what}"), outcome)
            };
            let source = as_source(o, &other.clip, other.lead, &game);
            if !how.contains("mirrored") {
                clear += 1;
                asked += usize::from(matches!(source, Outcome::Refused(_)));
            }
            note("source", source);
            note("target", as_target(o, &other, &walk, false));
            if !unknowable {
                note("bare target", as_target(o, &other, &walk, true));
            }
        }
    }
    println!("of {clear} sources that no name contradicts {asked} are refused");
    report(counts);
    assert!(50 * asked <= clear, "{asked} of {clear} are asked about without need");
}

/// A depth camera's knees tremble and bend backwards, and it sees no toes: names and up say where the body
/// faces all the same.
#[test]
fn a_depth_cameras_rig_faces_where_names_and_up_say() {
    let Some(dir) = common::mocap_dir() else { return };
    let game = game();
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for (i, o) in people(&dir).iter().enumerate() {
        for (round, (noise, behind)) in
            [(0.0, 0.0), (0.06, 0.0), (0.03, 0.04)].into_iter().enumerate()
        {
            let back = (i + round) % 2 == 1;
            let Some(clip) = kinect(o, back, noise, behind, i as u64) else { continue };
            let what = format!("{} knees {noise} {behind} back {back}", o.name);
            counts.entry("kinect").or_default().note(&what, as_source(o, &clip, 0, &game));
        }
    }
    report(counts);
}

/// Two seconds of a motion, lying and crawling included, never have another axis up than the whole; they
/// may leave it in doubt.
#[test]
fn two_seconds_of_a_motion_have_the_same_axis_up_as_the_whole() {
    const SURE: f64 = 0.8;
    let Some(dir) = common::mocap_dir() else { return };
    let (mut right, mut doubtful, mut wrong) = (0, 0, Vec::new());
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(file) = bvh::read(&bytes) else { continue };
        let Ok(whole) = rig_of(&file.clip) else { continue };
        let len = (2.0 / file.clip.frame_time().seconds()).round() as usize;
        for first in (0..file.clip.len().saturating_sub(len)).step_by(len.max(1)) {
            let Ok(piece) = rig_of(&rewrite::cut(&file.clip, first, len)) else { continue };
            match (piece.rig.up == whole.rig.up, piece.rig.up_found.sure >= SURE) {
                (_, false) => doubtful += 1,
                (true, _) => right += 1,
                (false, _) => wrong.push(format!("{name} from {first}: {:?}", piece.rig.up_found)),
            }
        }
    }
    println!("{right} right, {doubtful} in doubt, {} wrong", wrong.len());
    assert!(right >= 190, "{right} right");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Who leans on a hand in all of a short clip is not taken for an animal, as long as the zero pose stands.
#[test]
fn every_third_of_a_second_of_a_crouch_is_a_persons() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let clip = convert::SourceClip::load(samples.join("crouch.bvh")).expect("a sample").clip;
    let len = 20;
    for first in 0..clip.len() - len {
        let piece = rewrite::cut(&clip, first, len);
        assert!(rig_of(&piece).is_ok(), "from {first}: {:?}", rig_of(&piece).err());
    }
}

/// A file that gives a hierarchy alone, and be it with one frame of zeros, has the axis up that files have.
#[test]
fn a_hierarchy_in_which_nobody_stands_has_y_up() {
    let Some(dir) = common::mocap_dir() else { return };
    for name in ["lafan1/walk", "bandai_namco/walk_normal_001", "rokoko/jesse_dance"] {
        let [o] = &originals(&dir, &[name], 2)[..] else { panic!("one clip") };
        let mut clip = rewrite::cut(&o.clip, 0, 0);
        clip.push_pose(&Pose::rest(o.clip.skeleton()));
        for rig in [rig_of(&clip), target(&clip, true), target(&clip, false)] {
            assert_eq!(rig.expect("a body").rig.up, UpAxis::Y, "{name}");
        }
    }
}

/// Joints between pelvis or chest and what hangs on them that turn, and turn back, change nothing.
#[test]
fn turns_that_cancel_each_other_change_nothing() {
    const MOST_CM: f64 = 0.1;
    let Some(dir) = common::mocap_dir() else { return };
    let (mut cases, mut wrong, mut worst) = (0, Vec::new(), 0.0f64);
    for (i, o) in originals(&dir, &FAMILIES, 60).iter().chain(&samples(60)).enumerate() {
        let chest = o.rig.roles.spine().last().copied();
        for branch in [o.rig.joint(Role::Hips), chest].into_iter().flatten() {
            if !shows_its_turn(o, branch) {
                continue;
            }
            let mut seed = Seed::new(i as u64);
            let turned = || seed.turn(2.0);
            let other = Rewritten::of(&o.clip).with_turns_that_cancel(branch, turned);
            for written in Written::ALL {
                cases += 1;
                let case = format!("{} {} {written:?}", o.name, o.rig.skeleton.name(branch));
                match errors(o, &other, written) {
                    Ok(e) if e.max <= MOST_CM => worst = worst.max(e.max),
                    Ok(e) => wrong.push(format!("{case}: {:.3} cm, {}", e.max, e.place)),
                    Err(e) => wrong.push(format!(
                        "{case}: {}",
                        e.to_string().lines().take(2).collect::<String>()
                    )),
                }
            }
        }
    }
    println!("{cases} cases, {} wrong, {worst:.5} cm", wrong.len());
    assert!(cases >= 90, "{cases} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Clavicles that a file rolls by half a turn about their own bones, arms rolled back, leave the shoulders of the result
/// where they are.
#[test]
fn clavicles_rolled_by_their_file_throw_no_shoulder_aside() {
    const MOST_DEG: f64 = 0.1;
    let Some(dir) = common::mocap_dir() else { return };
    let game = game();
    let bones = Side::BOTH.map(|side| {
        [Role::Clavicle(side), Role::UpperArm(side)].map(|role| game.rig.joint(role).expect("one"))
    });
    let (mut cases, mut worst) = (0, 0.0f64);
    for o in originals(&dir, &FAMILIES, 120).iter().chain(&samples(120)) {
        let clavicles = Side::BOTH.map(|side| o.rig.joint(Role::Clavicle(side)));
        let [Some(left), Some(right)] = clavicles else { continue };
        if [left, right].into_iter().any(|id| o.rig.skeleton.children(id).count() != 1) {
            continue;
        }
        let shoulders = |angle_rad: f64| {
            let rolled =
                Rewritten::of(&o.clip).with_roll(left, angle_rad).with_roll(right, angle_rad);
            let source = through_bytes(&rolled.clip);
            let done = convert::convert(&source, RigFile::default(), &game, &plants_off())
                .unwrap_or_else(|e| panic!("{}: {e}", o.name));
            let ways = |frame: usize| {
                let world = rewrite::world(&done.result, frame);
                bones.map(|[from, to]| world.position(to) - world.position(from))
            };
            (0..o.clip.len()).step_by(10).flat_map(ways).collect::<Vec<_>>()
        };
        cases += 1;
        for (plain, rolled) in shoulders(0.0).iter().zip(shoulders(PI)) {
            let off = plain.angle(&rolled).to_degrees();
            assert!(off < MOST_DEG, "{}: {off:.2}°", o.name);
            worst = worst.max(off);
        }
    }
    println!("{cases} bodies, at worst {worst:.4}°");
    assert!(cases >= 20, "{cases} bodies");
}

/// Whether what hangs on a joint shows how it is turned: legs or arms to both sides, and anything off the line
/// between them.
fn shows_its_turn(o: &Original, branch: JointId) -> bool {
    let ways: Vec<Vec3> =
        o.rig.skeleton.children(branch).map(|id| o.rig.skeleton.joint(id).offset).collect();
    let most = ways.iter().map(|way| way.norm()).fold(0.0, f64::max);
    let sides = match o.rig.joint(Role::Hips) {
        Some(hips) if hips == branch => [Role::Thigh(Side::Left), Role::Thigh(Side::Right)],
        _ if o.rig.joint(Role::Clavicle(Side::Left)).is_some() => {
            [Role::Clavicle(Side::Left), Role::Clavicle(Side::Right)]
        }
        _ => [Role::UpperArm(Side::Left), Role::UpperArm(Side::Right)],
    };
    let rest = WorldPose::of(&o.rig.skeleton, &Pose::rest(&o.rig.skeleton));
    let [left, right] = sides.map(|role| o.rig.joint(role).map(|id| rest.position(id)));
    let apart = left.zip(right).is_some_and(|(l, r)| (l - r).norm() > 0.2 * most);
    let pairs = ways.iter().flat_map(|a| ways.iter().map(move |b| a.cross(b).norm()));
    apart && pairs.fold(0.0, f64::max) > 0.3 * most * most
}

/// The lines that a refusal proposes: those of the reading that it would take, and those of the other one.
fn proposals(refusal: &str) -> Vec<Vec<&str>> {
    let lines = |marker: &str| {
        let (_, lines) = refusal.split_once(marker)?;
        Some(lines.lines().take_while(|line| line.starts_with("  ")).collect())
    };
    ["to settle it, save as fix.toml:\n", "save instead:\n"].into_iter().filter_map(lines).collect()
}

/// What a refusal proposes settles it: the lines of each reading, pasted, make a body with all of its limbs.
#[test]
fn every_proposal_works_when_it_is_pasted() {
    let Some(dir) = common::mocap_dir() else { return };
    let game = game();
    let (mut pasted, mut others, mut wrong) = (0, 0, Vec::new());
    for (i, o) in people(&dir).iter().enumerate() {
        for round in 0..4 {
            let seed = 1000 * (round + 1) + i as u64;
            let (how, other, _) = doubtful(o, seed);
            let source = through_bytes(&other.clip);
            let retargeted = |file: RigFile| convert::convert(&source, file, &game, &plants_off());
            let Err(error) = retargeted(RigFile::default()) else { continue };
            let text = error.to_string();
            for (reading, lines) in proposals(&text).into_iter().enumerate() {
                pasted += 1;
                others += reading;
                let what = format!("{} ({seed}: {how}), reading {reading}", o.name);
                match RigFile::parse(&lines.join("\n")).map_err(|e| e.to_string()).and_then(
                    |file| retargeted(file).map_err(|e| e.to_string().lines().take(3).collect()),
                ) {
                    Err(e) => wrong.push(format!("{what}: {lines:?}: {e}")),
                    Ok(done) => {
                        let roles = &done.binding.source.roles;
                        let limb = |(role, _): (Role, _)| match role {
                            Role::Finger(..) => None,
                            role => role.side().is_some().then_some(role),
                        };
                        let mut limbs = o.rig.roles.iter().filter_map(limb);
                        if let Some(role) = limbs.find(|role| roles.joint(*role).is_none()) {
                            wrong.push(format!("{what}: {lines:?}: {role} is lost"));
                        }
                    }
                }
            }
        }
    }
    println!("{pasted} pasted, {others} of them other readings, {} wrong", wrong.len());
    assert!(pasted >= 80 && others >= 40, "{pasted} pasted, {others} of them other readings");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn report(counts: BTreeMap<&str, Count>) {
    let mut wrong = Vec::new();
    for (side, count) in &counts {
        let refused: usize = count.refused.values().sum();
        println!("{side}: {} right, {refused} refused, {} wrong", count.right, count.wrong.len());
        for (why, times) in &count.refused {
            println!("  {times} {why}");
        }
        wrong.extend(count.wrong.iter().cloned());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
