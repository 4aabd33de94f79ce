//! Bytes as choices: what a generator decides, it decides by the next of them.

/// Bytes that are taken one after the other; zeros once they are at an end.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number below `count`, which is at most 256.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    /// One time out of so many.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub fn of<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }

    /// Between -1 and 1.
    pub fn unit(&mut self) -> f64 {
        f64::from(self.byte() as i8) / 128.0
    }
}
