//! What stands and what does not, each in a scene of its own: slides, pivots, tiptoe, boxes, jumps, hands.

use crate::common;
use crate::generator;
use crate::generator::body::sign;
use crate::generator::curve::Curve;
use crate::generator::foot::{FootPlan, Roll, Span, Stance, Swing};
use crate::generator::motion::{Gait, Motion, Trunk};
use crate::generator::rig::Rig as Style;
use retarget::internals::clip::Clip;
use retarget::internals::contact::{self, ContactSettings, ContactTrack, Limb, Part};
use retarget::internals::convert::{self, SourceClip};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::rig::{FootId, Rig, RigFile, Role, Side};

/// Frame times of 24, 60 and 240 frames a second, as files write them.
const FRAME_TIMES: [&str; 3] = ["0.041667", "0.016667", "0.004167"];

const LEFT: usize = 0;
const RIGHT: usize = 1;

/// A foot that is flat on the floor at these places from and to these times.
fn flat(side: Side, height: f64, ahead: f64, span: Span) -> Stance {
    Stance {
        place: Vec3::new(sign(side) * 0.12, height, ahead),
        yaw: 0.0,
        heel: span,
        ball: span,
        landing: Roll::FLAT,
        leaving: Roll::FLAT,
        pivot: 0.0,
        tucked: None,
    }
}

fn swing(lift: f64) -> Swing {
    Swing { lift, peak: 0.5, launch: [0.0, 0.0], brake: [0.0, 0.0] }
}

fn still(side: Side, duration: f64) -> FootPlan {
    FootPlan { stances: vec![flat(side, 0.0, 0.0, Span::new(0.0, duration))], swings: Vec::new() }
}

/// A body that stands upright on these feet.
fn scene(feet: [FootPlan; 2], hips: [Curve; 3], duration: f64) -> Motion {
    let zero = || Curve::constant(0.0);
    Motion {
        name: "scene",
        about: "",
        duration,
        feet,
        hips,
        trunk: Trunk {
            heading: zero(),
            pelvis_lean: zero(),
            chest_lean: zero(),
            head_lean: zero(),
            look: zero(),
            arm_swing: zero(),
            arm_spread: Curve::constant(0.2),
            elbow: Curve::constant(0.2),
        },
        gait: Gait::STILL,
        flights: Vec::new(),
        kneels: Vec::new(),
        reach: None,
        stair: Vec::new(),
    }
}

fn hips(height: f64) -> [Curve; 3] {
    [Curve::constant(0.0), Curve::constant(height), Curve::constant(0.0)]
}

/// A scene as a file shows it.
fn clip(motion: &Motion, frame_time: &'static str) -> Clip {
    let body = generator::sample_body();
    let style = generator::styles::styles(&body).remove(0);
    Style { frame_time, ..style }.clip(&body, motion)
}

/// What is found in a scene at a frame rate.
struct Found {
    track: ContactTrack,
    rig: Rig,
    frame_time_s: f64,
}

impl Found {
    fn new(motion: &Motion, frame_time: &'static str) -> Self {
        Self::in_clip(clip(motion, frame_time))
    }

    fn in_clip(clip: Clip) -> Self {
        let source = SourceClip::new("scene.bvh", clip);
        let rig = convert::source_rig(&source, RigFile::default()).expect("a body").rig;
        let paths = contact::foot_paths(&source.clip, &rig);
        let frame_time_s = source.clip.frame_time().seconds();
        let track = contact::detect(&paths, &rig, frame_time_s, &ContactSettings::default());
        assert!(track.fits());
        Self { track, rig, frame_time_s }
    }

    /// The share of a span of seconds in which a part stands.
    fn stands(&self, foot: usize, part: Part, [from, to]: [f64; 2]) -> f64 {
        let frames = |s: f64| ((s / self.frame_time_s).round() as usize).min(self.track.frames);
        let mask = &self.track.mask(FootId::new(foot), part)[frames(from)..frames(to)];
        mask.iter().filter(|stands| **stands).count() as f64 / mask.len() as f64
    }

    #[track_caller]
    fn always(&self, foot: usize, part: Part, span: [f64; 2]) {
        let share = self.stands(foot, part, span);
        assert!(share == 1.0, "{part:?} of foot {foot} in {span:?}: {share}, {}", self.reported());
    }

    #[track_caller]
    fn never(&self, foot: usize, part: Part, span: [f64; 2]) {
        let share = self.stands(foot, part, span);
        assert!(share == 0.0, "{part:?} of foot {foot} in {span:?}: {share}, {}", self.reported());
    }

    fn reported(&self) -> String {
        let contact = |c: &contact::Contact| {
            let s = |frame: usize| frame as f64 * self.frame_time_s;
            let (from, to) = (s(c.frames.start), s(c.frames.end));
            let slides = if c.slides { " slides" } else { "" };
            format!("{} {} {from:.2}-{to:.2}{slides}", c.foot.index(), c.part.word())
        };
        self.track.contacts.iter().map(contact).collect::<Vec<_>>().join("; ")
    }
}

/// The left foot is pushed ahead along the floor, flat, at 0.1 legs a second on average.
#[test]
fn a_foot_that_slides_does_not_stand() {
    let way = 0.1 * generator::sample_body().proportions.leg() * 1.6;
    let left = FootPlan {
        stances: vec![
            flat(Side::Left, 0.0, 0.0, Span::new(0.0, 2.0)),
            flat(Side::Left, 0.0, way, Span::new(3.6, 6.0)),
        ],
        swings: vec![swing(0.0)],
    };
    let motion = scene([left, still(Side::Right, 6.0)], hips(0.93), 6.0);
    for frame_time in FRAME_TIMES {
        let found = Found::new(&motion, frame_time);
        for part in Part::ALL {
            found.always(LEFT, part, [0.0, 1.9]);
            found.never(LEFT, part, [2.5, 3.1]);
            found.always(LEFT, part, [3.7, 6.0]);
            found.always(RIGHT, part, [0.0, 6.0]);
        }
        let slides =
            |c: &&contact::Contact| c.slides && c.frames.len() as f64 * found.frame_time_s > 0.6;
        let slide = found.track.of(FootId::new(LEFT), Part::Ball).find(slides);
        assert!(slide.is_some(), "it keeps to the floor all the while: {}", found.reported());
    }
}

/// A recorder that loses the body for a moment shows it here and there for a tenth of a second.
#[test]
fn a_foot_that_jerks_but_hardly_leaves_its_place_stands_all_the_while() {
    let motion = scene([still(Side::Left, 2.0), still(Side::Right, 2.0)], hips(0.93), 2.0);
    let jerked = |legs: f64| {
        let clip = clip(&motion, "0.016667");
        let away = Vec3::z() * (legs * Found::new(&motion, "0.016667").rig.leg_len);
        let mut out = Clip::new(clip.skeleton().clone(), clip.frame_time().clone());
        for frame in 0..clip.len() {
            let mut pose = clip.pose(frame);
            if (60..66).contains(&frame) {
                pose.translations[0] += if frame / 2 % 2 == 0 { away } else { -away };
            }
            out.push_pose(&pose);
        }
        Found::in_clip(out)
    };
    let [near, far] = [0.012, 0.025].map(jerked);
    for foot in [LEFT, RIGHT] {
        near.always(foot, Part::Ball, [0.0, 2.0]);
        assert!(far.stands(foot, Part::Ball, [0.9, 1.2]) < 1.0, "{}", far.reported());
    }
}

/// Filters leave such traces at the ends of a file: feet of somebody who stands drift by a hundredth of a leg.
#[test]
fn a_foot_that_settles_where_the_file_begins_and_ends_stands_from_the_first_frame_to_the_last() {
    let motion = scene([still(Side::Left, 2.0), still(Side::Right, 2.0)], hips(0.93), 2.0);
    for frame_time in FRAME_TIMES {
        let clip = clip(&motion, frame_time);
        let rig =
            convert::source_rig(&SourceClip::new("scene.bvh", clip.clone()), RigFile::default());
        let thigh = rig.expect("a body").rig.joint(Role::Thigh(Side::Right)).expect("a leg");
        let mut settling = Clip::new(clip.skeleton().clone(), clip.frame_time().clone());
        for frame in 0..clip.len() {
            let mut pose = clip.pose(frame);
            let from_end_s = frame.min(clip.len() - 1 - frame) as f64 * clip.frame_time().seconds();
            let off_rad = 0.01 * (1.0 - from_end_s / 0.1).max(0.0);
            pose.rotations[thigh.index()] *= Quat::from_scaled_axis(Vec3::z() * off_rad);
            settling.push_pose(&pose);
        }
        let found = Found::in_clip(settling);
        for part in Part::ALL {
            found.always(LEFT, part, [0.0, 2.0]);
            found.always(RIGHT, part, [0.0, 2.0]);
        }
    }
}

/// The left foot turns on its ball by 70°, its heel just off the floor.
#[test]
fn a_foot_that_pivots_stands_on_its_ball() {
    let span = Span::new(0.0, 2.0);
    let stance = Stance {
        heel: Span::new(0.0, 1.0),
        leaving: Roll::new(0.15, 0.0),
        pivot: 1.2,
        tucked: None,
        ..flat(Side::Left, 0.0, 0.0, span)
    };
    let left = FootPlan { stances: vec![stance], swings: Vec::new() };
    let motion = scene([left, still(Side::Right, 3.0)], hips(0.93), 3.0);
    for frame_time in FRAME_TIMES {
        let found = Found::new(&motion, frame_time);
        found.always(LEFT, Part::Ball, [0.0, 3.0]);
        found.always(LEFT, Part::Heel, [0.0, 0.95]);
        found.never(LEFT, Part::Heel, [1.3, 1.7]);
        found.never(LEFT, Part::Tip, [1.3, 1.7]);
    }
}

/// However high: by 3 cm as well as by 12.
#[test]
fn on_tiptoe_ball_and_tip_stand_and_the_heel_does_not() {
    for pitch in [0.2, 0.7] {
        tiptoe(pitch);
    }
}

fn tiptoe(pitch: f64) {
    let feet = Side::BOTH.map(|side| {
        let stance = Stance {
            heel: Span::new(0.0, 1.0),
            leaving: Roll::new(pitch, 0.0),
            ..flat(side, 0.0, 0.0, Span::new(0.0, 1.5))
        };
        FootPlan { stances: vec![stance], swings: Vec::new() }
    });
    let motion = scene(feet, hips(0.93), 3.0);
    for frame_time in FRAME_TIMES {
        let found = Found::new(&motion, frame_time);
        for foot in [LEFT, RIGHT] {
            found.always(foot, Part::Ball, [0.0, 3.0]);
            found.always(foot, Part::Tip, [0.0, 3.0]);
            found.always(foot, Part::Heel, [0.0, 0.95]);
            found.never(foot, Part::Heel, [1.2, 3.0]);
        }
    }
}

/// Both feet step onto a box, one after the other, and stand there.
#[test]
fn a_stair_or_a_box_of_any_height_is_a_floor() {
    let leg = generator::sample_body().proportions.leg();
    for height in [0.1, 0.2, 0.35, 0.5].map(|legs| legs * leg) {
        let step = |side: Side, leaves: f64, lands: f64| FootPlan {
            stances: vec![
                flat(side, 0.0, 0.0, Span::new(0.0, leaves)),
                flat(side, height, 0.3, Span::new(lands, 4.0)),
            ],
            swings: vec![swing(0.12)],
        };
        let feet = [step(Side::Left, 0.8, 1.4), step(Side::Right, 2.0, 2.6)];
        let up =
            Curve::easing(&[(0.8, 0.9), (2.0, (0.55 + height).min(0.86)), (2.8, 0.9 + height)]);
        let ahead = Curve::easing(&[(0.8, 0.0), (2.0, 0.28), (2.8, 0.3)]);
        let motion = scene(feet, [Curve::constant(0.0), up, ahead], 4.0);
        for frame_time in FRAME_TIMES {
            let found = Found::new(&motion, frame_time);
            for part in Part::ALL {
                found.always(LEFT, part, [1.45, 4.0]);
                found.always(RIGHT, part, [2.65, 4.0]);
                found.never(LEFT, part, [0.95, 1.25]);
                let on = found.track.of(FootId::new(RIGHT), part).last().expect("an interval");
                let off = (on.floor_height / found.rig.leg_len - height / leg).abs();
                assert!(off < 0.01, "{height}: on {}, {}", on.floor_height, found.reported());
            }
        }
    }
}

/// A jump straight up: both feet are slow at its top, and nothing carries.
#[test]
fn nothing_stands_at_the_top_of_a_jump() {
    for lift in [0.1, 0.25, 0.5] {
        let feet = Side::BOTH.map(|side| FootPlan {
            stances: vec![
                flat(side, 0.0, 0.0, Span::new(0.0, 1.0)),
                flat(side, 0.0, 0.0, Span::new(1.6, 3.0)),
            ],
            swings: vec![swing(lift)],
        });
        let up = Curve::easing(&[(1.0, 0.93), (1.3, 0.93 + lift), (1.6, 0.93)]);
        let motion = scene(feet, [Curve::constant(0.0), up, Curve::constant(0.0)], 3.0);
        for frame_time in FRAME_TIMES {
            let found = Found::new(&motion, frame_time);
            for (foot, part) in [LEFT, RIGHT].into_iter().flat_map(|f| Part::ALL.map(|p| (f, p))) {
                found.never(foot, part, [1.15, 1.45]);
                found.always(foot, part, [0.0, 0.9]);
                found.always(foot, part, [1.7, 3.0]);
            }
        }
    }
}

/// Where no motion says that a hand or a knee rests on the floor, none carries.
#[test]
fn hands_and_knees_carry_where_they_rest_on_the_floor_alone() {
    let mut rests = 0;
    for motion in &generator::motions() {
        let hands = motion.reach.iter().map(|reach| (Limb::Hand(reach.side), reach.hold));
        let knees = motion.kneels.iter().map(|kneel| (Limb::Knee(kneel.side), kneel.hold));
        let mut truth: Vec<(Limb, Span)> = hands.chain(knees).collect();
        truth.sort_by(|a, b| a.1.start.total_cmp(&b.1.start));
        for frame_time in FRAME_TIMES {
            let found = Found::new(motion, frame_time);
            let frame = found.frame_time_s;
            let mut limbs = found.track.limbs.clone();
            limbs.sort_by_key(|contact| contact.frames.start);
            let reported = limbs.iter().map(|c| c.limb).collect::<Vec<_>>();
            assert_eq!(reported, truth.iter().map(|(limb, _)| *limb).collect::<Vec<_>>());
            for (contact, (limb, hold)) in limbs.iter().zip(&truth) {
                let [from, to] =
                    [contact.frames.start, contact.frames.end].map(|f| f as f64 * frame);
                let what = format!("{}, {limb:?}, at {frame} s: {from} to {to}", motion.name);
                assert!(from < hold.start + frame && to > hold.end - frame, "{what}");
                assert!(from > hold.start - 0.15 && to < hold.end + 0.15, "{what}");
                rests += 1;
            }
        }
    }
    assert_eq!(rests, 3 * FRAME_TIMES.len());
}

/// Of all real clips one has a cartwheel and one a fall from which people get up again.
#[test]
fn hands_and_knees_carry_in_the_cartwheel_and_the_getting_up_alone() {
    let Some(dir) = common::mocap_dir() else { return };
    let mut rigs = 0;
    let mut leaning = Vec::new();
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(source) = convert::SourceClip::from_bytes(&name, &bytes) else { continue };
        let Ok(loaded) = convert::source_rig(&source, RigFile::default()) else { continue };
        let paths = contact::foot_paths(&source.clip, &loaded.rig);
        let frame_time_s = source.clip.frame_time().seconds();
        let settings = ContactSettings::default();
        let track = contact::detect(&paths, &loaded.rig, frame_time_s, &settings);
        rigs += 1;
        if !track.limbs.is_empty() {
            leaning.push((name, track));
        }
    }
    assert!(rigs > 30, "{rigs} clips with a rig");
    let names: Vec<&str> = leaning.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["asf_femur21_inch/cartwheel_clean.bvh", "lafan1/fall_getup.bvh"]);
    // Left hand, then right hand, and the feet are off the floor while both carry.
    let [left, right] = &leaning[0].1.limbs[..] else { panic!("{:?}", leaning[0].1.limbs) };
    assert_eq!([left.limb, right.limb], Side::BOTH.map(Limb::Hand));
    assert!(left.frames.start < right.frames.start && left.frames.end < right.frames.end);
    let both = right.frames.start..left.frames.end;
    assert!(!both.is_empty());
    let feet = leaning[0].1.contacts.iter();
    assert!(feet.clone().all(|c| c.frames.end <= both.start || c.frames.start >= both.end));
}
