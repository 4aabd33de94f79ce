//! The orders in which models and trackers give their points, and the joints that these make.

use super::{PositionsError, Tracked};
use crate::math::Vec3;

/// An order of points that many people use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    name: &'static str,
    points: usize,
    /// Name, place of the parent, and the points in whose middle the joint is.
    joints: &'static [(&'static str, isize, &'static [usize])],
}

/// The body's joints of SMPL, in its order (Loper et al. 2015); HumanML3D has the first 22 of them.
const SMPL: [(&str, isize, &[usize]); 24] = [
    ("Pelvis", -1, &[0]),
    ("Left_hip", 0, &[1]),
    ("Right_hip", 0, &[2]),
    ("Spine1", 0, &[3]),
    ("Left_knee", 1, &[4]),
    ("Right_knee", 2, &[5]),
    ("Spine2", 3, &[6]),
    ("Left_ankle", 4, &[7]),
    ("Right_ankle", 5, &[8]),
    ("Spine3", 6, &[9]),
    ("Left_foot", 7, &[10]),
    ("Right_foot", 8, &[11]),
    ("Neck", 9, &[12]),
    ("Left_collar", 9, &[13]),
    ("Right_collar", 9, &[14]),
    ("Head", 12, &[15]),
    ("Left_shoulder", 13, &[16]),
    ("Right_shoulder", 14, &[17]),
    ("Left_elbow", 16, &[18]),
    ("Right_elbow", 17, &[19]),
    ("Left_wrist", 18, &[20]),
    ("Right_wrist", 19, &[21]),
    ("Left_palm", 20, &[22]),
    ("Right_palm", 21, &[23]),
];

/// The 17 points of COCO's people.
const COCO: [(&str, isize, &[usize]); 21] = [
    ("Hips", -1, &[11, 12]),
    ("LeftUpLeg", 0, &[11]),
    ("LeftLeg", 1, &[13]),
    ("LeftFoot", 2, &[15]),
    ("RightUpLeg", 0, &[12]),
    ("RightLeg", 4, &[14]),
    ("RightFoot", 5, &[16]),
    ("Spine", 0, &[5, 6, 11, 12]),
    ("Spine1", 7, &[5, 6]),
    ("LeftShoulder", 8, &[5, 6]),
    ("LeftArm", 9, &[5]),
    ("LeftForeArm", 10, &[7]),
    ("LeftHand", 11, &[9]),
    ("RightShoulder", 8, &[5, 6]),
    ("RightArm", 13, &[6]),
    ("RightForeArm", 14, &[8]),
    ("RightHand", 15, &[10]),
    ("Neck", 8, &[5, 6]),
    ("Head", 17, &[3, 4]),
    ("Nose", 18, &[0]),
    ("Ear_L", 18, &[3]),
];

/// The 17 joints of Human3.6M that pose estimators use.
const H36M: [(&str, isize, &[usize]); 20] = [
    ("Hips", -1, &[0]),
    ("LeftUpLeg", 0, &[4]),
    ("LeftLeg", 1, &[5]),
    ("LeftFoot", 2, &[6]),
    ("RightUpLeg", 0, &[1]),
    ("RightLeg", 4, &[2]),
    ("RightFoot", 5, &[3]),
    ("Spine", 0, &[7]),
    ("Spine1", 7, &[8]),
    ("LeftShoulder", 8, &[8]),
    ("LeftArm", 9, &[11]),
    ("LeftForeArm", 10, &[12]),
    ("LeftHand", 11, &[13]),
    ("RightShoulder", 8, &[8]),
    ("RightArm", 13, &[14]),
    ("RightForeArm", 14, &[15]),
    ("RightHand", 15, &[16]),
    ("Neck", 8, &[8]),
    ("Head", 17, &[9]),
    ("HeadTop", 18, &[10]),
];

/// The 33 landmarks of MediaPipe's pose; heels and most of the face are left out.
const MEDIAPIPE: [(&str, isize, &[usize]); 29] = [
    ("Hips", -1, &[23, 24]),
    ("LeftUpLeg", 0, &[23]),
    ("LeftLeg", 1, &[25]),
    ("LeftFoot", 2, &[27]),
    ("LeftToeBase", 3, &[31]),
    ("RightUpLeg", 0, &[24]),
    ("RightLeg", 5, &[26]),
    ("RightFoot", 6, &[28]),
    ("RightToeBase", 7, &[32]),
    ("Spine", 0, &[11, 12, 23, 24]),
    ("Spine1", 9, &[11, 12]),
    ("LeftShoulder", 10, &[11, 12]),
    ("LeftArm", 11, &[11]),
    ("LeftForeArm", 12, &[13]),
    ("LeftHand", 13, &[15]),
    ("LeftHandThumb1", 14, &[21]),
    ("LeftHandIndex1", 14, &[19]),
    ("LeftHandPinky1", 14, &[17]),
    ("RightShoulder", 10, &[11, 12]),
    ("RightArm", 18, &[12]),
    ("RightForeArm", 19, &[14]),
    ("RightHand", 20, &[16]),
    ("RightHandThumb1", 21, &[22]),
    ("RightHandIndex1", 21, &[20]),
    ("RightHandPinky1", 21, &[18]),
    ("Neck", 10, &[11, 12]),
    ("Head", 25, &[7, 8]),
    ("Nose", 26, &[0]),
    ("Ear_L", 26, &[7]),
];

/// The 25 joints of the second Kinect.
const KINECT: [(&str, isize, &[usize]); 25] = [
    ("Hips", -1, &[0]),
    ("LeftUpLeg", 0, &[12]),
    ("LeftLeg", 1, &[13]),
    ("LeftFoot", 2, &[14]),
    ("LeftToeBase", 3, &[15]),
    ("RightUpLeg", 0, &[16]),
    ("RightLeg", 5, &[17]),
    ("RightFoot", 6, &[18]),
    ("RightToeBase", 7, &[19]),
    ("Spine", 0, &[1]),
    ("Spine1", 9, &[20]),
    ("LeftShoulder", 10, &[20]),
    ("LeftArm", 11, &[4]),
    ("LeftForeArm", 12, &[5]),
    ("LeftHand", 13, &[6]),
    ("LeftHandThumb1", 14, &[22]),
    ("LeftHandMiddle1", 14, &[7, 21]),
    ("RightShoulder", 10, &[20]),
    ("RightArm", 17, &[8]),
    ("RightForeArm", 18, &[9]),
    ("RightHand", 19, &[10]),
    ("RightHandThumb1", 20, &[24]),
    ("RightHandMiddle1", 20, &[11, 23]),
    ("Neck", 10, &[2]),
    ("Head", 23, &[3]),
];

impl Layout {
    /// All layouts that have a name.
    pub const ALL: [Layout; 6] = [
        Layout { name: "humanml3d", points: 22, joints: SMPL.split_at(22).0 },
        Layout { name: "smpl", points: 24, joints: &SMPL },
        Layout { name: "coco17", points: 17, joints: &COCO },
        Layout { name: "h36m17", points: 17, joints: &H36M },
        Layout { name: "mediapipe33", points: 33, joints: &MEDIAPIPE },
        Layout { name: "kinect25", points: 25, joints: &KINECT },
    ];

    /// The layout of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layout| layout.name == name)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How many points a frame has.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The joints of points that lie frame-major, `per_frame` a frame. Joints that no point shows, such as a neck
    /// between two shoulders, are put into the middle of those around.
    pub fn tracked(&self, points: &[Vec3], per_frame: usize) -> Result<Tracked, PositionsError> {
        let names: Vec<String> = self.joints.iter().map(|joint| joint.0.to_owned()).collect();
        if per_frame != self.points || !points.len().is_multiple_of(per_frame) {
            let (names, parents) = (self.points, self.points);
            return Err(PositionsError::Counts { names, parents, points: per_frame });
        }
        if let Some(i) = points.iter().position(|at| !at.iter().all(|x| x.is_finite())) {
            let joint = format!("point {}", i % per_frame);
            return Err(PositionsError::NotFinite { frame: i / per_frame, joint });
        }
        let middle = |frame: &[Vec3], of: &[usize]| {
            of.iter().map(|&point| frame[point]).sum::<Vec3>() / of.len() as f64
        };
        let positions = points
            .chunks_exact(per_frame)
            .flat_map(|frame| self.joints.iter().map(|joint| middle(frame, joint.2)))
            .collect();
        Tracked::new(names, self.joints.iter().map(|joint| joint.1).collect(), positions)
    }
}
