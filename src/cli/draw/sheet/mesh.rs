//! A character's own mesh at a row's moments.

use crate::cli::draw::motion::Motion;
use crate::cli::draw::page::Page;
use crate::cli::draw::shade::Shade;
use crate::convert::Skinned;
use crate::math::{Quat, Vec3};

/// A pose at its time, turned so that the body faces along Z, its middle over the origin.
pub struct Shot {
    pub frame: usize,
    pub points: Vec<Vec3>,
    pub turn: Quat,
    /// Where the body's middle was over the floor, before it was moved over the origin.
    pub level: Vec3,
}

/// Pixels a page unit.
const PIXELS: f64 = 2.0;

/// The angle from which the body is seen, in degrees round from its left side: the one that hides least.
const AROUND_DEG: f64 = 35.0;

/// The meshes of one row.
pub struct Meshes {
    /// For each moment, the points as the eye sees them: right, up and towards the eye, in legs.
    shots: Vec<Vec<Vec3>>,
    triangles: Vec<([usize; 3], [f32; 3])>,
}

impl Meshes {
    /// The meshes at these moments; `None` where there is no mesh. Costs the skinning of one frame per moment.
    pub fn new(skinned: &Skinned, shots: &[Shot], motion: &Motion) -> Option<Self> {
        let (mut triangles, mut first) = (Vec::new(), 0);
        for surface in skinned.surfaces() {
            let corners = surface.triangles.iter().map(|it| it.map(|i| first + i as usize));
            triangles.extend(corners.zip(surface.colours.iter().copied()));
            first += surface.points.len();
        }
        let around = AROUND_DEG.to_radians();
        let near = Vec3::new(around.sin(), 0.0, around.cos());
        let right = Vec3::y().cross(&near);
        let seen = |shot: &Shot| {
            let points = skinned.places(shot.frame).into_iter().flatten();
            let points = points.map(|point| shot.at(motion.place(point)));
            points.map(|p| Vec3::new(p.dot(&right), p.y, p.dot(&near))).collect()
        };
        let shots: Vec<Vec<Vec3>> = shots.iter().map(seen).collect();
        (!triangles.is_empty()).then_some(Self { shots, triangles })
    }

    /// Draws the meshes with their middles at `xs`, within this height and width each. Returns where they end.
    pub fn draw(&self, page: &mut Page, xs: &[f64], [width, height]: [f64; 2], top: f64) -> f64 {
        let all = || self.shots.iter().flatten();
        let highest = all().map(|p| p.y).fold(0.1, f64::max);
        let lowest = all().map(|p| p.y).fold(0.0, f64::min);
        let reach = all().map(|p| p.x.abs()).fold(0.1, f64::max);
        let scale = (height / (highest - lowest)).min(0.5 * width / reach);
        if !(scale.is_finite() && scale > 0.0) {
            return top;
        }
        let size = [2.0 * reach * scale, (highest - lowest) * scale];
        for (points, x) in self.shots.iter().zip(xs) {
            let pixels = size.map(|length| (length * PIXELS).ceil() as usize);
            let mut shade = Shade::new(pixels[0], pixels[1]);
            let place = |i: usize| {
                let p = points[i];
                scale * PIXELS * Vec3::new(p.x + reach, highest - p.y, p.z)
            };
            for (corners, colour) in &self.triangles {
                shade.triangle(corners.map(place), *colour);
            }
            if let Some(picture) = shade.picture() {
                page.picture([x - reach * scale, top], size, picture);
            }
        }
        top + highest * scale
    }
}
