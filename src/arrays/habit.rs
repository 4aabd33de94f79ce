//! Guesses what arrays of points are whose shape is not (T, P, 3), and how to reshape them.

use crate::positions::Layout;

/// What an array of this shape probably contains, and the line of Python that makes (T, P, 3) of the array `points`.
/// `None` if the shape tells nothing.
pub fn way_out(shape: &[usize]) -> Option<String> {
    let known = |count: usize| Layout::ALL.iter().any(|layout| layout.points() == count);
    let one = "these are several clips; take each by itself, the first one as";
    let axes = "its axes are in another order; save";
    let (what, line) = match *shape {
        [_, frames, points, 3] if known(points) || !known(frames) => (one, "points[0]"),
        [_, _, _, 3] => (one, "points[0].transpose(1, 0, 2)"),
        [_, _, 3, _] => (one, "points[0].transpose(2, 0, 1)"),
        [_, 3, _, _] => (one, "points[0].transpose(1, 2, 0)"),
        [points, frames, 3] if known(points) && !known(frames) => {
            (axes, "points.transpose(1, 0, 2)")
        }
        [_, _, 3] => return None,
        [first, 3, last] if known(last) || (!known(first) && first > last) => {
            (axes, "points.transpose(0, 2, 1)")
        }
        [_, 3, _] => (axes, "points.transpose(2, 0, 1)"),
        [3, _, _] => (axes, "points.transpose(1, 2, 0)"),
        [_, _, 4] => {
            ("the fourth number of each point is none of its place; save", "points[..., :3]")
        }
        [_, _, 2] => {
            let what = "these are points in a picture, which do not show how far away they are; a model that \
                        gives them in space, such as VideoPose3D, lifts them";
            return Some(what.to_owned());
        }
        [points, 3] if known(points) => ("this is one frame; save", "points[None]"),
        [_, 263 | 251] => {
            let what = "these are HumanML3D's features, which are no places; save the joints that \
                        recover_from_ric of its code makes of them";
            return Some(what.to_owned());
        }
        [_, width] if width > 3 && width.is_multiple_of(3) => {
            ("the places of a frame are in one row; save", "points.reshape(len(points), -1, 3)")
        }
        _ => return None,
    };
    Some(format!("{what} {line}"))
}
