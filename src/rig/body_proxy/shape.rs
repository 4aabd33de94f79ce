//! A part of a body as a capsule, wider than deep where it is a trunk.

use crate::math::{Quat, Vec3, any_perpendicular, frame_from_axes, rejection, rotation_between};

/// A capsule from one end of a bone to the other, of an elliptic section that changes along it; world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    from: Vec3,
    /// Of unit length.
    axis: Vec3,
    len: f64,
    /// Towards the side at both ends, unit length, upright to the axis.
    across: [Vec3; 2],
    /// Half its breadth and half its depth at both ends.
    breadths: [f64; 2],
    depths: [f64; 2],
}

/// A place on, in or about a part, in shares of its sizes: the same on bodies of any build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Along the bone, 0 to 1.
    share: f64,
    /// Before its beginning or behind its end, sideways and ahead, in radii.
    beyond: f64,
    across: f64,
    ahead: f64,
}

/// The section at some share of the length.
struct Section {
    across: Vec3,
    ahead: Vec3,
    breadth: f64,
    depth: f64,
}

impl Shape {
    /// Between two ends; `across` towards the side at both need not be quite upright to the axis.
    pub fn new(ends: [Vec3; 2], across: [Vec3; 2], breadths: [f64; 2], depths: [f64; 2]) -> Self {
        let way = ends[1] - ends[0];
        let len = way.norm();
        let axis = way.try_normalize(1e-300).unwrap_or(Vec3::y());
        let upright = |v: Vec3| {
            let v = rejection(v, axis);
            v.try_normalize(1e-300).unwrap_or_else(|| any_perpendicular(axis))
        };
        Self { from: ends[0], axis, len, across: across.map(upright), breadths, depths }
    }

    /// From its first end to its last, unit length.
    pub fn axis(&self) -> Vec3 {
        self.axis
    }

    /// Its rotation in the world: x to the side, y along its axis, z ahead.
    pub fn rotation(&self) -> Quat {
        frame_from_axes(self.section(0.5).across, self.axis).unwrap_or_default()
    }

    /// Turned about its axis as another one is that `turn` brings into this world.
    pub fn rolled_as(mut self, other: &Shape, turn: Quat) -> Self {
        let over = rotation_between(turn * other.axis, self.axis) * turn;
        self.across = other.across.map(|across| over * across);
        self
    }

    fn section(&self, share: f64) -> Section {
        let between = |[a, b]: [f64; 2]| a + (b - a) * share;
        let across = self.across[0].lerp(&self.across[1], share);
        let across = across.try_normalize(1e-12).unwrap_or(self.across[0]);
        Section {
            across,
            ahead: across.cross(&self.axis),
            breadth: between(self.breadths),
            depth: between(self.depths),
        }
    }

    /// Where a point is on it.
    pub fn place(&self, point: Vec3) -> Place {
        let off = point - self.from;
        let along = off.dot(&self.axis);
        let share = if self.len > 0.0 { (along / self.len).clamp(0.0, 1.0) } else { 0.0 };
        let Section { across, ahead, breadth, depth } = self.section(share);
        let beyond = (along - share * self.len) / depth;
        Place { share, beyond, across: off.dot(&across) / breadth, ahead: off.dot(&ahead) / depth }
    }

    /// From the axis to a place.
    fn off_axis(&self, place: &Place) -> Vec3 {
        let Section { across, ahead, breadth, depth } = self.section(place.share);
        across * (place.across * breadth)
            + ahead * (place.ahead * depth)
            + self.axis * (place.beyond * depth)
    }

    /// The point at a place.
    pub fn point(&self, place: &Place) -> Vec3 {
        self.from + self.axis * (place.share * self.len) + self.off_axis(place)
    }

    /// How far a place is off the surface, to the first order; below 0 inside. Length units.
    pub fn distance(&self, place: &Place) -> f64 {
        let Section { breadth, depth, .. } = self.section(place.share);
        let radii = Vec3::new(place.across, place.ahead, place.beyond);
        let slope = Vec3::new(radii.x / breadth, radii.y / depth, radii.z / depth).norm();
        let off = radii.norm();
        if off > 1e-9 { (off - 1.0) * off / slope } else { -depth }
    }

    /// Whether the [distance](Self::distance) of a point may be less than this, or that of another point up to `around`
    /// from it. Off the axis by some of its largest radii, a place is beyond the surface by as many of its smallest at
    /// least, less one.
    pub fn is_about(&self, point: Vec3, around: f64, distance: f64) -> bool {
        let [[a, b], [c, d]] = [self.breadths, self.depths];
        let (most, least) = (a.max(b).max(c.max(d)), a.min(b).min(c.min(d)));
        let off = point - self.from;
        let along = off.dot(&self.axis).clamp(0.0, self.len);
        let off_axis = (off - self.axis * along).norm() - around;
        (off_axis / most - 1.0) * least < distance
    }

    /// Upright to the surface at a place, away from it, unit length; `None` on the axis.
    pub fn outward(&self, place: &Place) -> Option<Vec3> {
        let Section { across, ahead, breadth, depth } = self.section(place.share);
        let out = across * (place.across / breadth)
            + ahead * (place.ahead / depth)
            + self.axis * (place.beyond / depth);
        out.try_normalize(1e-9 / depth)
    }

    /// Along the bone and away from it, length units: what changes where a hand moves over or off the part. Of a
    /// trunk to the side and ahead too.
    pub fn way(&self, place: &Place) -> Vec3 {
        let Section { breadth, depth, .. } = self.section(place.share);
        let along = place.share * self.len + place.beyond * depth;
        let (across, ahead) = (place.across * breadth, place.ahead * depth);
        match self.is_round() {
            true => Vec3::new(along, across.hypot(ahead), 0.0),
            false => Vec3::new(along, across, ahead),
        }
    }

    /// Whether nothing but chance says where its side is.
    fn is_round(&self) -> bool {
        self.breadths == self.depths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trunk(size: f64) -> Shape {
        let ends = [Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.1, 1.5, 0.1)].map(|v| v * size);
        let across = [Vec3::x(), Vec3::new(1.0, 0.0, 0.4)];
        Shape::new(ends, across, [0.17 * size, 0.15 * size], [0.11 * size; 2])
    }

    #[test]
    fn a_place_is_the_point_that_it_was_taken_of() {
        let shape = trunk(1.0);
        for point in [[0.3, 1.2, 0.1], [0.0, 0.7, -0.1], [-0.1, 1.9, 0.2], [0.01, 1.1, 0.0]] {
            let point = Vec3::from(point);
            let is = shape.point(&shape.place(point));
            assert!((is - point).norm() < 1e-12, "{point:?} came back as {is:?}");
        }
    }

    #[test]
    fn on_a_larger_body_a_place_is_as_much_farther_off() {
        let (small, large) = (trunk(1.0), trunk(3.0));
        let place = small.place(Vec3::new(0.25, 1.2, 0.05));
        let off = small.distance(&place);
        assert!(off > 0.0 && (large.distance(&place) - 3.0 * off).abs() < 1e-12);
        assert!(small.distance(&small.place(Vec3::new(0.05, 1.2, 0.02))) < 0.0, "inside");
    }

    #[test]
    fn outward_leads_to_the_surface() {
        let shape = trunk(1.0);
        for point in [[0.2, 1.3, 0.1], [0.05, 1.2, 0.06], [0.0, 0.85, -0.05]] {
            let mut point = Vec3::from(point);
            for _ in 0..5 {
                let place = shape.place(point);
                point -= shape.outward(&place).expect("off the axis") * shape.distance(&place);
            }
            assert!(shape.distance(&shape.place(point)).abs() < 1e-3);
        }
    }
}
