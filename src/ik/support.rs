//! The support area, above which the centre of mass has to stay.

use crate::math::{Vec3, frame_from_axes};

/// The area over which a body balances: the convex hull of its support points, seen along the up axis.
#[derive(Clone, Debug, PartialEq)]
pub struct SupportArea {
    across: [Vec3; 2],
    /// Corners in the plane across up, counter-clockwise.
    hull: Vec<[f64; 2]>,
}

impl SupportArea {
    /// The area of the points (world) for a body with this `up` (world, any length). `None` without a finite point or
    /// if `up` has no direction.
    pub fn new(points: &[Vec3], up: Vec3) -> Option<Self> {
        let frame =
            [Vec3::x(), Vec3::z()].into_iter().find_map(|hint| frame_from_axes(hint, up))?;
        let across = [frame * Vec3::z(), frame * Vec3::x()];
        let is_finite = |p: &&Vec3| p.iter().all(|c| c.is_finite());
        let flat = points.iter().filter(is_finite).map(|p| across.map(|axis| axis.dot(p)));
        let mut corners: Vec<[f64; 2]> = flat.collect();
        corners.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        corners.dedup();
        // Andrew's monotone chain: the lower edge from left to right, the upper one back.
        let mut hull: Vec<[f64; 2]> = Vec::with_capacity(2 * corners.len());
        for rim in 0..2 {
            let first = hull.len();
            for i in 0..corners.len() {
                let corner = corners[if rim == 0 { i } else { corners.len() - 1 - i }];
                while hull.len() >= first + 2
                    && turn(hull[hull.len() - 2], hull[hull.len() - 1], corner) <= 0.0
                {
                    hull.pop();
                }
                hull.push(corner);
            }
            if corners.len() > 1 {
                hull.pop();
            }
        }
        hull.dedup();
        (!hull.is_empty()).then_some(Self { across, hull })
    }

    /// Whether the point (world, at any height) is above the area or its rim; never so of an area of points on one
    /// line.
    pub fn contains(&self, point: Vec3) -> bool {
        let p = self.across.map(|axis| axis.dot(&point));
        self.hull.len() > 2 && self.edges().all(|(a, b)| turn(a, b, p) >= 0.0)
    }

    /// The point itself if it is above the area, otherwise the nearest one at its height that is: the goal for an
    /// [`Effector::center_of_mass`](super::Effector::center_of_mass).
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        if self.contains(point) {
            return point;
        }
        let p = self.across.map(|axis| axis.dot(&point));
        let mut best = (f64::INFINITY, [0.0; 2]);
        for (a, b) in self.edges() {
            let (way, off) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
            let squared = way[0] * way[0] + way[1] * way[1];
            let t = (way[0] * off[0] + way[1] * off[1]) / squared.max(1e-300);
            let t = t.clamp(0.0, 1.0);
            let missing = [a[0] + t * way[0] - p[0], a[1] + t * way[1] - p[1]];
            let distance = missing[0].hypot(missing[1]);
            if distance < best.0 {
                best = (distance, missing);
            }
        }
        if best.0 == f64::INFINITY {
            return point;
        }
        point + self.across[0] * best.1[0] + self.across[1] * best.1[1]
    }

    fn edges(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
        let next = self.hull.iter().cycle().skip(1);
        self.hull.iter().zip(next).map(|(a, b)| (*a, *b))
    }
}

/// Twice the signed area of a triangle: positive for a turn to the left.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_of_two_feet_is_found_at_the_points_own_height() {
        let v = Vec3::new;
        let feet = [
            v(0.1, 0.0, -0.1),
            v(0.1, 0.0, 0.2),
            v(-0.1, 0.0, -0.1),
            v(-0.1, 0.0, 0.2),
            v(0.0, 0.0, 0.1),
        ];
        let area = SupportArea::new(&feet, Vec3::y()).unwrap();
        assert!(area.contains(v(0.05, 1.0, 0.1)) && !area.contains(v(0.2, 1.0, 0.1)));
        assert!((area.nearest(v(0.3, 1.0, 0.1)) - v(0.1, 1.0, 0.1)).norm() < 1e-12);
        assert!((area.nearest(v(0.3, 1.0, 0.5)) - v(0.1, 1.0, 0.2)).norm() < 1e-12);
        let inside = v(-0.02, 0.9, 0.0);
        assert_eq!(area.nearest(inside), inside);
    }

    #[test]
    fn one_or_two_points_are_an_area_too() {
        let v = Vec3::new;
        let point = SupportArea::new(&[v(1.0, 0.0, 2.0)], Vec3::z()).unwrap();
        assert!((point.nearest(v(5.0, 5.0, 5.0)) - v(1.0, 0.0, 5.0)).norm() < 1e-12);
        let line = SupportArea::new(&[v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0)], Vec3::z()).unwrap();
        assert!((line.nearest(v(1.0, 5.0, 5.0)) - v(1.0, 0.0, 5.0)).norm() < 1e-12);
        assert!(SupportArea::new(&[], Vec3::z()).is_none());
        assert!(SupportArea::new(&[v(0.0, 0.0, 0.0)], Vec3::zeros()).is_none());
    }
}
