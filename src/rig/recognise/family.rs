//! The usual names of well-known rigs, for messages; roles do not depend on them.

use crate::skeleton::Skeleton;

/// A rig's usual name and joints that it has. The first of the list whose joints are all there,
/// behind whatever prefix, is the rig's; so those with more telling names come first.
const FAMILIES: &[(&str, &[&str])] = &[
    ("Character Creator", &["CC_Base_Hip", "CC_Base_L_Thigh"]),
    ("VRoid", &["J_Bip_C_Hips", "J_Bip_L_UpperLeg"]),
    ("ValveBiped", &["ValveBiped.Bip01_Pelvis"]),
    ("Mixamo", &["mixamorig:Hips", "mixamorig:LeftUpLeg"]),
    ("Mixamo", &["mixamorigHips", "mixamorigLeftUpLeg"]),
    ("Mixamo", &["mixamorig_Hips", "mixamorig_LeftUpLeg"]),
    ("Bandai-Namco", &["joint_Root", "UpperLeg_L", "Toes_L"]),
    ("CMU, MotionBuilder-friendly", &["LHipJoint", "LowerBack", "LeftUpLeg"]),
    ("CMU, 3dsMax-friendly", &["LHipJoint", "lowerback", "LeftCollar"]),
    ("CMU, Daz-friendly", &["lButtock", "lShldr"]),
    ("CMU, its own skeleton", &["lfemur", "ltibia", "lhumerus"]),
    ("Endorphin", &["LowerSpineJoint", "LeftClavicleJoint"]),
    ("Rokoko", &["LeftFinger2Metacarpal"]),
    ("Vicon Blade", &["l_humerus", "l_femur"]),
    ("DAZ Genesis 3 or 8", &["lThighBend", "abdomenLower"]),
    ("DAZ Genesis 9", &["l_thigh", "l_upperarm", "spine1"]),
    ("DAZ or Poser", &["lShldr", "abdomen", "lThigh"]),
    ("Unreal", &["pelvis", "thigh_l", "calf_l", "clavicle_l"]),
    ("s&box citizen", &["leg_upper_L", "arm_upper_L"]),
    ("Auto-Rig Pro", &["root.x", "thigh_stretch.l"]),
    ("Rigify", &["spine.001", "upper_arm.L", "shin.L"]),
    ("MakeHuman", &["upperleg01.L", "lowerarm01.L"]),
    ("AdvancedSkeleton", &["Root_M", "Scapula_L"]),
    ("XNALara", &["root hips", "leg left thigh"]),
    ("3ds Max Biped", &["Pelvis", "L Thigh", "L Calf"]),
    ("3ds Max Biped", &["Pelvis", "L_Thigh", "L_Calf"]),
    ("SMPL", &["Pelvis", "L_Hip", "L_Ankle"]),
    ("SMPL", &["pelvis", "left_hip", "left_ankle"]),
    ("SOMA", &["LeftLeg", "LeftShin"]),
    ("Xsens", &["Pelvis", "L5", "T8"]),
    ("Perception Neuron or Rokoko", &["LeftInHandIndex", "LeftUpLeg"]),
    ("Unity or VRM", &["LeftUpperLeg", "LeftLowerArm"]),
    ("Unity or VRM", &["leftUpperLeg", "leftLowerArm"]),
    ("Xsens or 100STYLE", &["Chest4", "LeftCollar", "LeftHip"]),
    ("Vicon Shogun or Noitom", &["Spine3", "Neck1", "LeftUpLeg"]),
    ("LaFAN1", &["Spine2", "LeftUpLeg", "LeftToe"]),
    ("HumanIK", &["LeftUpLeg", "LeftForeArm", "LeftToeBase"]),
    ("classic BVH", &["LeftCollar", "LeftHip", "LeftKnee"]),
];

/// The known rig that has this skeleton's joint names.
pub(super) fn of(skeleton: &Skeleton) -> Option<&'static str> {
    let has = |wanted: &&str| {
        skeleton.joints().iter().any(|joint| {
            let prefix = joint.name.strip_suffix(wanted);
            prefix.is_some_and(|p| !p.ends_with(|c: char| c.is_alphanumeric()))
        })
    };
    FAMILIES.iter().find(|(_, joints)| joints.iter().all(has)).map(|(name, _)| *name)
}
