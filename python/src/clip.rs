//! A clip as Python sees it: motion on a skeleton, with its arrays.

use crate::arrays::{Precision, array};
use crate::build::frame_time;
use crate::contacts::Contacts;
use crate::convert::Made;
use crate::errors::{raised, wrong};
use crate::form::Form;
use crate::save::Writing;
use crate::{page, pieces, save, threads, views};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyTuple};
use retarget::internals::arrays::Shape;
use retarget::internals::clip::Clip as Motion;
use retarget::internals::convert::{self, LengthUnit, LoadedRig, SourceClip};
use retarget::internals::edit;
use retarget::internals::rig::RigFile;
use retarget::internals::skeleton::JointId;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A motion on a skeleton: T frames of J joints. A clip never changes; what makes another one of it returns it.
///
/// Lengths are in the clip's own unit, whatever that is (`unit` guesses it). Joints are in depth-first order, as BVH
/// lists them: a joint's whole subtree directly follows it.
#[pyclass(frozen, module = "retarget")]
pub struct Clip {
    pub source: Arc<SourceClip>,
    /// Of a result: what it was made of.
    pub made: Option<Arc<Made>>,
    /// What its skeleton means, once somebody has asked.
    rig: OnceLock<Arc<LoadedRig>>,
}

impl Clip {
    /// A clip whose frames lie one after the other, so that arrays can look at them.
    pub fn of(source: SourceClip) -> Self {
        let mut source = source;
        source.clip = source.clip.joined();
        Self { source: Arc::new(source), made: None, rig: OnceLock::new() }
    }

    /// A result.
    pub fn made(path: PathBuf, clip: Motion, made: Made) -> Self {
        Self { made: Some(Arc::new(made)), ..Self::of(SourceClip::new(path, clip)) }
    }

    /// What is made of this clip, under its name.
    fn edited(&self, clip: Motion) -> Self {
        let SourceClip { path, native, .. } = &*self.source;
        Self::of(SourceClip { native: native.clone(), ..SourceClip::new(path.clone(), clip) })
    }

    /// What an archive of it says of the body where that is one of SMPL's.
    pub fn shape(&self) -> Shape {
        match &self.made {
            Some(made) => made.target.shape.clone(),
            None => self.source.native.shape.clone().unwrap_or_default(),
        }
    }

    pub fn motion(&self) -> &Motion {
        &self.source.clip
    }

    /// The rig of the clip: a result's is the one that it was made for, another clip's is recognised.
    pub fn rig(&self) -> PyResult<Arc<LoadedRig>> {
        if let Some(made) = &self.made {
            return Ok(Arc::clone(&made.target));
        }
        if let Some(rig) = self.rig.get() {
            return Ok(Arc::clone(rig));
        }
        let rig = convert::source_rig(&self.source, RigFile::default()).map_err(raised)?;
        Ok(Arc::clone(self.rig.get_or_init(|| Arc::new(rig))))
    }

    /// The places of joints by their names; of all where none are named.
    fn places(&self, names: Option<Vec<String>>) -> PyResult<Option<Vec<usize>>> {
        let Some(names) = names else { return Ok(None) };
        let skeleton = self.motion().skeleton();
        let place = |name: &String| {
            skeleton.find(name).map(JointId::index).ok_or_else(|| {
                let known: Vec<&str> = skeleton.joints().iter().map(|j| j.name.as_str()).collect();
                wrong(format!("the clip has no joint {name:?}; it has {}", known.join(", ")))
            })
        };
        names.iter().map(place).collect::<PyResult<Vec<usize>>>().map(Some)
    }
}

/// Whether rotations and the like are meant in the world or in the parent joint's frame.
pub fn is_world(space: &str) -> PyResult<bool> {
    match space {
        "local" => Ok(false),
        "world" => Ok(true),
        other => Err(wrong(format!("{other:?} is no space; there are \"local\" and \"world\""))),
    }
}

#[pymethods]
impl Clip {
    /// The joints' names as in the file, J of them.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.motion().skeleton().joints().iter().map(|joint| joint.name.as_str()).collect()
    }

    /// For each joint the place of its parent; -1 for a root.
    #[getter]
    fn parents(&self) -> Vec<isize> {
        let joints = self.motion().skeleton().joints().iter();
        joints.map(|joint| joint.parent.map_or(-1, |parent| parent.index() as isize)).collect()
    }

    /// Where each joint is in its parent's frame at rest: (J, 3), local, clip length units.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let joints = self.motion().skeleton().joints();
        let numbers: Vec<f64> =
            joints.iter().flat_map(|joint| joint.offset.iter().copied()).collect();
        array(py, numbers, &[joints.len(), 3])
    }

    /// The names of the M joints that have a translation in every frame, in skeleton order.
    #[getter]
    fn moving(&self) -> Vec<&str> {
        let clip = self.motion();
        clip.moving().iter().map(|&id| clip.skeleton().name(id)).collect()
    }

    /// Frames a second.
    #[getter]
    fn fps(&self) -> f64 {
        // A frame time such as 0.033333 is meant as 30 frames a second, but who reads fps multiplies: nothing is
        // rounded.
        1.0 / self.motion().frame_time().seconds()
    }

    /// Seconds from one frame to the next.
    #[getter]
    fn frame_time(&self) -> f64 {
        self.motion().frame_time().seconds()
    }

    /// Where the clip came from, or what messages call it.
    #[getter]
    fn path(&self) -> PathBuf {
        self.source.path.clone()
    }

    /// What was repaired as the file was read, a sentence each.
    #[getter]
    fn repaired(&self) -> Vec<String> {
        self.source.repaired.iter().map(|repair| repair.to_string()).collect()
    }

    /// The length unit as the legs make it likely, such as "centimetres"; None where they say nothing. A guess: no
    /// BVH file says its unit.
    #[getter]
    fn unit(&self) -> PyResult<Option<String>> {
        Ok(LengthUnit::of(&self.rig()?.rig).map(|unit| unit.to_string()))
    }

    /// Rotations of all joints in all frames.
    ///
    /// form: "xyzw" (T, J, 4), Hamilton, scalar last; "wxyz"; "matrix" (T, J, 3, 3); "6d" (T, J, 6), the first two
    /// columns of the matrix (Zhou et al. 2019), or "6d_rows", its first two rows; "axis_angle" (T, J, 3), radians;
    /// "euler_ZXY" (T, J, 3), radians, or "euler_deg_ZXY", degrees, in any order: upper-case axes turn with the joint
    /// and the last turns first, as in BVH; lower-case axes stay in place and the first turns first.
    /// space: "local", from the joint's frame to its parent's, or "world".
    /// dtype: float64 (default) or float32. names: these joints in this order; all without it.
    ///
    /// Local float64 xyzw of all joints looks into the clip's own memory, read-only, without a copy. Everything else
    /// is a new array. Raises ValueError for an unknown form, space or name.
    #[pyo3(signature = (form = "xyzw", space = "local", dtype = None, names = None))]
    fn rotations<'py>(
        &self,
        py: Python<'py>,
        form: &str,
        space: &str,
        dtype: Option<&Bound<'py, PyAny>>,
        names: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (form, is_world) = (Form::named(form).map_err(wrong)?, is_world(space)?);
        let (precision, places) = (Precision::of(dtype)?, self.places(names)?);
        if !is_world && form == Form::Xyzw && precision == Precision::Double && places.is_none() {
            return views::rotations(py, &self.source);
        }
        let clip = self.motion();
        let places = places.unwrap_or_else(|| (0..clip.skeleton().len()).collect());
        let mut shape = vec![clip.len(), places.len()];
        shape.extend(form.shape());
        precision.fill(py, &shape, |mut to| {
            let mut before = vec![[0.0; 3]; places.len()];
            let mut push = |rotations: &[_]| {
                for (&place, before) in places.iter().zip(&mut before) {
                    form.push(rotations[place], before, &mut to);
                }
            };
            if is_world {
                clip.each_world(0..clip.len(), |_, world| push(&world.rotations));
            } else {
                (0..clip.len()).for_each(|frame| push(clip.rotations(frame)));
            }
        })
    }

    /// World positions of all joints in all frames: (T, J, 3), clip length units; a new array.
    ///
    /// dtype: float64 (default) or float32. names: these joints in this order; all without it. Costs forward
    /// kinematics of every frame. Raises ValueError for an unknown name.
    #[pyo3(signature = (dtype = None, names = None))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        names: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (precision, places) = (Precision::of(dtype)?, self.places(names)?);
        let clip = self.motion();
        let places = places.unwrap_or_else(|| (0..clip.skeleton().len()).collect());
        precision.fill(py, &[clip.len(), places.len(), 3], |to| {
            clip.each_world(0..clip.len(), |_, world| {
                for &place in &places {
                    world.positions[place].iter().for_each(|&x| to(x));
                }
            });
        })
    }

    /// Local translations of the joints that have one in every frame (`moving`): (T, M, 3), float64, clip length
    /// units. Looks into the clip's own memory, read-only, without a copy.
    fn translations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        views::translations(py, &self.source)
    }

    /// The path of the root: (T, 3), world, clip length units, of the first joint that has translations. Looks into
    /// the clip's own memory, read-only, without a copy. Raises ValueError where no joint has any.
    fn root<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.motion().moving().is_empty() {
            return Err(wrong(
                "no joint of the clip has translations; its root stays at its offset",
            ));
        }
        views::translations_of(py, &self.source, 0)
    }

    /// When heels, balls and toes, hands and knees carry weight: of a result as its source has it, else as found on
    /// this clip. Raises ValueError where the clip's joints are not recognised.
    fn contacts(&self, py: Python<'_>) -> PyResult<Contacts> {
        if let Some(made) = &self.made {
            return Ok(made.contacts());
        }
        let rig = self.rig()?;
        Ok(py.detach(|| threads::shared(|| Contacts::detected(self.motion(), &rig.rig))))
    }

    /// The same motion at another frame rate, as long as there are frames for it. Rotations go the short way (slerp),
    /// translations straight; moments that are frames are exactly these. Raises ValueError for no frame rate.
    fn resample(&self, py: Python<'_>, fps: f64) -> PyResult<Self> {
        let frame_time = frame_time(fps)?;
        Ok(self.edited(py.detach(|| edit::resampled(self.motion(), &frame_time))))
    }

    /// The motion as a mirror across the world's X axis shows it (Z where X is up): what left did right does. The
    /// skeleton stays. Raises ValueError where the clip's joints are not recognised.
    fn mirror(&self, py: Python<'_>) -> PyResult<Self> {
        let rig = self.rig()?;
        let mirrored = self.edited(py.detach(|| edit::mirrored(self.motion(), &rig.rig)));
        // The skeleton means the same.
        Ok(Self { rig: OnceLock::from(rig), ..mirrored })
    }

    /// Writes the clip, by the name's end: .bvh, .bvh.gz, .bvh.zst, .npz, .npy, .glb, .vrma, or what the character's
    /// own file ends in that a result was made for: that file with an animation more, all else in it as it was. The
    /// file is written whole or not at all, and never over the file that the clip, its source or its target was read
    /// from.
    ///
    /// As .npz a clip on an SMPL skeleton has the keys of AMASS; `save_smpl` has more to say of it. Any other has
    /// `names`, `parents`, `offsets`, `rotations`, `positions` and so on, and of a result `contacts`: `load` reads it
    /// again. As .npy it is `positions` alone, (T, J, 3), world, float64; joints of SMPL are in its order.
    ///
    /// decimals: of every number in a BVH file's motion. animation: what a character's new animation is called, as the
    /// source's file without it; replace: whether it may take the place of one of that name. Raises ValueError for
    /// another ending, OSError where it cannot be written.
    #[pyo3(signature = (path, decimals = 6, animation = None, replace = false))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        decimals: u8,
        animation: Option<String>,
        replace: bool,
    ) -> PyResult<()> {
        save::save(py, self, &path, &Writing { decimals, animation, replace })
    }

    /// The bytes of a file that `save` would write under a name with this ending.
    #[pyo3(signature = (ending = ".bvh", decimals = 6, animation = None, replace = false))]
    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        ending: &str,
        decimals: u8,
        animation: Option<String>,
        replace: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let name = PathBuf::from(format!("clip{ending}"));
        Ok(PyBytes::new(
            py,
            &save::bytes(py, self, &name, &Writing { decimals, animation, replace })?,
        ))
    }

    /// The page on which `retarget view` shows a result beside its source, as HTML. A clip that is no result is shown
    /// beside itself.
    fn _page(&self, py: Python<'_>) -> PyResult<String> {
        page::page(py, self)
    }

    /// A page to play a result beside its source, for a notebook; a clip that is no result is shown beside itself.
    #[pyo3(signature = (height = 640))]
    fn show<'py>(slf: Bound<'py, Self>, height: usize) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("retarget._show")?.call_method1("show", (&slf, height))
    }

    fn _repr_html_(&self) -> String {
        let (clip, path) = (self.motion(), self.source.path.display().to_string());
        let row = |name: &str, value: String| format!("<tr><td>{name}</td><td>{value}</td></tr>");
        let seconds = clip.len() as f64 * clip.frame_time().seconds();
        let rows = [
            row("frames", clip.len().to_string()),
            row("frames a second", Short(self.fps()).to_string()),
            row("seconds", Short(seconds).to_string()),
            row("joints", clip.skeleton().len().to_string()),
        ];
        let path = path.replace('&', "&amp;").replace('<', "&lt;");
        format!("<table><caption>{path}</caption><tbody>{}</tbody></table>", rows.concat())
    }

    /// How many frames there are.
    fn __len__(&self) -> usize {
        self.motion().len()
    }

    fn __getitem__(&self, py: Python<'_>, frames: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(slice) = frames.cast::<PySlice>() else {
            return Err(PyTypeError::new_err(
                "a clip is cut by frames from, to and step: clip[10:200]; one frame is clip[10:11]",
            ));
        };
        let cut = slice.indices(self.motion().len() as isize)?;
        if cut.step < 0 {
            return Err(PyValueError::new_err(
                "a clip does not run backwards; the step has to be above 0",
            ));
        }
        let (start, end) = (cut.start as usize, cut.stop.max(cut.start) as usize);
        Ok(self.edited(py.detach(|| edit::part(self.motion(), start, end, cut.step as usize))))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("retarget._retarget")?.getattr("_restore")?;
        let arrays = (views::rotations(py, &self.source)?, views::translations(py, &self.source)?);
        let (pieces, (rotations, translations)) = (pieces::pieces(&self.source), arrays);
        Ok((restore, (pieces, rotations, translations).into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        let (clip, path) = (self.motion(), self.source.path.display());
        let (frames, joints) = (clip.len(), clip.skeleton().len());
        let seconds = frames as f64 * clip.frame_time().seconds();
        format!(
            "<retarget.Clip {path}: {frames} frames at {} fps ({seconds:.2} s), {joints} joints>",
            Short(self.fps())
        )
    }
}

/// A number with no more decimals than it has.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.2}", self.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}
