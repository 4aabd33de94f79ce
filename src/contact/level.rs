//! The height of the ground.

/// Height of the ground in a clip: the middle of the lowest height at which still feet gather.
///
/// `still` are the heights of foot parts while they barely move, each less its own height over the
/// sole; `all` those of every frame, used where nothing is ever still. `band_len` is how far feet
/// that stand on one floor may differ. A few stray samples below the ground do not count: a floor
/// holds at least a twentieth of all still samples. 0 for no samples at all.
pub(super) fn ground(mut still: Vec<f64>, mut all: Vec<f64>, band_len: f64) -> f64 {
    still.sort_by(f64::total_cmp);
    let enough = (still.len() / 20).max(1);
    for (i, &low) in still.iter().enumerate() {
        let gathered = still[i..].partition_point(|h| *h <= low + band_len);
        if gathered >= enough {
            return still[i + gathered / 2];
        }
    }
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 50).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_is_where_still_feet_gather_lowest() {
        let mut heights = vec![-0.5];
        heights.extend((0..100).map(|i| 2.0 + 0.0001 * i as f64));
        heights.extend((0..300).map(|i| 2.4 + 0.0001 * i as f64));
        let ground = ground(heights, vec![], 0.03);
        assert!((ground - 2.005).abs() < 0.001, "{ground}");
    }
}
