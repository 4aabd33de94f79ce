//! A value that follows another one smoothly and without overshooting.

use super::Vec3;

/// A critically damped spring, stepped exactly. It is stable at any step; while its goal does not move, its motion is
/// the same at any frame rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spring {
    pub value: Vec3,
    /// The change per second.
    pub velocity: Vec3,
}

impl Spring {
    /// Steps by `step_s` towards `goal`. After `time_s`, a twentieth of the distance is left.
    pub fn follow(&mut self, goal: Vec3, time_s: f64, step_s: f64) {
        // (1 + x) e^-x is a twentieth at this x.
        const TWENTIETH: f64 = 4.743_864_518_390_555;
        let rate = TWENTIETH / time_s;
        let off = self.value - goal;
        let pull = (self.velocity + off * rate) * step_s;
        let left = (-rate * step_s).exp();
        self.value = goal + (off + pull) * left;
        self.velocity = (self.velocity - pull * rate) * left;
    }

    /// Moves to `value`, with the velocity of that step.
    pub fn put(&mut self, value: Vec3, step_s: f64) {
        self.velocity = (value - self.value) / step_s;
        self.value = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_comes_as_near_as_it_says_at_any_step_and_never_beyond() {
        for steps in [1, 7, 100] {
            let mut spring = Spring::default();
            let goal = Vec3::new(3.0, -1.0, 0.0);
            for _ in 0..steps {
                spring.follow(goal, 0.2, 0.2 / f64::from(steps));
                assert!(spring.value.x <= 3.0);
            }
            assert!((spring.value - goal * 0.95).amax() < 1e-9, "{}", spring.value);
        }
    }
}
