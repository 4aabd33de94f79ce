//! Smooth curves over time.

use super::jet::Jet;

/// A curve through knots, twice continuously differentiable, at rest outside of them.
///
/// Between two knots runs the quintic that has value, rate and acceleration of both.
#[derive(Clone, Debug)]
pub struct Curve {
    knots: Vec<(f64, Jet)>,
}

impl Curve {
    /// A curve that stays at `x`.
    pub fn constant(x: f64) -> Self {
        Self { knots: vec![(0.0, Jet::still(x))] }
    }

    /// A curve through knots with given derivatives; the times must increase.
    pub fn knots(knots: Vec<(f64, Jet)>) -> Self {
        assert!(knots.windows(2).all(|w| w[0].0 < w[1].0), "knots in the order of time");
        Self { knots }
    }

    /// A curve that rests at every key and eases between them.
    pub fn easing(keys: &[(f64, f64)]) -> Self {
        Self::knots(keys.iter().map(|&(t, x)| (t, Jet::still(x))).collect())
    }

    /// The same, and then on as [`easing`](Self::easing) does.
    pub fn then(mut self, keys: &[(f64, f64)]) -> Self {
        self.knots.extend(keys.iter().map(|&(t, x)| (t, Jet::still(x))));
        Self::knots(self.knots)
    }

    /// The cubic spline through the keys that starts and ends at rest.
    pub fn spline(keys: &[(f64, f64)]) -> Self {
        Self::spline_with_ends(keys, 0.0, 0.0)
    }

    /// The cubic spline through the keys with these rates at its ends.
    pub fn spline_with_ends(keys: &[(f64, f64)], start_rate: f64, end_rate: f64) -> Self {
        let n = keys.len();
        assert!(n >= 2, "a spline needs two keys");
        let step = |i: usize| keys[i + 1].0 - keys[i].0;
        let slope = |i: usize| (keys[i + 1].1 - keys[i].1) / step(i);
        // Rates at the keys solve a tridiagonal system; forward elimination, then back.
        let mut factor = vec![0.0; n];
        let mut rate = vec![start_rate; n];
        rate[n - 1] = end_rate;
        for i in 1..n - 1 {
            let (before, after) = (1.0 / step(i - 1), 1.0 / step(i));
            let pivot = 2.0 * (before + after) - before * factor[i - 1];
            factor[i] = after / pivot;
            let right = 3.0 * (slope(i - 1) * before + slope(i) * after);
            rate[i] = (right - before * rate[i - 1]) / pivot;
        }
        for i in (1..n - 1).rev() {
            rate[i] -= factor[i] * rate[i + 1];
        }
        let acceleration = |i: usize| {
            if i + 1 < n {
                (6.0 * slope(i) - 4.0 * rate[i] - 2.0 * rate[i + 1]) / step(i)
            } else {
                (2.0 * rate[i - 1] + 4.0 * rate[i] - 6.0 * slope(i - 1)) / step(i - 1)
            }
        };
        let knot = |i: usize| (keys[i].0, Jet::new(keys[i].1, rate[i], acceleration(i)));
        Self::knots((0..n).map(knot).collect())
    }

    /// The curve at a moment.
    pub fn at(&self, t: f64) -> Jet {
        let next = self.knots.partition_point(|&(time, _)| time <= t);
        if next == 0 {
            return Jet::still(self.knots[0].1.x);
        }
        if next == self.knots.len() {
            let (time, last) = self.knots[next - 1];
            return if t == time { last } else { Jet::still(last.x) };
        }
        let ((t0, from), (t1, to)) = (self.knots[next - 1], self.knots[next]);
        quintic(t0, from, t1, to, t)
    }

    /// The curve's value at a moment.
    pub fn value(&self, t: f64) -> f64 {
        self.at(t).x
    }
}

/// The quintic with given value, rate and acceleration at both ends, at a moment between them.
pub fn quintic(t0: f64, from: Jet, t1: f64, to: Jet, t: f64) -> Jet {
    let (d, u) = (t1 - t0, t - t0);
    let rise = to.x - from.x;
    let c2 = from.a / 2.0;
    let c3 = (20.0 * rise - (8.0 * to.v + 12.0 * from.v) * d - (3.0 * from.a - to.a) * d * d)
        / (2.0 * d.powi(3));
    let c4 =
        (-30.0 * rise + (14.0 * to.v + 16.0 * from.v) * d + (3.0 * from.a - 2.0 * to.a) * d * d)
            / (2.0 * d.powi(4));
    let c5 =
        (12.0 * rise - 6.0 * (to.v + from.v) * d - (from.a - to.a) * d * d) / (2.0 * d.powi(5));
    Jet {
        x: from.x + u * (from.v + u * (c2 + u * (c3 + u * (c4 + u * c5)))),
        v: from.v + u * (2.0 * c2 + u * (3.0 * c3 + u * (4.0 * c4 + u * 5.0 * c5))),
        a: 2.0 * c2 + u * (6.0 * c3 + u * (12.0 * c4 + u * 20.0 * c5)),
    }
}

/// A hump of height 1 over [0, 1] with its top at `peak`, flat to the second derivative at both ends.
pub fn hump(s: f64, peak: f64) -> f64 {
    if !(0.0..=1.0).contains(&s) {
        return 0.0;
    }
    // s^p (1 - s)^q has its top at p / (p + q); the smaller power is 3, so that both ends are flat.
    let (p, q) = if peak < 0.5 {
        (3.0, 3.0 * (1.0 - peak) / peak)
    } else {
        (3.0 * peak / (1.0 - peak), 3.0)
    };
    (s / peak).powf(p) * ((1.0 - s) / (1.0 - peak)).powf(q)
}
