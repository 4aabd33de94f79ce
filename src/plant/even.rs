//! Makes legs turn and bend evenly in the swing phase.
//!
//! A correction that is smooth in the position of a foot is not smooth in its leg: on a nearly straight leg a
//! millimetre is degrees of the knee, and beside the hip a centimetre turns the whole leg. So the correction is
//! smoothed as angles, and an angle has less weight the less the foot moves for it.

use super::contact_interval::evenly_away;
use super::reach::unfolded;
use crate::binding::HingedLimb;
use crate::math::{BandSystem, Quat, Vec3, curve, rejection, rotation_between};
use std::f64::consts::PI;

/// The least weight of a rotation of a limb or its middle joint, however little its end moves for it. A rotation of a
/// straight limb about its top has the weight 1.
const LEAST_WEIGHT: f64 = 0.03;

/// A bend has the weight of a movement of the end so many times as far, since it changes the direction of both bones.
pub(super) const BEND: f64 = 4.0;

/// Smoothing makes a limb no straighter than this (2°), radians. A limb that was transferred straighter and hardly
/// changes stays so.
const LEAST_BEND_RAD: f64 = 0.03;

/// How much a limb that is asked to fold too far keeps of its transferred direction.
const KEPT: f64 = 3.0;

/// How far to its own side of the first bone the second bone of a nearly folded limb stays, and from where on it goes there
/// less and less, as shares of its distance from that bone.
const SIDE: [f64; 2] = [0.3, 0.6];

/// The share of the range over which a limb folds less and less in which its second bone does, where the first stays.
const LOWER_FOLDING: f64 = 0.35;

/// The two bones of a limb: converts between their bend and the distance of the limb's ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoBones {
    pub lens: [f64; 2],
    /// The least distance of the ends, and the distance below which the limb folds less and less. A limb that was
    /// nearer may stay so.
    pub folded_lens: [f64; 2],
}

/// How a limb whose end may give way is bent in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bent {
    pub bend_rad: f64,
    /// How much farther it is bent than transferred.
    pub farther_rad: f64,
    /// The weight of a change of the distance of its ends by the limb's length; infinite where the end cannot give way.
    pub weight: f64,
}

/// The weight of an end that cannot give way, against the unevenness of the bend.
const HELD: f64 = 1e6;

/// A limb that is straighter than this (6°), radians, counts as bent so far as its end gives way: the slope at a straight
/// one is infinite.
const LEAST_GIVING_RAD: f64 = 0.1;

/// No limb whose end gives way is bent farther, radians.
const MOST_GIVING_RAD: f64 = 3.0;

/// A limb folds less and less over the last 15° of its middle joint's range, radians.
pub(super) const FOLDING_RAD: f64 = 0.26;

impl TwoBones {
    /// From a limb whose middle joint is a hinge.
    pub fn of_hinge(limb: &HingedLimb) -> Self {
        Self { lens: limb.lens(), folded_lens: limb.folded_lens(FOLDING_RAD) }
    }

    pub fn len(&self) -> f64 {
        self.lens[0] + self.lens[1]
    }

    /// The bend between the bones at this distance of the ends, radians; 0 if one of the bones has no length.
    pub fn bend_rad(&self, distance: f64) -> f64 {
        let [a, b] = self.lens;
        if a * b == 0.0 {
            return 0.0;
        }
        let cos = (distance * distance - a * a - b * b) / (2.0 * a * b);
        cos.clamp(-1.0, 1.0).acos()
    }

    /// The distance of the ends at this bend.
    pub fn span(&self, bend_rad: f64) -> f64 {
        let [a, b] = self.lens;
        (a * a + b * b + 2.0 * a * b * bend_rad.cos()).max(0.0).sqrt()
    }

    /// The vector from the top to the end of the limb for a `wanted` vector; `was` is the transferred one. A nearly
    /// folded limb follows less and less. Near the top the direction of `wanted` changes quickly, since the end passes
    /// beside the top, so the limb keeps more of its transferred direction.
    pub fn reached(&self, was: Vec3, wanted: Vec3) -> Vec3 {
        let distance = wanted.norm();
        let [least, soft] = self.folded_lens.map(|folded| folded.min(was.norm()));
        if distance >= soft {
            return wanted;
        }
        let short = soft - distance;
        let kept = was.try_normalize(1e-300).unwrap_or_default() * (KEPT * short * short / soft);
        let along = (wanted + kept).try_normalize(1e-300).unwrap_or_default();
        along * unfolded(distance, least, soft)
    }

    /// The second bone, from the middle joint, for a `wanted` one, where the first leads `back` from there to the top. A
    /// nearly folded limb folds less and less, and its second bone does not pass beside the first to another side than
    /// that on which it `was`.
    pub fn unfolded_lower(&self, back: Vec3, was: Vec3, wanted: Vec3) -> Vec3 {
        let Some(back) = back.try_normalize(1e-300) else { return wanted };
        let folded = self.folded_lens.map(|len| PI - self.bend_rad(len));
        let [least, soft] = folded.map(|angle| angle.min(back.angle(&was)));
        let angle = back.angle(&wanted);
        if angle >= 2.0 * soft {
            return wanted;
        }
        let beside = |way: Vec3| rejection(way, back) / way.norm().max(1e-300);
        let side = beside(was).try_normalize(1e-9).unwrap_or_default();
        let (aside, near) = (beside(wanted), curve::ramp(angle, 2.0 * soft, soft));
        let [far, soft_far] = SIDE.map(|side| angle.max(soft).sin() * (near * (1.0 + side) - 1.0));
        let along = aside.dot(&side);
        let aside = aside + side * (unfolded(along, far, soft_far) - along);
        let Some(aside) = aside.try_normalize(1e-300) else { return wanted };
        let nearly = least + LOWER_FOLDING * (soft - least);
        let (sin, cos) = unfolded(angle, least, nearly).sin_cos();
        (back * cos + aside * sin) * wanted.norm()
    }

    /// How much farther than transferred, `was`, a limb is bent in each frame (radians), made as even as possible. A bend that
    /// was to the other side is negative. `held` frames stay. A straight limb does not follow changes that are shorter than
    /// `time` (frames).
    pub fn evenly_farther(&self, was: &[f64], bends: &[f64], held: &[bool], time: f64) -> Vec<f64> {
        let len = self.len().max(1e-300);
        let weights = bends.iter().map(|bend| (BEND * self.span_by_bend(*bend) / len).powi(2));
        let weights: Vec<f64> = weights.map(|weight| weight.max(LEAST_WEIGHT)).collect();
        let mut farther: Vec<f64> = bends.iter().zip(was).map(|(bend, was)| bend - was).collect();
        curve::even(&mut farther, &weights, held, time.powi(4));
        farther
    }

    /// How much farther apart the ends of a limb come in each frame so that it bends evenly against the transferred one.
    /// A straight limb does not follow changes that are shorter than `time` (frames).
    ///
    /// The changes minimise the sum of the squares of the bend's unevenness, of the changes, and of their unevenness. As far
    /// as they bend the limb they are exact, at any size. Takes some 0.2 µs a frame.
    pub(super) fn give_way(&self, bent: &[Bent], time: f64) -> Vec<f64> {
        let stiffness = time.powi(4);
        let slope = |bent: &Bent| {
            self.len()
                / self.span_by_bend(bent.bend_rad.max(LEAST_GIVING_RAD)).max(f64::MIN_POSITIVE)
        };
        let slopes: Vec<f64> = bent.iter().map(slope).collect();
        let mut system = BandSystem::<2>::default();
        system.restart(bent.len());
        for (f, bent) in bent.iter().enumerate() {
            system.add::<1, 1>(bent.weight.min(HELD * stiffness.max(1.0)), f, &[1.0], 0.0);
        }
        for (first, (bent, slopes)) in bent.windows(3).zip(slopes.windows(3)).enumerate() {
            let uneven = bent[0].farther_rad - 2.0 * bent[1].farther_rad + bent[2].farther_rad;
            let bends = [slopes[0], -2.0 * slopes[1], slopes[2]];
            system.add::<1, 3>(stiffness, first, &bends, uneven);
            system.add::<1, 3>(BEND * BEND * stiffness, first, &[1.0, -2.0, 1.0], 0.0);
        }
        let farther_len = |((bent, slope), by): ((&Bent, &f64), &f64)| {
            let bend_rad = (bent.bend_rad - slope * by).clamp(0.0, MOST_GIVING_RAD);
            self.span(bend_rad) - self.span(bent.bend_rad)
        };
        bent.iter().zip(&slopes).zip(system.solve()).map(farther_len).collect()
    }

    /// The decrease of the ends' distance for an increase of the bend: its derivative.
    pub fn span_by_bend(&self, bend_rad: f64) -> f64 {
        let [a, b] = self.lens;
        a * b * bend_rad.sin() / self.span(bend_rad).max(1e-9 * self.len())
    }

    /// Makes the `ways` of a limb (vectors from its top to its end, one for each frame) turn and bend as evenly as
    /// possible against the transferred ones.
    ///
    /// `held` frames stay, and the others continue from them. A straight limb does not follow changes of its goal that
    /// are shorter than `time` (frames); the less the limb's end moves, the longer this time. `sides` returns the share of
    /// each transferred bend that is to the side to which the limb will be bent, from -1 to 1.
    ///
    /// Least squares; some 0.2 µs a frame.
    pub fn even(
        &self,
        transferred: &[Vec3],
        sides: impl Fn(usize) -> f64,
        ways: &mut [Vec3],
        held: &[bool],
        time: f64,
    ) {
        let len = self.len();
        if len == 0.0 {
            return;
        }
        let stiffness = time.powi(4);
        let even = |mut values: Vec<f64>, weights: &[f64]| {
            curve::even(&mut values, weights, held, stiffness);
            values
        };
        for i in (0..ways.len()).filter(|&i| !held[i]) {
            ways[i] = self.reached(transferred[i], ways[i]);
        }
        let by_ways = transferred.iter().zip(&*ways);
        let turns: Vec<Vec3> =
            by_ways.map(|(was, way)| rotation_between(*was, *way).scaled_axis()).collect();
        let weights = ways.iter().map(|way| (way.norm() / len).powi(2).max(LEAST_WEIGHT));
        let weights: Vec<f64> = weights.collect();
        let even_turns =
            [0, 1, 2].map(|axis| even(turns.iter().map(|turn| turn[axis]).collect(), &weights));
        let bends: Vec<f64> = ways.iter().map(|way| self.bend_rad(way.norm())).collect();
        let was_bends: Vec<f64> = transferred.iter().map(|was| self.bend_rad(was.norm())).collect();
        let sided_bends: Vec<f64> =
            was_bends.iter().enumerate().map(|(i, was)| was * sides(i)).collect();
        let even_farther = self.evenly_farther(&sided_bends, &bends, held, time);
        let least =
            |(was, farther): (&f64, &f64)| (0.5 * was + 2.0 * farther.abs()).min(LEAST_BEND_RAD);
        let least: Vec<f64> = was_bends.iter().zip(&even_farther).map(least).collect();
        let even_bends = sided_bends.iter().zip(even_farther).map(|(was, farther)| was + farther);
        let even_bends = bent_enough(even_bends.collect(), &least, held, time);
        for i in (0..ways.len()).filter(|&i| !held[i]) {
            let Some(along) = transferred[i].try_normalize(1e-9 * len) else { continue };
            let turn = Quat::from_scaled_axis(Vec3::from_fn(|axis, _| even_turns[axis][i]));
            // A vector that is too long stays too long by the same length.
            let over = ways[i].norm() - self.span(bends[i]);
            ways[i] = turn * along * (self.span(even_bends[i].max(0.0)) + over);
        }
    }
}

/// The bends of a limb in frames after each other, but nowhere less than `least`, radians. `held` frames stay.
///
/// What is added comes and goes over about `time` (frames). Added where it is needed alone, it would keep a limb straight that
/// begins to bend fast, and let it catch up within a frame.
fn bent_enough(mut bends: Vec<f64>, least: &[f64], held: &[bool], time: f64) -> Vec<f64> {
    let lacking = |((bend, least), held): ((&f64, &f64), &bool)| match held {
        true => 0.0,
        false => no_straighter(*bend, *least) - bend,
    };
    let lacking: Vec<f64> = bends.iter().zip(least).zip(held).map(lacking).collect();
    let radius = (0.5 * time).round() as usize;
    let eased = curve::envelope(&lacking, radius);
    let away = evenly_away(held);
    for (f, bend) in bends.iter_mut().enumerate() {
        // An envelope reaches so far.
        let free = curve::ramp(away[f], 0.0, (2 * radius + 1) as f64);
        *bend += lacking[f] + (eased[f] - lacking[f]) * free;
    }
    bends
}

/// The bend, but never less than `least`. From twice `least` on it is unchanged, and the curve has no corner.
fn no_straighter(bend_rad: f64, least: f64) -> f64 {
    let over = bend_rad - 2.0 * least;
    if over < 0.0 && least > 0.0 { least + least * (over / least).exp() } else { bend_rad }
}

/// The distance of a knee or elbow from the line between the ends of its limb, in lengths of the limb, below which its
/// direction counts by less and less.
const STRAIGHT_SINE: f64 = 0.05;

/// How far a knee or elbow turns about the line between the ends of its limb, which is `line`, from `beside` that line to
/// where it is on an `even` way; radians. It turns the more the larger the part of its distance that is `farther` than
/// transferred, by somewhat more than that part: what the transferred limb shows of the direction is noise there.
pub(super) fn swivel_rad(line: Vec3, beside: Vec3, even: Vec3, farther: f64, limb: f64) -> f64 {
    let share = farther.max(0.0) / (beside.norm() + STRAIGHT_SINE * limb).max(1e-300);
    let share = share * (1.0 + share * (1.0 - share));
    let turn_rad = line.dot(&beside.cross(&even)).atan2(beside.dot(&even));
    // Half a turn is the same both ways round.
    turn_rad * share * curve::ramp(turn_rad.abs(), PI, 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bend_stays_over_its_least_without_a_corner() {
        let bends: Vec<f64> = (-300..300).map(|i| no_straighter(0.001 * i as f64, 0.03)).collect();
        assert!(bends.iter().all(|bend| *bend >= 0.03));
        assert_eq!(no_straighter(0.07, 0.03), 0.07);
        let turns = bends.windows(3).map(|b| (b[2] - 2.0 * b[1] + b[0]).abs());
        assert!(turns.fold(0.0, f64::max) < 0.0001);
    }

    #[test]
    fn a_straight_limb_that_begins_to_bend_fast_breaks_no_more_than_it_did_for_being_asked_to_be_straighter()
     {
        // It bends by 0.25 rad within eight frames, as a knee on which somebody lands, and is asked for 0.09 rad less.
        let was: Vec<f64> = (0..60).map(|f| 0.25 * curve::ramp(f64::from(f), 28.0, 36.0)).collect();
        let asked: Vec<f64> = was.iter().map(|was| was - 0.09).collect();
        let broken = |bends: &[f64]| {
            let breaks = bends.windows(3).map(|b| (b[2] - 2.0 * b[1] + b[0]).abs());
            breaks.fold(0.0, f64::max)
        };
        let least = [LEAST_BEND_RAD; 60];
        let bends = bent_enough(asked.clone(), &least, &[false; 60], 9.0);
        assert!(bends.iter().all(|bend| *bend >= LEAST_BEND_RAD));
        assert!(broken(&bends) < 1.1 * broken(&was), "{} {}", broken(&bends), broken(&was));
        // Beside frames that stay, hardly more is added than it lacks there.
        let held: Vec<bool> = (0..60).map(|f| f > 33).collect();
        let bends = bent_enough(asked.clone(), &least, &held, 9.0);
        assert_eq!(bends[34..], asked[34..]);
        let lacks = |f: usize| no_straighter(asked[f], LEAST_BEND_RAD) - asked[f];
        let more = bends[33] - asked[33] - lacks(33);
        assert!(more < 0.05 * lacks(0), "{more} of {}", lacks(0));
    }

    /// The largest second difference of the directions of these ways.
    fn broken(ways: &[Vec3]) -> f64 {
        let along: Vec<Vec3> = ways.iter().map(|way| way.normalize()).collect();
        along.windows(3).map(|w| (w[2] - w[1] * 2.0 + w[0]).norm()).fold(0.0, f64::max)
    }

    #[test]
    fn a_foot_that_passes_beside_its_hip_does_not_whirl_its_leg_about() {
        let limb = TwoBones { lens: [0.5, 0.5], folded_lens: [0.3, 0.38] };
        let transferred = vec![Vec3::new(0.0, -0.4, 0.1); 60];
        let passing = |i: usize| Vec3::new(0.02, -0.02, 0.02 * (i as f64 - 29.5));
        let wanted: Vec<Vec3> = (0..60).map(passing).collect();
        let held: Vec<bool> = (0..60).map(|i| !(10..50).contains(&i)).collect();
        let mut ways = wanted.clone();
        limb.even(&transferred, |_| 1.0, &mut ways, &held, 8.0);
        assert!(broken(&wanted) > 0.3 && broken(&ways[10..50]) < 0.05, "{}", broken(&ways[10..50]));
        assert!((0..60).all(|i| !held[i] || ways[i] == wanted[i]), "what is held stays");
    }

    #[test]
    fn a_limb_that_is_folded_too_far_keeps_the_direction_that_it_had() {
        let limb = TwoBones { lens: [0.5, 0.5], folded_lens: [0.3, 0.38] };
        let was = Vec3::new(0.1, -0.5, 0.2);
        assert_eq!(limb.reached(was, was), was, "asked for nothing");
        let far = Vec3::new(0.3, 0.2, -0.2);
        assert_eq!(limb.reached(was, far), far, "not folded");
        for wanted in [Vec3::zeros(), Vec3::x() * 1e-6, -Vec3::x() * 1e-6, Vec3::z() * 1e-6] {
            let way = limb.reached(was, wanted);
            assert!(way.norm() >= 0.3 && way.angle(&was) < 1e-4, "{wanted} led to {way}");
        }
        // An end that passes beside the top, 2 cm from it, which is a hundredth of a limb a step.
        let passing = |i: i32| Vec3::new(0.02, 0.0, 0.01 * f64::from(i));
        let ways: Vec<Vec3> = (-60..60).map(|i| limb.reached(was, passing(i))).collect();
        let passed: Vec<Vec3> = (-60..60).map(passing).collect();
        assert!(broken(&passed) > 0.1 && broken(&ways) < 0.02, "{}", broken(&ways));
    }

    #[test]
    fn a_shin_folds_no_farther_than_its_knee_and_stays_on_its_side() {
        let limb = TwoBones { lens: [0.5, 0.5], folded_lens: [0.3, 0.38] };
        let (back, was) = (Vec3::y() * 0.5, Vec3::new(0.4, 0.3, 0.0));
        let lower = |wanted: Vec3| limb.unfolded_lower(back, was, wanted);
        let bent = Vec3::new(0.5, -0.1, 0.1).normalize() * 0.5;
        assert_eq!(lower(bent), bent, "a knee that bends by little more than a quarter turn");
        // A foot that is raised over its knee, on a path that passes beside the thigh to its other side.
        let passing = |i: i32| Vec3::new(-0.01 * f64::from(i), 0.45, 0.06).normalize() * 0.5;
        let raised: Vec<Vec3> = (-40..20).map(|i| lower(passing(i))).collect();
        for shin in &raised {
            assert!((shin.norm() - 0.5).abs() < 1e-12 && shin.x > 0.0, "{shin}");
            assert!((back - shin).norm() >= 0.3 - 1e-9, "{shin}");
        }
        let turns = raised.windows(2).map(|w| w[0].angle(&w[1])).fold(0.0, f64::max);
        assert!(turns < 0.12, "{turns} a step, of a path of 0.02 a step");
    }

    #[test]
    fn a_knee_that_passes_backwards_through_straight_bends_evenly() {
        let limb = TwoBones { lens: [0.5, 0.5], folded_lens: [0.3, 0.38] };
        // Bent forwards, then for a moment backwards by up to 6°; the result is bent by 17° and more throughout.
        let was: Vec<f64> = (0..60).map(|i| 0.05 + 0.15 * (0.2 * f64::from(i)).sin()).collect();
        let held = [false; 60];
        let broken = |was: &[f64]| {
            let bends: Vec<f64> = was.iter().map(|was| 0.3 + 0.5 * was.abs()).collect();
            let farther = limb.evenly_farther(was, &bends, &held, 3.0);
            let even: Vec<f64> = was.iter().zip(farther).map(|(was, by)| was + by).collect();
            even.windows(3).map(|b| (b[2] - 2.0 * b[1] + b[0]).abs()).fold(0.0, f64::max)
        };
        let unsigned: Vec<f64> = was.iter().map(|was| was.abs()).collect();
        assert!(3.0 * broken(&was) < broken(&unsigned), "{} {}", broken(&was), broken(&unsigned));
    }

    #[test]
    fn a_limb_that_goes_where_it_was_transferred_stays_there() {
        let limb = TwoBones { lens: [0.5, 0.4], folded_lens: [0.3, 0.35] };
        let way = |i: usize| Vec3::new(0.1, -0.85 + 0.5 * (0.2 * i as f64).sin().abs(), 0.1);
        let transferred: Vec<Vec3> = (0..60).map(way).collect();
        let mut ways = transferred.clone();
        limb.even(&transferred, |_| 1.0, &mut ways, &[false; 60], 8.0);
        for (way, was) in ways.iter().zip(&transferred) {
            assert!((way - was).norm() < 1e-9, "{way} of {was}");
        }
    }
}
