//! `skeleton.toml`: what is written is what is meant, and every mistake is told with its place.

use crate::rigs;
use retarget::internals::math::{Axis, EulerOrder, Vec3};
use retarget::internals::rig::{
    Description, JointLimit, RigFile, Role, Scale, Side, SkeletonSource, SoleOrigin, UpAxis,
    WrittenRoles, describe, recognise,
};
use retarget::internals::skeleton::Skeleton;

/// Every key that there is, once.
const FULL: &str = r#"
human_limits = false
up = "-z"
floor = -1.5
scale = 0.9
[roles]
hips = "Hips"
spine = ["Spine", "Spine.1"]
neck = ["Neck"]
head = "Head"
left_clavicle = "LClav"
left_upper_arm = "LArm"
left_forearm = "LElbow"
left_hand = "LHand"
left_thigh = "L\u0009Thigh \"quoted\""
left_index_metacarpal = "LMeta"
left_index = ["LI1", "LI2", "LI3"]
right_foot = "RFoot"
ignore = ["Prop"]
worn = ["Root"]
[reference]
frame = 3
[reference.rotations_deg]
LArm = [0.0, 10.5, -45.0]
[reference.rotations_xyzw]
RArm = [0.1, 0.3, 0.3, 0.9]
[reference.translations]
Hips = [0.1, 91.0, -0.0]
[reference.frames_xyzw]
Hips = [0.0, 0.0, 0.0, 2.0]
Spine = [0.6, 0.0, -0.8, 0.0]
[feet.left]
heel = [0.0, -8.0, -5.0]
ball = [0, -8, 12.25]
up = [0.0, 3.0, 0.0]
ahead = [0.0, 0.6, 0.8]
toe_ahead = [0.0, 0.0, 1.0]
ankle_height = 8.1
stance_ankle_height = 8.2
ball_height = 0.3
bends = false
known_from = "motion"
[feet.right]
known_from = "bones"
toe = [0.0, 0.0, 1e-3]
[limits.LElbow]
axis = [2.0, 0.0, 0.0]
min_deg = -5.0
max_deg = 150
[limits."L Hip"]
swing_deg = [60.0, 30.0]
twist_deg = [-20.0, 40.0]
[limits.LToe]
free = true
[weights]
left_hand = 0.25
[[joints]]
name = "Hips"
offset = [0.0, 90.0, 0.0]
channels = ["Xposition", "Yposition", "Zposition", "Yrotation", "Zrotation", "Xrotation"]
[[joints]]
name = "Spine"
parent = "Hips"
offset = [0.0, 10.0, 0.0]
end_sites = [[0.0, 1.0, 0.0], [0.1, 0.2, 0.30000000000000004]]
"#;

fn error(text: &str) -> String {
    match RigFile::parse(text) {
        Ok(_) => panic!("not refused:\n{text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_key_is_read_and_written_text_reads_back_the_same() {
    let file = RigFile::parse(FULL).expect("a sound file");
    assert_eq!(file.up, Some(UpAxis { axis: Axis::Z, negative: true }));
    assert_eq!(file.floor, Some(-1.5));
    assert_eq!(file.scale, Some(Scale::Factor(0.9)));
    assert_eq!(file.roles.len(), 15);
    assert_eq!(file.roles[&Role::Spine(2)], "Spine.1");
    assert_eq!(file.roles[&"left_index.0".parse().expect("a role")], "LMeta");
    assert_eq!(file.roles[&"left_index.3".parse().expect("a role")], "LI3");
    assert_eq!(file.roles[&Role::Thigh(Side::Left)], "L\tThigh \"quoted\"");
    assert_eq!(file.ignore, ["Prop"]);
    assert_eq!(file.feet[0].ball, Some(Vec3::new(0.0, -8.0, 12.25)));
    assert_eq!(file.weights[&Role::Hand(Side::Left)], 0.25);
    let JointLimit::Hinge { axis, max_rad, .. } = file.limits["LElbow"] else { panic!("a hinge") };
    assert_eq!((axis, max_rad), (Vec3::x(), 150_f64.to_radians()));
    let reference = file.reference.as_ref().expect("a reference");
    assert_eq!(reference.frame, Some(3));
    assert_eq!(reference.rotations_rad["LArm"][2], -45_f64.to_radians());
    assert_eq!(reference.frames["Hips"].coords.as_slice(), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(reference.frames["Spine"].coords.as_slice(), [0.6, 0.0, -0.8, 0.0]);
    assert_eq!(file.feet[0].up, Some(Vec3::y()));
    assert_eq!(file.feet[0].known_from, Some(SoleOrigin::Motion));

    let text = file.to_toml();
    assert_eq!(RigFile::parse(&text).expect("its own text"), file, "{text}");
    assert_eq!(RigFile::parse(&RigFile::default().to_toml()), Ok(RigFile::default()));
}

#[test]
fn no_cut_or_changed_text_makes_the_parser_panic() {
    for end in (0..FULL.len()).filter(|&end| FULL.is_char_boundary(end)) {
        let _ = RigFile::parse(&FULL[..end]);
        for put in ["\"", "]", "=", "nan", "[[joints]]", "9e999", "\u{0}"] {
            let changed = format!("{}{put}{}", &FULL[..end], &FULL[end..]);
            if let Ok(file) = RigFile::parse(&changed) {
                let _ = (file.skeleton(), file.to_toml());
            }
        }
    }
}

#[test]
fn a_mistake_is_told_with_its_line_and_what_would_be_right() {
    let cases = [
        (
            "[roles]\nleft_tigh = \"A\"",
            "line 2: `roles.left_tigh`: unknown key; did you mean \"left_thigh\"?",
        ),
        ("flor = 0.0", "line 1: `flor`: unknown key; did you mean \"floor\"?"),
        (
            "[feet.left]\n\nheal = [0, 0, 0]",
            "line 3: `feet.left.heal`: unknown key; did you mean \"heel\"?",
        ),
        (
            "[feet.left]\nknown_from = \"bone\"",
            "line 2: `feet.left.known_from`: this is the text \"bone\"; it must be \"motion\", \"bones\" or \"assumed\"",
        ),
        (
            "[reference.frames_xyzw]\nA = [0, 0, 0]",
            "line 2: `reference.frames_xyzw.A`: this is a list of 3; it must be a quaternion: four numbers, x, y, z and w",
        ),
        (
            "[reference.rotations_xyzw]\nA = [0, 0, 0, 0]",
            "line 2: `reference.rotations_xyzw.A`: this is four zeros; it must be a quaternion that is a rotation",
        ),
        ("[feet.middle]", "line 1: `feet.middle`: unknown key; known are left, right"),
        ("[reference]\nposes = \"rest\"", "did you mean \"pose\"?"),
        ("[weights]\nleft_hnd = 1.0", "did you mean \"left_hand\"?"),
        ("[[joints]]\nname = \"A\"\nofset = [0, 0, 0]", "`joints.offset`: it must be given"),
        (
            "[[joints]]\nname = \"A\"\noffset = [0, 0, 0]\nchanels = []",
            "line 4: `joints.chanels`: unknown key; did you mean \"channels\"?",
        ),
        (
            "[roles]\nhips = [\"A\"]",
            "line 2: `roles.hips`: this is a list of 1; it must be the name of a joint",
        ),
        (
            "[roles]\nspine = \"A\"",
            "line 2: `roles.spine`: this is the text \"A\"; it must be a list",
        ),
        (
            "[roles]\nleft_index = [\"A\", \"B\", \"C\", \"D\"]",
            "this is a list of 4; it must be a list of up to three",
        ),
        ("up = \"w\"", "line 1: `up`: this is the text \"w\"; it must be an axis"),
        (
            "scale = -1",
            "this is the number -1; it must be \"leg\", \"height\", \"none\" or a number from 0.000000001 to 1000000000",
        ),
        (
            "scale = \"arm\"",
            "it must be \"leg\", \"height\", \"none\" or a number from 0.000000001 to 1000000000",
        ),
        ("floor = nan", "this is the number nan"),
        ("[weights]\nhead = 2.0", "it must be a number from 0 to 1"),
        ("[reference]\npose = \"t\"", "it must be \"rest\""),
        ("[reference]\nframe = -1", "it must be the number of a frame"),
        ("[limits.A]\naxis = [0, 0, 0]\nmin_deg = 0\nmax_deg = 1", "this is a zero vector"),
        ("[limits.A]\naxis = [1, 0, 0]\nmin_deg = 5\nmax_deg = 1", "not below min_deg"),
        ("[limits.A]\naxis = [1, 0, 0]\nmin_deg = 5", "`limits.A.max_deg`: it must be given"),
        ("[limits.A]\nfree = false", "this is false; it must be true"),
        ("[limits.A]\nfree = true\nmin_deg = 0", "unknown key"),
        (
            "human_limits = 1",
            "line 1: `human_limits`: this is the number 1; it must be true or false",
        ),
        ("[limits.A]\nswing_deg = [1, 200]", "two half angles in degrees, 0 to 180"),
        (
            "[feet.left]\nheel = [1, 2]",
            "line 2: `feet.left.heel`: this is a list of 2; it must be three numbers",
        ),
        (
            "[[joints]]\nname = \"A\"\noffset = [0,0,0]\nchannels = [\"Xrot\"]",
            "it must be a list of channels",
        ),
        (
            "[[joints]]\nname = \"A\"\noffset = [0,0,0]\nchannels = [\"Xrotation\", \"Xrotation\"]",
            "each once",
        ),
        ("hips = \n", "line 1: "),
        ("up = \"y\"\nup = \"z\"", "line 2: "),
    ];
    for (text, wanted) in cases {
        let got = error(text);
        assert!(got.contains(wanted), "{text}\nsays: {got}\nnot:  {wanted}");
        assert!(!got.contains('\n'), "{got}");
    }
}

/// A skeleton of `(name, parent)` with offsets that differ.
fn skeleton(joints: &[(&str, &str)]) -> Result<Skeleton, String> {
    let mut text = String::new();
    for (i, (name, parent)) in joints.iter().enumerate() {
        text += &format!("[[joints]]\nname = {name:?}\noffset = [{i}, 1, 0]\n");
        if !parent.is_empty() {
            text += &format!("parent = {parent:?}\n");
        }
    }
    let file = RigFile::parse(&text).map_err(|e| e.to_string())?;
    file.skeleton().map(|s| s.expect("joints")).map_err(|e| e.to_string())
}

#[test]
fn joints_may_be_listed_in_any_order() {
    let sorted = skeleton(&[("A", ""), ("B", "A"), ("C", "B"), ("D", "A"), ("E", "")]);
    let names = |s: Skeleton| s.joints().iter().map(|j| j.name.clone()).collect::<Vec<_>>();
    assert_eq!(sorted.map(names), Ok(["A", "B", "C", "D", "E"].map(str::to_owned).to_vec()));
    let mixed = skeleton(&[("C", "B"), ("B", "A"), ("E", ""), ("A", ""), ("D", "A")]);
    assert_eq!(mixed.map(names), Ok(["E", "A", "B", "C", "D"].map(str::to_owned).to_vec()));
    let roots = skeleton(&[("B", "A"), ("A", "")]).expect("a tree");
    let channels = |i: usize| roots.joints()[i].channels.len();
    assert_eq!((channels(0), channels(1)), (6, 3));
}

#[test]
fn joints_that_make_no_tree_are_refused() {
    let cases: [(&[(&str, &str)], &str); 5] = [
        (
            &[("A", ""), ("B", "C"), ("C", "B")],
            "line 4: `joints.parent`: \"B\" would be its own ancestor",
        ),
        (&[("A", "A")], "would be its own ancestor"),
        (&[("Hips", ""), ("B", "Hps")], "no joint is called \"Hps\"; did you mean \"Hips\"?"),
        (
            &[("A", ""), ("A", ""), ("B", "A")],
            "2 joints are called \"A\"; write \"A#1\" for the first",
        ),
        (&[("A", ""), ("B", "A#2")], "no joint is called \"A#2\""),
    ];
    for (joints, wanted) in cases {
        let got = skeleton(joints).expect_err("no tree");
        assert!(got.contains(wanted), "says: {got}\nnot:  {wanted}");
    }
    assert!(skeleton(&[("A", ""), ("A", ""), ("B", "A#2")]).is_ok());
    let both = RigFile::parse(&format!("bvh = \"a.bvh\"\n{FULL}")).expect("a sound file");
    assert!(both.skeleton().expect_err("two").to_string().contains("not as both"));
    let none = RigFile::parse("up = \"y\"").expect("a sound file");
    assert!(none.skeleton().expect_err("none").to_string().contains("the skeleton is missing"));
}

#[test]
fn names_are_checked_against_the_skeleton() {
    let body = skeleton(&[
        ("Hips", ""),
        ("Leg", "Hips"),
        ("Leg", "Hips"),
        ("Foot#1", "Hips"),
        ("", "Hips"),
    ])
    .expect("a tree");
    let roles = |text: &str| {
        let file = RigFile::parse(text).expect("a sound file");
        file.roles(&body).map(|w| w.roles).map_err(|e| e.to_string())
    };
    let joint =
        |text: &str, role: Role| roles(text).expect("joints").joint(role).map(|j| j.index());
    assert_eq!(joint("[roles]\nleft_shin = \"Leg#2\"", Role::Shin(Side::Left)), Some(2));
    assert_eq!(joint("[roles]\nleft_foot = \"Foot#1\"", Role::Foot(Side::Left)), Some(3));
    assert_eq!(joint("[roles]\nhead = \"\"", Role::Head), Some(4));
    for (text, wanted) in [
        (
            "[roles]\nhips = \"Hip\"",
            "line 2: `roles.hips`: no joint is called \"Hip\"; did you mean \"Hips\"?",
        ),
        (
            "[roles]\nhips = \"Leg\"",
            "2 joints are called \"Leg\"; write \"Leg#1\" for the first of them",
        ),
        ("[roles]\nhips = \"Leg#3\"", "no joint is called \"Leg#3\""),
        ("[roles]\nhips = \"Hips\"\nhead = \"Hips\"", "joint \"Hips\" has a role already: hips"),
        (
            "[roles]\nhips = \"Hips\"\nignore = [\"Hips\"]",
            "line 3: `roles.ignore`: joint \"Hips\" has a role already",
        ),
    ] {
        let got = roles(text).expect_err("a mistake");
        assert!(got.contains(wanted), "says: {got}\nnot:  {wanted}");
    }
    let file = RigFile::parse("[limits.Hipps]\naxis = [1, 0, 0]\nmin_deg = 0\nmax_deg = 9")
        .expect("a file");
    let got = file.hints(&body, None).expect_err("a mistake").to_string();
    assert!(
        got.contains(
            "line 1: `limits.Hipps`: no joint is called \"Hipps\"; did you mean \"Hips\"?"
        ),
        "{got}"
    );
}

#[test]
fn a_stance_is_read_in_the_channel_order_of_the_joint() {
    let body = skeleton(&[("Hips", ""), ("Arm", "Hips")]).expect("a tree");
    let text = "[reference.rotations_deg]\nArm = [30.0, 40.0, 50.0]";
    let file = RigFile::parse(text).expect("a sound file");
    let stance = file.hints(&body, None).expect("hints").stance.expect("a stance");
    let order = EulerOrder::new(&[Axis::Z, Axis::X, Axis::Y]).expect("an order");
    let wanted = order.compose([30_f64, 40.0, 50.0].map(f64::to_radians));
    assert!(stance.rotations[1].angle_to(&wanted) < 1e-12);
    assert!(stance.rotations[0].angle() < 1e-12);
    for (text, wanted) in [
        (
            "[reference.rotations_deg]\nArm = [1, 2]",
            "line 2: `reference.rotations_deg.Arm`: joint \"Arm\" has 3 rotation channels",
        ),
        ("[reference]\nframe = 2", "line 2: `reference.frame`: the rig's file has 0 frames"),
    ] {
        let file = RigFile::parse(text).expect("a sound file");
        let got = file.hints(&body, None).expect_err("a mistake").to_string();
        assert!(got.contains(wanted), "{got}");
    }
}

/// Without its own frame a joint goes on from the one above as in the pose.
#[test]
fn stated_frames_are_taken_as_they_are() {
    let body = skeleton(&[("Hips", ""), ("Arm", "Hips"), ("Hand", "Arm")]).expect("a tree");
    let text = "[reference.rotations_xyzw]\nHand = [0.0, 0.6, 0.0, 0.8]\n\
                [reference.translations]\nArm = [1.0, 2.0, 3.0]\n\
                [reference.frames_xyzw]\nHips = [0.0, 0.0, 0.0, 1.0]\nArm = [0.6, 0.0, 0.0, 0.8]";
    let file = RigFile::parse(text).expect("a sound file");
    let hints = file.hints(&body, None).expect("hints");
    let (pose, frames) = (hints.stance.expect("a stance"), hints.frames.expect("frames"));
    assert_eq!(pose.translations[1], Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(frames[1].coords.as_slice(), [0.6, 0.0, 0.0, 0.8]);
    assert_eq!(frames[2], frames[1] * pose.rotations[2]);
    let unknown = RigFile::parse("[reference.frames_xyzw]\nHipps = [0, 0, 0, 1]").expect("a file");
    let got = unknown.hints(&body, None).expect_err("a mistake").to_string();
    assert!(got.contains("line 2: `reference.frames_xyzw.Hipps`: no joint is called"), "{got}");
}

#[test]
fn a_described_rig_parses_back_to_the_same_skeleton_and_roles() {
    let rigs = rigs::parse(include_str!("recognise/rigs.txt"));
    assert_eq!(rigs.len(), 76);
    for rig in rigs {
        let found = recognise(&rig.skeleton, &WrittenRoles::default()).expect(&rig.title);
        assert_eq!(found.roles.len(), rig.roles.len(), "{}", rig.title);
        let bvh = SkeletonSource::Bvh("a \"b\"\\c.bvh");
        for source in [SkeletonSource::Joints, bvh, SkeletonSource::Clips] {
            let text = describe(&Description {
                skeleton: &rig.skeleton,
                source,
                recognised: &found,
                rig: None,
                floor: Some(0.0),
            });
            let file =
                RigFile::parse(&text).unwrap_or_else(|e| panic!("{}: {e}\n{text}", rig.title));
            match source {
                SkeletonSource::Joints => {
                    assert_eq!(file.skeleton(), Ok(Some(rig.skeleton.clone())), "{}", rig.title);
                }
                SkeletonSource::Bvh(path) => assert_eq!(file.bvh.as_deref(), Some(path)),
                SkeletonSource::Clips => {
                    assert!(file.bvh.is_none() && file.joints.is_empty() && file.scale.is_none());
                }
            }
            let written =
                file.roles(&rig.skeleton).unwrap_or_else(|e| panic!("{}: {e}", rig.title));
            assert_eq!(written.roles, found.roles, "{}", rig.title);
            let again = recognise(&rig.skeleton, &written).expect("what was recognised");
            assert_eq!(again.roles, found.roles, "{}", rig.title);
            assert!(again.evidence.iter().all(|e| e.confidence == 1.0), "{}", rig.title);
        }
    }
}
