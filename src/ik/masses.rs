//! The distribution of a person's mass over the body.

/// A segment of the body with a share of its mass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Segment {
    /// Head and neck.
    Head,
    /// Hips, spine and chest together.
    Trunk,
    /// From shoulder to elbow.
    UpperArm,
    /// From elbow to wrist.
    Forearm,
    /// From the wrist on.
    Hand,
    /// From hip to knee.
    Thigh,
    /// From knee to ankle.
    Shin,
    /// From the ankle on.
    Foot,
}

impl Segment {
    /// All segments; a body has all but head and trunk twice.
    pub const ALL: [Segment; 8] = [
        Segment::Head,
        Segment::Trunk,
        Segment::UpperArm,
        Segment::Forearm,
        Segment::Hand,
        Segment::Thigh,
        Segment::Shin,
        Segment::Foot,
    ];

    /// Whether a body has the segment on both sides.
    pub fn is_paired(self) -> bool {
        !matches!(self, Segment::Head | Segment::Trunk)
    }

    /// Share of the body's mass (0 to 1) that one such segment has: the mean of women and men. Each side of a pair
    /// counts for itself.
    ///
    /// Source: P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters",
    /// Journal of Biomechanics 29 (1996), table 4.
    pub fn mass_ratio(self) -> f64 {
        let (female, male) = match self {
            Segment::Head => (0.0668, 0.0694),
            Segment::Trunk => (0.4257, 0.4346),
            Segment::UpperArm => (0.0255, 0.0271),
            Segment::Forearm => (0.0138, 0.0162),
            Segment::Hand => (0.0056, 0.0061),
            Segment::Thigh => (0.1478, 0.1416),
            Segment::Shin => (0.0481, 0.0433),
            Segment::Foot => (0.0129, 0.0137),
        };
        0.5 * (female + male)
    }

    /// Position of the segment's centre of mass as a share of the way from its near joint's centre to that of its far
    /// joint; same source and mean. The head is measured from the vertex to the height of the jaw's angles, the trunk
    /// from the top of the breastbone to the middle of the hips, the hand from the wrist to the third knuckle, the foot
    /// from heel to toe tip.
    pub fn center_ratio(self) -> f64 {
        let (female, male) = match self {
            Segment::Head => (0.5894, 0.5976),
            Segment::Trunk => (0.4151, 0.4486),
            Segment::UpperArm => (0.5754, 0.5772),
            Segment::Forearm => (0.4559, 0.4574),
            Segment::Hand => (0.7474, 0.7900),
            Segment::Thigh => (0.3612, 0.4095),
            Segment::Shin => (0.4352, 0.4395),
            Segment::Foot => (0.4014, 0.4415),
        };
        0.5 * (female + male)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_segments_add_up_to_a_body() {
        let sides = |s: &Segment| if s.is_paired() { 2.0 } else { 1.0 };
        let sum: f64 = Segment::ALL.iter().map(|s| sides(s) * s.mass_ratio()).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        assert!(Segment::ALL.iter().all(|s| (0.3..0.8).contains(&s.center_ratio())));
    }
}
