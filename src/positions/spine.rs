//! How the joints of the spine between hips and chest share the chest's twist.

use super::Tracked;
use crate::math::{Quat, Vec3, swing_twist};
use crate::rig::{Role, Roles};
use crate::skeleton::JointId;
use std::f64::consts::PI;

/// The several bones of hips and chest determine how these are turned. The joints of the spine between them have one
/// bone each, which determines no roll; each takes a share of the twist between hips and chest, by its place between
/// them.
///
/// `turned` are the world rotations of each joint in each frame; chests of one bone, which show no twist, share none.
pub fn share_twist(tracked: &Tracked, roles: &Roles, turned: &mut [Vec<Quat>]) {
    let role = |joint: usize| roles.role(JointId::new(joint));
    let is_spine = |joint: &usize| matches!(role(*joint), Some(Role::Spine(_)));
    let Some(chest) = (0..tracked.joints()).rev().find(is_spine) else { return };
    let above = std::iter::successors(Some(chest), |&joint| tracked.parent(joint));
    let mut way: Vec<usize> = above.take_while(|&joint| role(joint) != Some(Role::Hips)).collect();
    way.reverse();
    let bones = |joint: usize| tracked.children(joint).count();
    let between = &way[..way.len() - 1];
    let (Some(&below), Some(hips)) = (between.last(), tracked.parent(way[0])) else { return };
    if bones(chest) < 2 || between.iter().any(|&joint| bones(joint) > 1) {
        return;
    }
    let along = |frame, from, to| tracked.way(frame, from, to).try_normalize(1e-12);
    let twist = |(frame, (below_turned, chest_turned)): (usize, (&Quat, &Quat))| {
        let axis = along(frame, below, chest)?;
        Some(twist_about(chest_turned * below_turned.inverse(), axis))
    };
    let twists = turned[below].iter().zip(&turned[chest]).enumerate().map(twist);
    for (frame, twist) in twists.collect::<Vec<_>>().into_iter().enumerate() {
        let Some(twist) = twist else { continue };
        let len = |pair: &[usize]| tracked.way(frame, pair[0], pair[1]).norm();
        let mut place = len(&[hips, way[0]]);
        let whole = place + way.windows(2).map(len).sum::<f64>();
        for pair in way.windows(2) {
            if let Some(axis) = along(frame, pair[0], pair[1]) {
                let own = &mut turned[pair[0]][frame];
                *own = Quat::from_scaled_axis(axis * twist * place / whole) * *own;
            }
            place += len(pair);
        }
    }
}

/// By how much a rotation turns about an axis. A half turn may go either way round, so it counts as 0; angles near it
/// decrease continuously to 0.
fn twist_about(q: Quat, axis: Vec3) -> f64 {
    let (_, twist) = swing_twist(q, axis);
    let twist = 2.0 * twist.imag().dot(&axis).atan2(twist.w);
    let twist = if twist.abs() > PI { twist - 2.0 * PI * twist.signum() } else { twist };
    twist * (2.0 - 2.0 * twist.abs() / PI).min(1.0)
}
