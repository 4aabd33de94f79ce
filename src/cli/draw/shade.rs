//! Meshes as pictures: triangles shaded by their angle to the light, nearer ones over farther ones.

use crate::math::Vec3;
use tiny_skia::{IntSize, Pixmap};

/// Samples per pixel along each side, for smooth edges.
const DOTS: usize = 2;

/// The direction that the light comes from: right, down, and towards the eye.
const LIGHT: Vec3 = Vec3::new(-0.42, -0.57, 0.71);

/// How bright a triangle is that faces away from the light, as a share of full light.
const DIM: f64 = 0.3;

/// A picture that meshes are drawn into.
pub struct Shade {
    /// In samples.
    width: usize,
    height: usize,
    /// For each sample, the nearest point so far, towards the eye.
    depth: Vec<f64>,
    colour: Vec<[f64; 3]>,
}

impl Shade {
    /// An empty picture of so many pixels.
    pub fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width * DOTS, height * DOTS);
        let (depth, colour) =
            (vec![f64::NEG_INFINITY; width * height], vec![[0.0; 3]; width * height]);
        Self { width, height, depth, colour }
    }

    /// Draws a triangle, visible from both sides. Its corners are pixels right and down, and towards the eye; its
    /// colour is linear light.
    pub fn triangle(&mut self, corners: [Vec3; 3], colour: [f32; 3]) {
        let dots = DOTS as f64;
        let [a, b, c] = corners.map(|p| Vec3::new(p.x * dots, p.y * dots, p.z * dots));
        let normal = (b - a).cross(&(c - a));
        // The triangle is seen edge-on, or has no area.
        if !(normal.z.abs() > 1e-9 && normal.norm().is_finite()) {
            return;
        }
        let facing = normal / normal.norm() * normal.z.signum();
        let light = DIM + (1.0 - DIM) * facing.dot(&LIGHT).max(0.0);
        let colour = colour.map(|channel| f64::from(channel) * light);
        let range = |axis: usize, most: usize| {
            let least = a[axis].min(b[axis]).min(c[axis]).floor().max(0.0) as usize;
            let last = a[axis].max(b[axis]).max(c[axis]).ceil().max(0.0) as usize;
            least..last.min(most)
        };
        for y in range(1, self.height) {
            for x in range(0, self.width) {
                let point = Vec3::new(x as f64 + 0.5, y as f64 + 0.5, 0.0);
                let share = |from: Vec3, to: Vec3| {
                    let (side, way) = (to - from, point - from);
                    (side.x * way.y - side.y * way.x) / normal.z
                };
                let shares = [share(b, c), share(c, a), share(a, b)];
                if shares.iter().all(|share| *share >= 0.0) {
                    let depth = shares[0] * a.z + shares[1] * b.z + shares[2] * c.z;
                    let dot = y * self.width + x;
                    if depth > self.depth[dot] {
                        (self.depth[dot], self.colour[dot]) = (depth, colour);
                    }
                }
            }
        }
    }

    /// The picture, transparent where no triangle is. `None` where it has no size.
    pub fn picture(&self) -> Option<Pixmap> {
        let (width, height) = (self.width / DOTS, self.height / DOTS);
        let mut bytes = Vec::with_capacity(4 * width * height);
        for pixel in 0..width * height {
            let (x, y) = (pixel % width * DOTS, pixel / width * DOTS);
            let dots = (0..DOTS * DOTS).map(|i| (y + i / DOTS) * self.width + x + i % DOTS);
            let mut sum = [0.0; 4];
            for dot in dots.filter(|dot| self.depth[*dot] > f64::NEG_INFINITY) {
                let shown = self.colour[dot].map(|channel| channel.clamp(0.0, 1.0).powf(1.0 / 2.2));
                (0..3).for_each(|k| sum[k] += shown[k]);
                sum[3] += 1.0;
            }
            bytes.extend(sum.map(|x| (255.0 * x / (DOTS * DOTS) as f64).round() as u8));
        }
        Pixmap::from_vec(bytes, IntSize::from_wh(width as u32, height as u32)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearer_is_seen_whichever_is_drawn_first_and_whichever_way_it_is_wound() {
        let near = [[0.0, 0.0, 2.0], [9.0, 0.0, 2.0], [0.0, 9.0, 2.0]].map(Vec3::from);
        let far = near.map(|corner| Vec3::new(corner.x, corner.y, 1.0));
        let (red, blue) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
        let drawn = |all: [([Vec3; 3], [f32; 3]); 2]| {
            let mut shade = Shade::new(8, 8);
            all.into_iter().for_each(|(corners, colour)| shade.triangle(corners, colour));
            shade.picture().expect("a picture")
        };
        let [a, b, c] = near;
        let first = drawn([(near, red), (far, blue)]);
        assert_eq!(first.data(), drawn([(far, blue), ([a, c, b], red)]).data());
        let pixel = |x, y| first.pixel(x, y).expect("inside");
        assert!(pixel(2, 2).red() > 100 && pixel(2, 2).blue() == 0, "{:?}", pixel(2, 2));
        assert_eq!((pixel(2, 2).alpha(), pixel(7, 7).alpha()), (255, 0));
    }

    #[test]
    fn numbers_beyond_all_bounds_draw_nothing() {
        let mut shade = Shade::new(4, 4);
        let corner = |x: f64| Vec3::new(x, x * x, 1.0);
        shade.triangle([corner(f64::NAN), corner(1.0), corner(2.0)], [1.0; 3]);
        shade.triangle([corner(f64::INFINITY), corner(1.0), corner(2.0)], [1.0; 3]);
        assert!(shade.picture().expect("a picture").data().iter().all(|byte| *byte == 0));
    }
}
