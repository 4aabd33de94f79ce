//! The projection of points in space onto a page.

use crate::math::Vec3;

/// A parallel projection onto a place on the page.
pub struct View {
    /// The directions in space that are right and down on the page.
    pub axes: [Vec3; 2],
    /// Page units per length unit.
    pub scale: f64,
    /// Where `middle` lies on the page.
    pub centre: [f64; 2],
    pub middle: Vec3,
}

impl View {
    /// The view in which the points fill a box (left, top, width, height).
    pub fn filling(axes: [Vec3; 2], [x, y, w, h]: [f64; 4], points: &[Vec3]) -> Self {
        let (mut least, mut most) = ([f64::MAX; 2], [f64::MIN; 2]);
        for point in points {
            for (i, axis) in axes.iter().enumerate() {
                least[i] = least[i].min(axis.dot(point));
                most[i] = most[i].max(axis.dot(point));
            }
        }
        let span = [0, 1].map(|i| (most[i] - least[i]).max(1e-6));
        let middle = [0, 1].map(|i| 0.5 * (least[i] + most[i]));
        Self {
            scale: (w / span[0]).min(h / span[1]),
            centre: [x + 0.5 * w, y + 0.5 * h],
            middle: axes[0] * middle[0] + axes[1] * middle[1],
            axes,
        }
    }

    pub fn place(&self, point: Vec3) -> [f64; 2] {
        let from_middle = point - self.middle;
        [0, 1].map(|i| self.centre[i] + self.scale * self.axes[i].dot(&from_middle))
    }

    /// The direction from the page towards its reader.
    pub fn towards_eye(&self) -> Vec3 {
        self.axes[0].cross(&-self.axes[1])
    }
}
