//! Numbers as bytes that the page's script reads in place.

use crate::math::Vec3;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Bytes to which runs of numbers are appended; each run begins at a multiple of four.
#[derive(Debug, Default)]
pub struct Pack {
    bytes: Vec<u8>,
}

/// The number of steps from 0 to `reach`.
const STEPS: f64 = i16::MAX as f64;

impl Pack {
    /// Appends numbers as 32-bit floats. Returns where they begin.
    pub fn floats(&mut self, numbers: impl IntoIterator<Item = f64>) -> usize {
        let at = self.aligned();
        numbers.into_iter().for_each(|x| self.bytes.extend((x as f32).to_le_bytes()));
        at
    }

    /// Appends vectors of up to `reach` along each axis as 16-bit steps. Returns where they begin.
    pub fn steps(&mut self, vectors: impl IntoIterator<Item = Vec3>, reach: f64) -> usize {
        let at = self.aligned();
        for number in vectors.into_iter().flat_map(|v| [v.x, v.y, v.z]) {
            // The cast saturates: a number beyond `reach` becomes `reach`.
            let steps = (number / reach.max(f64::MIN_POSITIVE) * STEPS).round();
            self.bytes.extend((steps as i16).to_le_bytes());
        }
        at
    }

    /// Appends bytes as they are. Returns where they begin.
    pub fn bytes(&mut self, bytes: &[u8]) -> usize {
        let at = self.aligned();
        self.bytes.extend_from_slice(bytes);
        at
    }

    /// All bytes as base64.
    pub fn text(&self) -> String {
        STANDARD.encode(&self.bytes)
    }

    fn aligned(&mut self) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_begin_where_a_page_can_read_them_and_steps_keep_a_thirty_thousandth() {
        let mut pack = Pack::default();
        let reach = 2.5;
        let vectors = [Vec3::new(2.5, -2.5, 0.1), Vec3::new(9.0, -9.0, f64::NAN)];
        assert_eq!(pack.steps(vectors, reach), 0);
        let at = pack.floats([1.5, -2.0]);
        assert_eq!(at % 4, 0);
        let read = |i: usize| i16::from_le_bytes([pack.bytes[2 * i], pack.bytes[2 * i + 1]]);
        let back: Vec<f64> = (0..6).map(|i| f64::from(read(i)) * reach / STEPS).collect();
        for (got, wanted) in back.iter().zip([2.5, -2.5, 0.1, 2.5, -2.5, 0.0]) {
            assert!((got - wanted).abs() <= reach / STEPS + 1e-12, "{back:?}");
        }
        assert_eq!(pack.bytes[at..at + 4], 1.5f32.to_le_bytes());
        assert_eq!(STANDARD.decode(pack.text()).expect("base64"), pack.bytes);
    }
}
