//! Why a number misses what is good: what acted on its worst joint in its worst frame, as `retarget explain` tells it.

use crate::text;
use retarget::Vec3;
use retarget::internals::contact::{Limb, Part};
use retarget::internals::convert::{self, Conversion, Explanation, FootStory, SourceClip};
use retarget::internals::plant::{HandMove, MissReason};
use retarget::internals::pose::WorldPose;
use retarget::internals::report::{LEG_CM, Number};
use retarget::internals::rig::{Foot, Rig, Role, Side, UpAxis};
use retarget::internals::skeleton::JointId;

/// What is not worth telling: shorter ways, and stands that are farther off in time.
const SMALL_CM: f64 = 0.05;
const SOON_S: f64 = 0.3;

/// A copy that differs by no more than this share has the same.
const SAME: f64 = 0.05;

/// A result of a clip, and the same with the rotations copied.
pub struct Case<'a> {
    pub source: &'a SourceClip,
    pub planted: &'a Conversion,
    pub copied: &'a Conversion,
}

/// Which part of the body a joint belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Leg(Side),
    Arm(Side),
    Trunk,
}

impl Place {
    fn of(role: Role) -> Self {
        match role {
            Role::Thigh(side) | Role::Shin(side) | Role::Foot(side) | Role::Toe(side) => {
                Place::Leg(side)
            }
            _ => role.side().map_or(Place::Trunk, Place::Arm),
        }
    }

    /// Of a joint without a part, that of the one that carries it.
    fn of_joint(rig: &Rig, joint: JointId) -> Self {
        let mut above = std::iter::once(joint).chain(rig.skeleton.ancestors(joint));
        above.find_map(|id| rig.roles.role(id)).map_or(Place::Trunk, Place::of)
    }
}

impl Case<'_> {
    /// What acted where a number is worst, in a few words.
    pub fn reason(&self, number: &Number) -> String {
        let (measure, copied) = (number.of(&self.planted.report), number.of(&self.copied.report));
        let is_same = (copied.value - measure.value).abs() <= SAME * measure.value;
        let mut words = Vec::new();
        if is_same || copied.value > number.threshold {
            words.push(format!("copied has {}", text(copied.value)));
        }
        let rig = &self.planted.binding.target;
        let joint = rig.skeleton.find(&measure.joint);
        let story = convert::explain(self.source, self.planted, measure.frame);
        if let (false, Some(joint), Some(story)) = (is_same, joint, story) {
            let place = Place::of_joint(rig, joint);
            match place {
                Place::Leg(side) => words.extend(self.leg(&story, side)),
                Place::Arm(side) => words.extend(self.arm(&story, side)),
                Place::Trunk => {}
            }
            words.extend(self.held_back(&story, place));
            words.extend(self.body(&story));
        }
        if words.is_empty() { "nothing acts there".to_owned() } else { words.join(", ") }
    }

    /// Centimetres of a body with legs of 90 cm.
    fn cm(&self, len: f64) -> f64 {
        len * LEG_CM / self.planted.binding.target.leg_len
    }

    fn leg(&self, story: &Explanation, side: Side) -> Vec<String> {
        let (rig, frame) = (&self.planted.binding.target, story.frame);
        let is_it =
            |foot: &&FootStory| rig.roles.role(rig.foot(foot.foot).ankle) == Some(Role::Foot(side));
        let Some(foot) = story.feet.iter().find(is_it) else { return Vec::new() };
        let mut words = vec![format!("{} foot {}", side.word(), self.phase(foot, frame))];
        let knee = story.leans.iter().find(|lean| lean.stands.limb == Limb::Knee(side));
        words.extend(knee.map(|_| "its knee on the floor".to_owned()));
        let offset = story.body.map_or(Vec3::zeros(), |body| body.offset);
        let moved_cm = self.cm((foot.moved - offset).norm());
        if moved_cm > SMALL_CM {
            words.push(format!("moved {} cm against the body", text(moved_cm)));
        }
        if let Some([_, bend_rad]) = foot.knee_rad {
            words.push(format!("knee at {:.0}°", 180.0 - bend_rad.to_degrees()));
        }
        if let Some(miss) = &foot.miss {
            words.push(self.missed(miss.reason, miss.distance_len));
        }
        let missed = knee.and_then(|knee| knee.miss);
        words.extend(
            missed.map(|miss| "knee ".to_owned() + &self.missed(miss.reason, miss.distance_len)),
        );
        words.extend(self.own_sole(foot, frame));
        words
    }

    /// Whether a foot stands, and if not, when it did or will.
    fn phase(&self, foot: &FootStory, frame: usize) -> String {
        let stands = |part: Part| foot.stands.iter().any(|contact| contact.part == part);
        match [Part::Heel, Part::Ball, Part::Tip].map(stands) {
            [true, true, _] if foot.stands.iter().any(|contact| contact.slides) => "slides".into(),
            [true, true, _] => "stands".into(),
            [true, false, _] => "on its heel".into(),
            [false, true, _] => "on its ball".into(),
            [false, false, true] => "on its toes".into(),
            [false, false, false] => {
                let done = self.planted;
                let frame_s = done.result.frame_time().seconds();
                let own = done.binding.source_foot(foot.foot);
                let own =
                    |contact: &&retarget::internals::contact::Contact| Some(contact.foot) == own;
                let stays = || done.contacts.contacts.iter().filter(own).map(|c| &c.frames);
                let since = stays().filter_map(|stay| frame.checked_sub(stay.end)).min();
                let until = stays().filter_map(|stay| stay.start.checked_sub(frame)).min();
                let [since_s, until_s] = [since.map(|frames| frames + 1), until]
                    .map(|frames| frames.map_or(f64::INFINITY, |frames| frames as f64 * frame_s));
                match since_s.min(until_s) < SOON_S {
                    true if until_s < since_s => format!("lands in {} s", text(until_s)),
                    true => format!("left the floor {} s ago", text(since_s)),
                    false => "in the air".into(),
                }
            }
        }
    }

    /// How far the source's own sole is off the floor that it stands on.
    fn own_sole(&self, foot: &FootStory, frame: usize) -> Option<String> {
        let binding = &self.planted.binding;
        let (rig, contact) = (&binding.source, foot.stands.first()?);
        let world = WorldPose::of(&rig.skeleton, &self.source.clip.pose(frame));
        let over = lowest(rig.foot(contact.foot), &world, rig.up) - contact.floor_height;
        let over_cm = over * LEG_CM / rig.leg_len;
        let side = if over_cm > 0.0 { "over" } else { "under" };
        let told = format!("source's own sole {} cm {side} the floor", text(over_cm.abs()));
        (over_cm.abs() > 2.0 * SMALL_CM).then_some(told)
    }

    /// What a hand has to do with, in the frame or soon before or after it.
    fn arm(&self, story: &Explanation, side: Side) -> Vec<String> {
        let own = self.planted.plant.hands.iter().find(|(of, _)| *of == side);
        let Some((_, moves)) = own else { return Vec::new() };
        let frame_s = self.planted.result.frame_time().seconds();
        let held = |frame: &usize| !touches(&moves[*frame]).is_empty();
        let since = (0..=story.frame).rev().find(held).map(|frame| story.frame - frame);
        let until = (story.frame..moves.len()).find(held).map(|frame| frame - story.frame);
        let (frame, when) = match (since, until) {
            (Some(0), _) => (story.frame, String::new()),
            (Some(since), until) if until.is_none_or(|until| since <= until) => {
                (story.frame - since, format!(" {} s before", text(since as f64 * frame_s)))
            }
            (_, Some(until)) => {
                (story.frame + until, format!(" {} s later", text(until as f64 * frame_s)))
            }
            (_, None) => return Vec::new(),
        };
        if frame.abs_diff(story.frame) as f64 * frame_s > SOON_S {
            return Vec::new();
        }
        let mut words =
            vec![format!("{} hand {}{when}", side.word(), touches(&moves[frame]).join(" and "))];
        let miss = story.hands.iter().find(|hand| hand.side == side).and_then(|hand| hand.miss);
        words.extend(miss.map(|miss| self.missed(miss.reason, miss.distance_len)));
        words
    }

    fn missed(&self, reason: MissReason, distance_len: f64) -> String {
        let cm = text(self.cm(distance_len));
        match (reason, reason.why_let_go()) {
            (_, Some(why)) => format!("lets go of the floor by {cm} cm, {why}"),
            (MissReason::OutOfReach, _) => format!("out of reach by {cm} cm"),
            _ => format!("held off its place by {cm} cm"),
        }
    }

    /// The limits that held back a joint of a part of the body.
    fn held_back(&self, story: &Explanation, place: Place) -> Vec<String> {
        let rig = &self.planted.binding.target;
        let own = story.held_back.iter().filter(|held| Place::of_joint(rig, held.joint) == place);
        let word = |role: Role| format!("limit of the {}", role.to_string().replace('_', " "));
        own.filter_map(|held| rig.roles.role(held.joint)).map(word).collect()
    }

    /// How the body as a whole was moved.
    fn body(&self, story: &Explanation) -> Option<String> {
        let body = story.body?;
        let [drop_cm, moved_cm] = [body.drop_len, body.offset.norm()].map(|len| self.cm(len));
        match drop_cm > SMALL_CM {
            true => Some(format!("body down {} cm", text(drop_cm))),
            false => (moved_cm > SMALL_CM).then(|| format!("body moved {} cm", text(moved_cm))),
        }
    }
}

/// What a hand has to do with in a frame.
fn touches(hand: &HandMove) -> Vec<String> {
    let part = hand.part.map_or("body".to_owned(), |part| part.to_string());
    let places = [
        (hand.floor, "the floor".to_owned()),
        (hand.other_hand, "the other hand".to_owned()),
        (hand.body, format!("the {part}")),
    ];
    let touch = |(weight, what): (f64, String)| match weight {
        weight if weight > 0.999 => Some(format!("on {what}")),
        weight => (weight > 0.0).then(|| format!("near {what}")),
    };
    let aside = hand.aside_len > 0.0 || hand.swivel_rad != 0.0;
    places
        .into_iter()
        .filter_map(touch)
        .chain(aside.then(|| "kept out of the trunk".into()))
        .collect()
}

fn lowest(foot: &Foot, world: &WorldPose, up: UpAxis) -> f64 {
    foot.bottom(foot.sole_world(world), up)
}
