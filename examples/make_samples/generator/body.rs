//! The one body that all samples show: where its joints are while it stands in a T, in metres.
//!
//! Y is up, the body faces +Z, its left is +X, the floor is at 0 and both ankles are above z = 0.

use retarget::internals::rig::{Role, Side};
use retarget::{Quat, Vec3};

/// Lengths of a body in metres.
#[derive(Clone, Debug)]
pub struct Proportions {
    pub thigh: f64,
    pub shin: f64,
    /// Ankle over the sole.
    pub ankle: f64,
    /// Half the distance of the hip joints.
    pub hip: f64,
    /// The hips joint over the hip joints.
    pub pelvis: f64,
    /// The spine bones from the hips upwards.
    pub spine: [f64; 3],
    /// From the last spine joint to the neck.
    pub chest: f64,
    pub neck: f64,
    /// From the head joint to the crown.
    pub head: f64,
    /// Half the distance of the shoulder joints.
    pub shoulder: f64,
    pub upper_arm: f64,
    pub forearm: f64,
    /// From the wrist to the finger tips.
    pub hand: f64,
    /// How far the heel reaches behind the ankle.
    pub heel: f64,
    /// How far the ball lies ahead of the ankle.
    pub ball: f64,
    /// Toe joint over the sole.
    pub ball_height: f64,
    /// From the ball to the toe tip.
    pub toe: f64,
}

impl Proportions {
    /// An adult of 1.80 m. Leg and arm segments follow Drillis & Contini's fractions of the height
    /// (in Winter, Biomechanics and Motor Control of Human Movement, 4th ed., fig. 4.1), rounded.
    pub const ADULT: Self = Self {
        thigh: 0.45,
        shin: 0.44,
        ankle: 0.08,
        hip: 0.09,
        pelvis: 0.03,
        spine: [0.09, 0.12, 0.13],
        chest: 0.16,
        neck: 0.09,
        head: 0.21,
        shoulder: 0.19,
        upper_arm: 0.31,
        forearm: 0.26,
        hand: 0.18,
        heel: 0.055,
        ball: 0.13,
        ball_height: 0.015,
        toe: 0.07,
    };

    /// Thigh and shin together: the length that all bodies are compared by.
    pub fn leg(&self) -> f64 {
        self.thigh + self.shin
    }

    /// Height of the hips joint while standing straight.
    pub fn hips_height(&self) -> f64 {
        self.pelvis + self.leg() + self.ankle
    }

    /// The heel's sole point, seen from the ankle while the foot stands flat.
    pub fn heel_point(&self) -> Vec3 {
        Vec3::new(0.0, -self.ankle, -self.heel)
    }

    /// The ball's sole point, seen from the ankle while the foot stands flat.
    pub fn ball_point(&self) -> Vec3 {
        Vec3::new(0.0, -self.ankle, self.ball)
    }

    /// The toe joint, seen from the ankle while the foot stands flat.
    pub fn toe_joint(&self) -> Vec3 {
        self.ball_point() + Vec3::y() * self.ball_height
    }

    /// The toe tip's sole point, seen from the toe joint.
    pub fn tip_point(&self) -> Vec3 {
        Vec3::new(0.0, -self.ball_height, self.toe)
    }
}

/// One rigid part of a body and the joint that it starts at.
#[derive(Clone, Debug)]
pub struct Segment {
    pub role: Role,
    /// Place of the parent in the body's list.
    pub parent: Option<usize>,
    /// The joint while the body stands in a T.
    pub place: Vec3,
    /// Where the last bone of a limb ends, in the same stance.
    pub end: Option<Vec3>,
}

/// The parts of a body, parents before children, in depth-first order.
#[derive(Clone, Debug)]
pub struct Body {
    pub proportions: Proportions,
    pub segments: Vec<Segment>,
}

/// +1 for the left side, -1 for the right.
pub fn sign(side: Side) -> f64 {
    match side {
        Side::Left => 1.0,
        Side::Right => -1.0,
    }
}

impl Body {
    /// The body of these proportions.
    pub fn new(proportions: &Proportions) -> Self {
        let p = proportions.clone();
        let mut body = Self { proportions: p.clone(), segments: Vec::new() };
        let hips = Vec3::new(0.0, p.hips_height(), 0.0);
        body.add(Role::Hips, None, hips);
        for side in Side::BOTH {
            let hip = hips + Vec3::new(sign(side) * p.hip, -p.pelvis, 0.0);
            let knee = hip - Vec3::y() * p.thigh;
            let ankle = knee - Vec3::y() * p.shin;
            let toe = ankle + p.toe_joint();
            body.add(Role::Thigh(side), Some(Role::Hips), hip);
            body.add(Role::Shin(side), Some(Role::Thigh(side)), knee);
            body.add(Role::Foot(side), Some(Role::Shin(side)), ankle);
            body.add(Role::Toe(side), Some(Role::Foot(side)), toe);
            body.end(toe + p.tip_point());
        }
        // The trunk curves slightly, as a standing back does, in proportion to its length.
        let trunk: f64 = p.spine.iter().sum::<f64>() + p.chest;
        let mut place = hips;
        for (i, bend) in [-0.02, -0.02, 0.01].into_iter().enumerate() {
            place += Vec3::new(0.0, p.spine[i], bend * trunk);
            let parent = if i == 0 { Role::Hips } else { Role::Spine(i as u8) };
            body.add(Role::Spine(i as u8 + 1), Some(parent), place);
        }
        let chest = place;
        let neck = chest + Vec3::new(0.0, p.chest, -0.01 * trunk);
        let head = neck + Vec3::new(0.0, p.neck, 0.2 * p.neck);
        body.add(Role::Neck(1), Some(Role::Spine(3)), neck);
        body.add(Role::Head, Some(Role::Neck(1)), head);
        body.end(head + Vec3::y() * p.head);
        for side in Side::BOTH {
            let out = Vec3::x() * sign(side);
            let shoulder = chest + Vec3::new(0.0, 0.75 * p.chest, 0.0) + out * p.shoulder;
            let clavicle = shoulder - out * (p.shoulder - 0.15 * p.shoulder);
            let elbow = shoulder + out * p.upper_arm;
            let wrist = elbow + out * p.forearm;
            body.add(Role::Clavicle(side), Some(Role::Spine(3)), clavicle);
            body.add(Role::UpperArm(side), Some(Role::Clavicle(side)), shoulder);
            body.add(Role::Forearm(side), Some(Role::UpperArm(side)), elbow);
            body.add(Role::Hand(side), Some(Role::Forearm(side)), wrist);
            body.end(wrist + out * p.hand);
        }
        body
    }

    fn add(&mut self, role: Role, parent: Option<Role>, place: Vec3) {
        let parent = parent.map(|role| self.index(role));
        self.segments.push(Segment { role, parent, place, end: None });
    }

    fn end(&mut self, end: Vec3) {
        self.segments.last_mut().expect("an end follows its segment").end = Some(end);
    }

    /// Place of a role in the list of segments; every body has all of them.
    pub fn index(&self, role: Role) -> usize {
        self.segments.iter().position(|s| s.role == role).expect("every body has this role")
    }

    /// The joint of a role while the body stands in a T.
    pub fn place(&self, role: Role) -> Vec3 {
        self.segments[self.index(role)].place
    }
}

/// A posture of a body in the world.
#[derive(Clone, Debug)]
pub struct Posture {
    /// Turn of each segment away from the T, in the world.
    pub turns: Vec<Quat>,
    /// Place of each segment's joint, metres.
    pub places: Vec<Vec3>,
}

impl Posture {
    /// A posture with its joints placed by walking down the tree from the hips.
    pub fn new(body: &Body, hips: Vec3, turns: Vec<Quat>) -> Self {
        let mut places: Vec<Vec3> = Vec::with_capacity(turns.len());
        for segment in &body.segments {
            let place = match segment.parent {
                None => hips,
                Some(p) => places[p] + turns[p] * (segment.place - body.segments[p].place),
            };
            places.push(place);
        }
        Self { turns, places }
    }

    /// Where a point goes that belongs to a segment and is given as it lies in the T.
    pub fn point(&self, body: &Body, segment: usize, point: Vec3) -> Vec3 {
        self.places[segment] + self.turns[segment] * (point - body.segments[segment].place)
    }
}
