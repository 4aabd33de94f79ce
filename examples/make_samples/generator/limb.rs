//! Closed-form two-bone limbs, so that the samples owe nothing to the solver that they judge.

use retarget::internals::math::{Quat, Vec3, frame_from_axes};

/// A limb of two bones placed so that its end is where it should be.
#[derive(Clone, Copy, Debug)]
pub struct TwoBone {
    /// Unit direction of the first bone.
    pub first: Vec3,
    /// Unit direction of the second bone.
    pub second: Vec3,
    /// Unit axis that the limb bends about: it turns `first` towards `second` for a forward knee.
    pub axis: Vec3,
}

impl TwoBone {
    /// Places a limb from `root` to `goal`, its middle joint on the side of `pole`.
    ///
    /// Panics where the goal is out of reach: a sample must not ask for that.
    pub fn reach(root: Vec3, goal: Vec3, lengths: [f64; 2], pole: Vec3) -> Self {
        let way = goal - root;
        let distance = way.norm();
        let [a, b] = lengths;
        assert!(
            distance < a + b && distance > (a - b).abs(),
            "a limb of {a} + {b} cannot span {distance}"
        );
        let along = way / distance;
        let aside = (pole - along * along.dot(&pole)).normalize();
        let cos = (a * a + distance * distance - b * b) / (2.0 * a * distance);
        let middle = root + along * (a * cos) + aside * (a * (1.0 - cos * cos).sqrt());
        Self { first: (middle - root) / a, second: (goal - middle) / b, axis: aside.cross(&along) }
    }

    /// The turns of both bones away from hanging down with the hinge along +X, as a leg in a T.
    pub fn leg_turns(&self) -> [Quat; 2] {
        [self.first, self.second].map(|bone| turn(self.axis, -bone))
    }

    /// The turns of both bones away from lying along `side` * X, palm down, as an arm in a T.
    pub fn arm_turns(&self, side: f64) -> [Quat; 2] {
        // A bending elbow turns the forearm about the arm's own -Y on the left, +Y on the right.
        [self.first, self.second].map(|bone| turn(bone * side, -self.axis * side))
    }
}

/// The turn that takes +X near `x` and +Y onto `y`.
fn turn(x: Vec3, y: Vec3) -> Quat {
    frame_from_axes(x, y).expect("the axes of a bent limb are at right angles")
}
