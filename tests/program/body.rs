//! A small standing body that swings its arms, as text of a BVH file.

use std::fmt::Write;

/// How many frames the clip has.
pub const FRAMES: usize = 40;

/// The body with legs of 90 units, or as many times that as `legs` says.
pub fn clip(legs: f64) -> String {
    let mut text = hierarchy(legs);
    let _ = write!(text, "MOTION\nFrames: {FRAMES}\nFrame Time: 0.0333333\n");
    let hips = 96.0 + 90.0 * (legs - 1.0);
    for frame in 0..FRAMES {
        let swing = 20.0 * (frame as f64 / 6.0).sin();
        // Hips, then one row of three a joint.
        let mut row = vec![0.0, hips, 0.0];
        for (joint, ..) in JOINTS {
            let angles = match *joint {
                "LeftArm" => [-70.0, swing, 0.0],
                "RightArm" => [70.0, -swing, 0.0],
                _ => [0.0; 3],
            };
            row.extend(angles);
        }
        let row: Vec<String> = row.iter().map(|x: &f64| format!("{x:.4}")).collect();
        text += &row.join(" ");
        text.push('\n');
    }
    text
}

/// Name, depth, offset, End Site; offsets of legs as they are for legs of 90 units.
type Joint = (&'static str, usize, [f64; 3], Option<[f64; 3]>);

const JOINTS: &[Joint] = &[
    ("Hips", 0, [0.0, 0.0, 0.0], None),
    ("Spine", 1, [0.0, 20.0, 0.0], None),
    ("Neck", 2, [0.0, 30.0, 0.0], None),
    ("Head", 3, [0.0, 10.0, 0.0], Some([0.0, 15.0, 0.0])),
    ("LeftArm", 2, [18.0, 25.0, 0.0], None),
    ("LeftForeArm", 3, [28.0, 0.0, 0.0], None),
    ("LeftHand", 4, [25.0, 0.0, 0.0], Some([15.0, 0.0, 0.0])),
    ("RightArm", 2, [-18.0, 25.0, 0.0], None),
    ("RightForeArm", 3, [-28.0, 0.0, 0.0], None),
    ("RightHand", 4, [-25.0, 0.0, 0.0], Some([-15.0, 0.0, 0.0])),
    ("LeftUpLeg", 1, [10.0, 0.0, 0.0], None),
    ("LeftLeg", 2, [0.0, -45.0, 0.0], None),
    ("LeftFoot", 3, [0.0, -45.0, 0.0], None),
    ("LeftToe", 4, [0.0, -6.0, 14.0], Some([0.0, 0.0, 6.0])),
    ("RightUpLeg", 1, [-10.0, 0.0, 0.0], None),
    ("RightLeg", 2, [0.0, -45.0, 0.0], None),
    ("RightFoot", 3, [0.0, -45.0, 0.0], None),
    ("RightToe", 4, [0.0, -6.0, 14.0], Some([0.0, 0.0, 6.0])),
];

/// The body without its motion.
pub fn hierarchy(legs: f64) -> String {
    let mut text = String::from("HIERARCHY\n");
    let mut open = 0;
    for (name, depth, [x, y, z], end) in JOINTS {
        for _ in *depth..open {
            text.push_str("}\n");
        }
        open = depth + 1;
        let keyword = if *depth == 0 { "ROOT" } else { "JOINT" };
        let y = if *y == -45.0 { y * legs } else { *y };
        let _ = write!(text, "{keyword} {name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS ");
        let rotations = "Zrotation Xrotation Yrotation";
        let _ = match *depth {
            0 => writeln!(text, "6 Xposition Yposition Zposition {rotations}"),
            _ => writeln!(text, "3 {rotations}"),
        };
        if let Some([x, y, z]) = end {
            let _ = write!(text, "End Site\n{{\nOFFSET {x} {y} {z}\n}}\n");
        }
    }
    text + &"}\n".repeat(open)
}
