//! Rigs in doubt: they are refused, or used and reported where the user accepts doubt.

use super::files::is_rig_file;
use super::nodes::Native;
use crate::binding::Binding;
use crate::clip::Clip;
use crate::error::{Error, shell_path};
use crate::rig::{Assumed, Recognised, Rig, RigError, RigHints, Role, Roles, UpDoubt};
use crate::skeleton::Skeleton;
use std::path::Path;

/// The rig of a skeleton whose roles are known. Its up axis is found from the motion. The format decides instead where
/// the found axis is in doubt or is not the one that the zero pose stands along, as in a clip in which the body lies.
pub(super) fn rig_by_format(
    skeleton: Skeleton,
    roles: Roles,
    clip: Option<&Clip>,
    mut hints: RigHints,
    native: &Native,
) -> Result<Rig, RigError> {
    let rig = Rig::new(skeleton, roles, clip, &hints)?;
    let found = rig.up_found;
    let stands = |up| found.up != up && found.other == up && found.speaks[1].zero_pose > 0.0;
    let is_doubtful = UpDoubt::of(&rig).is_some();
    match native.up.filter(|up| hints.up.is_none() && (is_doubtful || stands(*up))) {
        Some(up) => {
            hints.up = Some(up);
            Rig::new(rig.skeleton, rig.roles, clip, &hints)
        }
        None => Ok(rig),
    }
}

/// Refuses a rig where two readings give different up axes.
pub(super) fn check_doubt(path: &Path, rig: &Rig) -> Result<(), Error> {
    match UpDoubt::of(rig) {
        Some(doubt) => Err(Error::Doubt { path: path.to_owned(), doubt: Box::new(doubt) }),
        None => Ok(()),
    }
}

/// Refuses a pair of rigs of which one stands in a way that nothing shows; the files are those of the source and of the
/// target.
pub(super) fn check_stances(files: [&Path; 2], binding: &Binding) -> Result<(), Error> {
    let rigs = [&binding.source, &binding.target];
    let doubt = |(path, rig): (&Path, &Rig)| {
        binding.stance_doubt(rig).map(|doubt| Error::StanceDoubt { path: path.to_owned(), doubt })
    };
    files.into_iter().zip(rigs).find_map(doubt).map_or(Ok(()), Err)
}

/// What was in doubt in a rig that is used all the same, since the user accepts doubt.
pub fn doubts(recognised: &Recognised, rig: &Rig) -> Vec<String> {
    let up = UpDoubt::of(rig).map(|doubt| doubt.to_string());
    recognised.doubts.iter().cloned().chain(up).collect()
}

/// What neither a pose, nor motion, nor bones tell of a pair of rigs, a sentence for each file of the source and of the
/// target, with the way out.
pub(super) fn assumptions(files: [&Path; 2], binding: &Binding) -> Vec<String> {
    let rigs = [&binding.source, &binding.target];
    let sentence = |((path, rig), is_target): ((&Path, &Rig), bool)| {
        let parts = turned(&binding.assumed(rig))?;
        let file = path.display();
        let word = shell_path(path);
        let way_out = match (is_target, is_rig_file(path)) {
            (true, true) => {
                format!("write rotations_deg of a pose that stands under [reference] in {file}")
            }
            (true, false) => format!(
                "name a file of this rig with motion after --to, or run retarget skeleton {word} --as-target -o \
                 fix.toml, correct its [reference.rotations_deg] and name it after --to"
            ),
            (false, _) => format!(
                "run retarget skeleton {word} -o fix.toml, correct its [reference.rotations_deg] and name it after \
                 --from"
            ),
        };
        Some(format!(
            "no pose, motion or bone of {file} shows how its {parts} are turned about their bones; they are laid as \
             bones alone suggest, and may be rolled by up to half a turn; to settle it, {way_out}"
        ))
    };
    files.into_iter().zip(rigs).zip([false, true]).filter_map(sentence).collect()
}

/// The parts of a body that are turned as nothing shows, in words; `None` without any.
fn turned(assumed: &Assumed) -> Option<String> {
    let mut words: Vec<&str> = Vec::new();
    for role in assumed.rolls.iter().chain(&assumed.directions) {
        let word = match role {
            Role::Hips => "hips",
            Role::Spine(_) => "spine",
            Role::Neck(_) => "neck",
            Role::Head => "head",
            Role::Clavicle(_) => "clavicles",
            Role::UpperArm(_) | Role::Forearm(_) => "arms",
            Role::Hand(_) => "hands",
            Role::Thigh(_) | Role::Shin(_) => "legs",
            Role::Foot(_) | Role::Toe(_) => "feet",
            Role::Finger(..) => "fingers",
            Role::Chain(..) => "chains",
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let last = words.pop()?;
    Some(if words.is_empty() {
        last.to_owned()
    } else {
        format!("{} and {last}", words.join(", "))
    })
}
