//! Chains in the plane.

use retarget::ik::*;

#[test]
fn two_bones_meet_the_goal_exactly_and_keep_their_side() {
    let chain = PlanarChain::new(Vec2::zeros(), &[1.0, 0.8], &[]).unwrap();
    for side in [-0.5, 0.5] {
        let mut angles = [0.2, side];
        let goal = Vec2::new(0.3, -1.2);
        let outcome = chain.solve(
            &mut angles,
            goal,
            &PlanarSettings::default(),
            &mut PlanarScratch::default(),
        );
        assert_eq!(outcome.status, Status::Reached);
        assert!(outcome.residual_len < 1e-12 && angles[1].signum() == side.signum());
    }
}

#[test]
fn a_straight_chain_bends_to_a_goal_on_its_own_line() {
    let chain = PlanarChain::new(Vec2::zeros(), &[1.0; 6], &[]).unwrap();
    let mut angles = [0.0; 6];
    let outcome = chain.solve(
        &mut angles,
        Vec2::new(2.0, 0.0),
        &PlanarSettings::default(),
        &mut PlanarScratch::default(),
    );
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
}

#[test]
fn ranges_hold_and_the_error_never_grows() {
    let ranges =
        [Range::new(-0.5, 0.5), Range::new(0.0, 2.0), Range::new(-1.0, 0.2), Range::free()];
    let chain = PlanarChain::new(Vec2::new(1.0, 2.0), &[1.0, 0.5, 0.0, 2.0], &ranges).unwrap();
    let mut scratch = PlanarScratch::new(&chain);
    for i in 0..500 {
        let t = f64::from(i);
        let goal = Vec2::new(3.0 * (t * 0.7).sin(), 4.0 * (t * 1.1).cos());
        let mut angles = [(t * 0.3).sin() * 0.4, 1.0 + (t * 0.9).sin(), -0.3, t % 3.0];
        let before = (chain.tip(&angles) - goal).norm();
        let settings =
            PlanarSettings { helps: i % 2 == 0, max_iterations: 10, ..Default::default() };
        let settings =
            if i % 2 == 0 { settings } else { PlanarSettings { factor: 1.3, ..settings } };
        let outcome = chain.solve(&mut angles, goal, &settings, &mut scratch);
        for (angle, range) in angles.iter().zip(&ranges) {
            assert!(*angle >= range.min - 1e-12 && *angle <= range.max + 1e-12);
        }
        assert!(outcome.residual_len <= before + 1e-12, "{i}: {outcome:?} from {before}");
    }
}

#[test]
fn no_input_makes_a_nan() {
    let chain = PlanarChain::new(Vec2::zeros(), &[0.0, 1.0, 0.0], &[]).unwrap();
    for bad in [f64::NAN, f64::INFINITY, 1e300, 0.0] {
        let mut angles = [bad, 0.0, 1e300];
        let outcome = chain.solve(
            &mut angles,
            Vec2::new(bad, 0.0),
            &PlanarSettings::default(),
            &mut PlanarScratch::default(),
        );
        assert!(angles.iter().all(|a| a.is_finite()) && !outcome.residual_len.is_nan());
    }
    assert!(PlanarChain::new(Vec2::zeros(), &[f64::NAN], &[]).is_err());
    assert!(PlanarChain::new(Vec2::zeros(), &[], &[]).is_err());
}
