//! One frame at a time.

use crate::arrays::{Numbers, array, refuse_not_finite};
use crate::errors::{raised, wrong};
use crate::rig::rig_of;
use nalgebra::Quaternion;
use numpy::PyReadonlyArrayDyn;
use pyo3::prelude::*;
use retarget::internals::clip::moving_joints;
use retarget::{Binding, JointId, Pose, Quat, Retargeter, Settings, Vec3};
use std::sync::Arc;

/// A stream of poses, retargeted one by one: nothing is known of what comes.
///
/// source, target: Rigs, or paths or Clips to make them of. fps: frames a second of the stream.
///
/// Raises ValueError where a rig is not recognised or the two do not go together.
#[pyclass(module = "retarget")]
pub struct Live {
    running: Retargeter,
    source: Pose,
    target: Pose,
    source_root: Option<JointId>,
    target_root: JointId,
}

#[pymethods]
impl Live {
    #[new]
    #[pyo3(signature = (source, target, fps = 60.0))]
    fn new(source: &Bound<'_, PyAny>, target: &Bound<'_, PyAny>, fps: f64) -> PyResult<Self> {
        let frame_time_s = crate::build::frame_time(fps)?.seconds();
        let (from, to) = (rig_of(source, false)?, rig_of(target, false)?);
        let settings = Settings::default();
        let binding = Binding::between(&from, &to, &settings).map_err(raised)?;
        let (source, target) = (&binding.source.skeleton, &binding.target.skeleton);
        let (source_root, target_root) =
            (moving_joints(source).first().copied(), moving_joints(target).first().copied());
        Ok(Self {
            source: Pose::rest(source),
            target: Pose::rest(target),
            source_root,
            target_root: target_root
                .ok_or_else(|| wrong("no joint of the target has translations"))?,
            running: Retargeter::new(Arc::new(binding), &settings, frame_time_s),
        })
    }

    /// The target's next pose: its local rotations (K, 4), xyzw, and where its root is (3,), target length units.
    ///
    /// rotations: (J, 4), local, xyzw, in the source's order of joints. root: (3,), the source's root in the world,
    /// source length units; at its offset without it. Raises ValueError for other shapes, and for numbers that are not
    /// finite with the joint; the stream goes on with the next frame.
    #[pyo3(signature = (rotations, root = None))]
    fn frame<'py>(
        &mut self,
        py: Python<'py>,
        rotations: &Bound<'py, PyAny>,
        root: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let joints = self.source.rotations.len();
        with_numbers(rotations, "rotations", &[joints, 4], |numbers| {
            for (i, q) in numbers.chunks_exact(4).enumerate() {
                let q = Quaternion::new(q[3], q[0], q[1], q[2]);
                if !(0.9..1.1).contains(&q.norm_squared()) {
                    return Err(self.refused(numbers, i));
                }
                self.source.rotations[i] = Quat::new_normalize(q);
            }
            Ok(())
        })?;
        if let (Some(root), Some(joint)) = (root, self.source_root) {
            with_numbers(root, "root", &[3], |numbers| {
                refuse_not_finite("root", numbers, 3, &["root"])?;
                self.source.translations[joint.index()] = Vec3::from_column_slice(numbers);
                Ok(())
            })?;
        }
        let Self { running, source, target, .. } = self;
        running.frame(source, target);
        let mut turned = Vec::with_capacity(4 * target.rotations.len());
        target.rotations.iter().for_each(|q| turned.extend_from_slice(q.coords.as_slice()));
        let place = target.translations[self.target_root.index()];
        let turned = array(py, turned, &[target.rotations.len(), 4])?;
        Ok((turned, array(py, place.as_slice().to_vec(), &[3])?))
    }

    /// Forgets all frames so far: for a jump in the stream, so that no foot is dragged to where it stood before.
    fn reset(&mut self) {
        self.running.reset();
    }

    /// For each foot of the target whether its heel and its ball stood in the last frame.
    #[getter]
    fn stands(&self) -> Vec<(bool, bool)> {
        self.running.stands().iter().map(|stands| (stands.heel, stands.ball)).collect()
    }
}

impl Live {
    /// Why the rotation of a joint is none.
    fn refused(&self, numbers: &[f64], joint: usize) -> PyErr {
        let skeleton = &self.running.binding().source.skeleton;
        let name = skeleton.name(JointId::new(joint));
        let q = &numbers[4 * joint..4 * joint + 4];
        wrong(match q.iter().all(|x| x.is_finite()) {
            true => format!(
                "rotations: joint {name:?}: the quaternion's length is not 1; divide it by its length first"
            ),
            false => format!("rotations: joint {name:?}: a number is not finite"),
        })
    }
}

/// Looks at numbers of one shape, where they are if numpy has them as float64.
fn with_numbers(
    given: &Bound<'_, PyAny>,
    what: &str,
    shape: &[usize],
    look: impl FnOnce(&[f64]) -> PyResult<()>,
) -> PyResult<()> {
    if let Ok(array) = given.extract::<PyReadonlyArrayDyn<'_, f64>>()
        && let Ok(numbers) = array.as_slice()
        && numpy::PyUntypedArrayMethods::shape(&*array) == shape
    {
        return look(numbers);
    }
    let numbers = Numbers::new(given, what)?;
    let wanted: Vec<(Option<usize>, &str)> = shape.iter().map(|&len| (Some(len), "")).collect();
    numbers.expect(what, &wanted)?;
    look(numbers.as_slice()?)
}
