//! The height of the ground.

/// Height of the ground in a clip: the median of the lowest band of heights in which still feet gather; 0 without
/// samples.
///
/// `still` are the heights of foot parts in frames in which they barely move, each less the part's height over the
/// sole. `all` are the heights in every frame; they decide where feet are hardly ever still, since those may be still
/// in the air. `band_len` is by how much the heights of feet on one floor may differ. A few stray samples below the
/// ground do not count: a floor holds at least a twentieth of the still samples, and less than a twentieth of all
/// samples are below it.
pub(super) fn ground(mut still: Vec<f64>, mut all: Vec<f64>, band_len: f64) -> f64 {
    still.sort_unstable_by(f64::total_cmp);
    let under = |ground: f64| all.iter().filter(|h| **h < ground - 2.0 * band_len).count();
    let found = gathering(&still, band_len).filter(|ground| 20 * under(*ground) < all.len());
    let place = all.len() / 50;
    match found {
        Some(ground) => ground,
        None if all.is_empty() => 0.0,
        None => *all.select_nth_unstable_by(place, f64::total_cmp).1,
    }
}

/// The median of the lowest band that holds a twentieth of the heights, which are sorted.
fn gathering(heights: &[f64], band_len: f64) -> Option<f64> {
    let enough = (heights.len() / 20).max(1);
    heights.iter().enumerate().find_map(|(i, &low)| {
        let gathered = heights[i..].partition_point(|h| *h <= low + band_len);
        (gathered >= enough).then(|| heights[i + gathered / 2])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_is_where_still_feet_gather_lowest() {
        let mut heights = vec![-0.5];
        heights.extend((0..100).map(|i| 2.0 + 0.0001 * i as f64));
        heights.extend((0..300).map(|i| 2.4 + 0.0001 * i as f64));
        let found = ground(heights.clone(), heights, 0.03);
        assert!((found - 2.005).abs() < 0.001, "{found}");
    }

    #[test]
    fn it_is_not_over_feet_that_never_rest() {
        let swinging: Vec<f64> = (0..400).map(|i| 0.2 - 0.2 * (0.1 * i as f64).cos()).collect();
        let found = ground(vec![0.1; 4], swinging, 0.03);
        assert!(found < 0.01, "{found}");
    }
}
