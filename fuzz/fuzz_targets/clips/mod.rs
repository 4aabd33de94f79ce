//! Clips that are made by choices, so that nearly all of them are bodies that move, with everything that real files
//! have and some that none should have.

// No target uses all of it.
#![allow(dead_code)]

pub mod choices;
pub mod folder;

use choices::Choices;
use std::fmt::Write;

/// A joint of a body: its name in several habits, its parent's place in this list, and its place in centimetres.
const BODY: [([&str; 4], usize, [f64; 3]); 22] = [
    (["Hips", "mixamorig:Hips", "root", "pelvis"], 0, [0.0, 95.0, 0.0]),
    (["Spine", "mixamorig:Spine", "lowerback", "spine_01"], 0, [0.0, 10.0, 0.0]),
    (["Spine1", "mixamorig:Spine1", "upperback", "spine_02"], 1, [0.0, 12.0, 0.0]),
    (["Neck", "mixamorig:Neck", "lowerneck", "neck_01"], 2, [0.0, 25.0, 0.0]),
    (["Head", "mixamorig:Head", "head", "head"], 3, [0.0, 9.0, 1.0]),
    (["LeftShoulder", "mixamorig:LeftShoulder", "lclavicle", "clavicle_l"], 2, [4.0, 20.0, 0.0]),
    (["LeftArm", "mixamorig:LeftArm", "lhumerus", "upperarm_l"], 5, [14.0, 0.0, 0.0]),
    (["LeftForeArm", "mixamorig:LeftForeArm", "lradius", "lowerarm_l"], 6, [28.0, 0.0, 0.0]),
    (["LeftHand", "mixamorig:LeftHand", "lwrist", "hand_l"], 7, [25.0, 0.0, 0.0]),
    (["RightShoulder", "mixamorig:RightShoulder", "rclavicle", "clavicle_r"], 2, [-4.0, 20.0, 0.0]),
    (["RightArm", "mixamorig:RightArm", "rhumerus", "upperarm_r"], 9, [-14.0, 0.0, 0.0]),
    (["RightForeArm", "mixamorig:RightForeArm", "rradius", "lowerarm_r"], 10, [-28.0, 0.0, 0.0]),
    (["RightHand", "mixamorig:RightHand", "rwrist", "hand_r"], 11, [-25.0, 0.0, 0.0]),
    (["LeftUpLeg", "mixamorig:LeftUpLeg", "lfemur", "thigh_l"], 0, [9.0, -2.0, 0.0]),
    (["LeftLeg", "mixamorig:LeftLeg", "ltibia", "calf_l"], 13, [0.0, -44.0, 0.0]),
    (["LeftFoot", "mixamorig:LeftFoot", "lfoot", "foot_l"], 14, [0.0, -42.0, 0.0]),
    (["LeftToeBase", "mixamorig:LeftToeBase", "ltoes", "ball_l"], 15, [0.0, -6.0, 14.0]),
    (["RightUpLeg", "mixamorig:RightUpLeg", "rfemur", "thigh_r"], 0, [-9.0, -2.0, 0.0]),
    (["RightLeg", "mixamorig:RightLeg", "rtibia", "calf_r"], 17, [0.0, -44.0, 0.0]),
    (["RightFoot", "mixamorig:RightFoot", "rfoot", "foot_r"], 18, [0.0, -42.0, 0.0]),
    (["RightToeBase", "mixamorig:RightToeBase", "rtoes", "ball_r"], 19, [0.0, -6.0, 14.0]),
    (["", "Twist", "LeftFoot", "x y"], 7, [10.0, 0.0, 0.0]),
];

const ORDERS: [&str; 8] = [
    "Zrotation Xrotation Yrotation",
    "Xrotation Yrotation Zrotation",
    "Yrotation Xrotation Zrotation",
    "Zrotation Yrotation Xrotation",
    "Xrotation",
    "Zrotation Yrotation",
    "",
    "Zrotation Xrotation Yrotation",
];

/// Numbers that are seldom meant.
const STRANGE: [&str; 16] = [
    "0",
    "-0.0",
    "1e-30",
    "-1e-9",
    "1e9",
    "-999999999",
    "1e10",
    "1e17",
    "1e300",
    "-1e308",
    "4.9e-324",
    "360",
    "-720",
    "1e5",
    "123456.789",
    "0.000001",
];

const UNITS: [f64; 8] = [1.0, 0.01, 10.0, 1.0 / 2.54, 1e-6, 1e5, 1e7, 1.0];

const FRAME_TIMES: [&str; 8] =
    ["0.0333333", "0.008333", "0.04", "0.00001", "1000", "1", "1e-3", "0.0416667"];

struct Joint {
    text: String,
    children: Vec<usize>,
    /// For each channel the middle, the swing and the pace of its number.
    channels: Vec<[f64; 3]>,
}

/// The text of a clip. Nearly every one is a body that can be recognised.
pub fn clip(choices: &mut Choices) -> String {
    let habit = choices.below(4);
    let unit = *choices.of(&UNITS);
    let wild = choices.one_in(4);
    let (z_up, order) = (choices.one_in(4), choices.below(8));
    let mut joints: Vec<Option<Joint>> = Vec::new();
    for (i, (names, _, place)) in BODY.iter().enumerate() {
        // What a body may lack; the last is more than it needs.
        let lacks = i > 0 && (choices.one_in(if i == 21 { 2 } else { 200 }));
        joints.push(
            (!lacks).then(|| joint(choices, i, names[habit], *place, unit, z_up, wild, order)),
        );
    }
    for i in 1..BODY.len() {
        if joints[i].is_none() {
            continue;
        }
        let mut parent = BODY[i].1;
        while joints[parent].is_none() {
            parent = BODY[parent].1;
        }
        joints[parent].as_mut().expect("the root at last").children.push(i);
    }
    let mut text = String::from("HIERARCHY\n");
    let mut channels = Vec::new();
    put(&joints, 0, choices, &mut text, &mut channels);
    rows(choices, &channels, wild, &mut text);
    written_otherwise(choices, text)
}

#[allow(clippy::too_many_arguments)]
fn joint(
    choices: &mut Choices,
    i: usize,
    name: &str,
    place: [f64; 3],
    unit: f64,
    z_up: bool,
    wild: bool,
    order: usize,
) -> Joint {
    let mut number = |at: f64| match wild && choices.one_in(100) {
        true => (*choices.of(&STRANGE)).to_owned(),
        false => format!("{}", unit * (at * (1.0 + 0.2 * choices.unit()))),
    };
    let [x, y, z] = if z_up { [place[0], -place[2], place[1]] } else { place };
    let offset = [number(x), number(y), number(z)].join(" ");
    let order = if wild && choices.one_in(20) { choices.below(8) } else { order };
    let rotations = if i == 0 { ORDERS[order % 4] } else { ORDERS[order] };
    let positions = i == 0 || wild && choices.one_in(12);
    let mut channels = Vec::new();
    let mut names = String::new();
    if positions {
        names.push_str("Xposition Yposition Zposition ");
        let spread = unit * 10f64.powi(choices.below(4) as i32);
        for at in [x, y, z] {
            channels.push([unit * at, spread * choices.unit(), choices.unit()]);
        }
    }
    names.push_str(rotations);
    for _ in rotations.split_whitespace() {
        channels.push([20.0 * choices.unit(), 40.0 * choices.unit(), choices.unit()]);
    }
    let text = format!("{name}\n{{\nOFFSET {offset}\nCHANNELS {} {names}\n", channels.len());
    Joint { text, children: Vec::new(), channels }
}

fn put(
    joints: &[Option<Joint>],
    i: usize,
    choices: &mut Choices,
    text: &mut String,
    channels: &mut Vec<[f64; 3]>,
) {
    let Some(joint) = &joints[i] else { return };
    text.push_str(if i == 0 { "ROOT " } else { "JOINT " });
    text.push_str(&joint.text);
    channels.extend(&joint.channels);
    for &child in &joint.children {
        put(joints, child, choices, text, channels);
    }
    if joint.children.is_empty() && !choices.one_in(10) {
        let end = choices.unit();
        let _ = write!(text, "End Site\n{{\nOFFSET 0 {end} 0\n}}\n");
    }
    text.push_str("}\n");
}

fn rows(choices: &mut Choices, channels: &[[f64; 3]], wild: bool, text: &mut String) {
    let frames = choices.below(60);
    let time = *choices.of(&FRAME_TIMES);
    let _ = write!(text, "MOTION\nFrames: {frames}\nFrame Time: {time}\n");
    for frame in 0..frames {
        for [middle, swing, pace] in channels {
            let value = middle + swing * (pace * frame as f64).sin();
            let _ = match wild && choices.one_in(250) {
                true => write!(text, "{} ", choices.of(&STRANGE)),
                false => write!(text, "{value:.4} "),
            };
        }
        text.push('\n');
    }
}

/// The same as other programs write it, or as what became of it on the way.
fn written_otherwise(choices: &mut Choices, text: String) -> String {
    match choices.below(16) {
        0 => text.replace('\n', "\r\n"),
        1 => text.replace('\n', "\r"),
        2 => format!("\u{feff}{text}"),
        3 => text.replace("Frames: ", "Frames: 9"),
        4 => text.replacen("Frames", "Fraems", 1),
        5 | 6 => {
            let cut = text.len() * choices.below(256) / 256;
            text.get(..cut).unwrap_or_default().to_owned()
        }
        7 => text.replace(' ', "\n"),
        8 => text.replacen("JOINT", "joint", 3),
        _ => text,
    }
}
