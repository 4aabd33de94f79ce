//! A number that changes in time, with its first and second derivative.

use std::ops::{Add, Mul, Neg, Sub};

/// Value, rate and acceleration of a quantity at one moment.
///
/// A foot that rolls over its heel hands these over to the swing that follows, so that the whole
/// path has no kink; derivatives by differences would not be exact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    pub x: f64,
    pub v: f64,
    pub a: f64,
}

impl Jet {
    /// A quantity with its derivatives.
    pub fn new(x: f64, v: f64, a: f64) -> Self {
        Self { x, v, a }
    }

    /// A quantity at rest.
    pub fn still(x: f64) -> Self {
        Self { x, v: 0.0, a: 0.0 }
    }

    pub fn sin(self) -> Self {
        let (s, c) = self.x.sin_cos();
        Self { x: s, v: c * self.v, a: c * self.a - s * self.v * self.v }
    }

    pub fn cos(self) -> Self {
        let (s, c) = self.x.sin_cos();
        Self { x: c, v: -s * self.v, a: -s * self.a - c * self.v * self.v }
    }
}

impl Add for Jet {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, v: self.v + o.v, a: self.a + o.a }
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: -self.x, v: -self.v, a: -self.a }
    }
}

impl Mul for Jet {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self {
            x: self.x * o.x,
            v: self.v * o.x + self.x * o.v,
            a: self.a * o.x + 2.0 * self.v * o.v + self.x * o.a,
        }
    }
}

impl Mul<f64> for Jet {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Self { x: self.x * k, v: self.v * k, a: self.a * k }
    }
}
