//! Bodies of one family: rigs with the same names in the same tree and bones of the same directions, but of other lengths.
//! What a joint's frame and a sole mean on one of them holds for all.

use crate::common;
use crate::equivalent::{
    FAMILIES, Original, originals, plants_off, rig_of, samples, target, through_bytes,
};
use crate::plain_bodies::PLAIN;
use crate::rewrite::Rewritten;
use retarget::internals::binding::{Binding, BindingSettings};
use retarget::internals::clip::Clip;
use retarget::internals::convert;
use retarget::internals::rig::{Rig, RigFile, Role, Side, StanceOrigin};

/// Frames of each clip onto bare bodies that are looked at. Onto bodies with motion all are: what it shows differs over time.
const LONGEST: usize = 150;

/// A plain copy may point limbs elsewhere by this much on the mean, degrees.
const OFF_DEG: f64 = 1.0;

/// A body may stand higher or lower by this much, centimetres of a leg of 90.
const OFF_CM: f64 = 0.1;

/// The two ways in which a family's files are written: the zero pose as it is, or all bones along one axis.
fn written(o: &Original) -> [(&'static str, Clip); 2] {
    let as_is = Rewritten::of(&o.clip);
    [("as it is", as_is.clone().clip), ("along X", as_is.along_x().clip)]
}

/// Every original with its two writings, and what it shows in each.
fn all_written(longest: usize) -> Vec<(String, Clip, Rig)> {
    let families = common::mocap_dir().map(|dir| originals(&dir, &FAMILIES, longest));
    let all = samples(longest).into_iter().chain(families.unwrap_or_default());
    let both = |o: Original| written(&o).map(|(how, clip)| (format!("{}, {how}", o.name), clip));
    let with_rig = |(name, clip): (String, Clip)| {
        let rig = rig_of(&clip).unwrap_or_else(|e| panic!("{name}: {e}")).rig;
        (name, clip, rig)
    };
    all.flat_map(both).map(with_rig).collect()
}

#[test]
fn a_zero_pose_that_stands_does_so_whatever_the_lengths() {
    let mut standing = 0;
    for (name, clip, rig) in all_written(3) {
        if rig.stance.origin != StanceOrigin::Rest {
            continue;
        }
        for body in &PLAIN {
            let origin = body.rig(&rig, &clip).rig.stance.origin;
            assert_eq!(origin, StanceOrigin::Rest, "{name}, {}", body.name);
            standing += 1;
        }
    }
    // The zero poses of four of the samples stand, and of some of the families.
    let rigs = if common::mocap_dir().is_some() { 5 } else { 4 };
    assert!(standing >= rigs * PLAIN.len(), "{standing} bodies");
}

#[test]
fn a_bare_body_of_the_sources_family_points_its_limbs_where_the_source_does() {
    hold(false, LONGEST);
}

#[test]
fn a_body_of_the_sources_family_with_motion_points_its_limbs_where_the_source_does() {
    hold(true, usize::MAX);
}

/// Makes the plain copy of each clip, at most so long, onto each plain body of its family, read from a file with or without
/// motion. Fails where limbs point elsewhere.
fn hold(with_motion: bool, longest: usize) {
    let (mut wrong, mut worst) = (Vec::new(), (0.0, String::new()));
    let mut cases = 0;
    for (name, clip, rig) in all_written(longest) {
        let source = through_bytes(&clip);
        for body in &PLAIN {
            let case = format!("{name}, {}", body.name);
            let done = target(&body.clip(&rig, &clip), with_motion).and_then(|target| {
                convert::convert(&source, RigFile::default(), &target, &plants_off())
            });
            cases += 1;
            match done {
                Ok(done) => {
                    let off = &done.report.limb_direction_deg;
                    let place =
                        format!("worst {:.1}, {} in frame {}", off.worst, off.joint, off.frame);
                    let text = format!("{case}: {:.2}°, {place}", off.value);
                    if off.value.is_nan() || off.value > OFF_DEG {
                        wrong.push(text.clone());
                    }
                    if off.value > worst.0 {
                        worst = (off.value, text);
                    }
                }
                Err(e) => wrong.push(format!("{case}: {e}")),
            }
        }
    }
    eprintln!("{cases} pairs, worst {}", worst.1);
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), wrong.join("\n"));
}

/// How much higher over its soles than by scaling alone a bare body stands, against its ankles' true height.
#[test]
fn a_bare_body_of_the_sources_family_stands_as_high_as_its_feet_are_long() {
    let (mut wrong, mut worst_cm) = (Vec::new(), 0.0f64);
    let mut bodies = 0;
    for (name, clip, rig) in all_written(LONGEST) {
        for body in &PLAIN {
            let target = target(&body.clip(&rig, &clip), false).expect("a rig").rig;
            // Bodies that differ by the End Sites of their feet alone count as one.
            let has_toes = rig.joint(Role::Toe(Side::Left)).is_some();
            let is_one = !has_toes && (target.leg_len / rig.leg_len - 1.0).abs() < 1e-3;
            if target.stance.origin != StanceOrigin::Built || is_one {
                continue;
            }
            bodies += 1;
            let case = format!("{name}, {}", body.name);
            let len = |of: &Rig, side: Side| {
                let foot = of.joint(Role::Foot(side)).expect("a foot");
                match of.joint(Role::Toe(side)) {
                    Some(toe) => of.skeleton.joint(toe).offset.norm(),
                    None => of.skeleton.joint(foot).end_sites[0].norm(),
                }
            };
            let binding = Binding::new(rig.clone(), target, &BindingSettings::default());
            let binding = binding.expect("one family");
            let lift = |side: Side| {
                let own = rig.feet[side.index()].stance_ankle_height;
                own * (len(&binding.target, side) / len(&rig, side) - binding.scale)
            };
            let wanted = 0.5 * (lift(Side::Left) + lift(Side::Right));
            let off_cm = (binding.lift - wanted).abs() * 90.0 / binding.target.leg_len;
            worst_cm = worst_cm.max(off_cm);
            if off_cm.is_nan() || off_cm > OFF_CM {
                wrong.push(format!("{case}: {off_cm:.2} cm"));
            }
        }
    }
    assert!(bodies >= 7, "{bodies} bodies");
    eprintln!("{bodies} bodies, worst {worst_cm:.3} cm");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
