//! Many clips on several threads, without the interpreter's lock.

use crate::clip::Clip;
use crate::convert::{How, Setup, report};
use crate::errors::{raised, sentence, worded};
use crate::make::layout_named;
use crate::report::Report;
use pyo3::prelude::*;
use retarget::internals::blocks;
use retarget::internals::convert::{self, NewAnimation, Packing, Reading};
use retarget::internals::error::Error;
use retarget::internals::formats;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// What became of one clip of many.
#[pyclass(frozen, get_all, module = "retarget")]
pub struct Done {
    /// The clip's file.
    pub path: PathBuf,
    /// The result's file; None where results are kept in memory.
    pub output: Option<PathBuf>,
    /// The result; None where it was written to a file, and of a clip that failed.
    pub clip: Option<Py<Clip>>,
    /// The report on the result; None of a clip that failed.
    pub report: Option<Py<Report>>,
    /// Why there is no result, in a sentence; None of a clip that was retargeted.
    pub error: Option<String>,
    /// What was taken for granted as the clip was read, a sentence each.
    pub notes: Vec<String>,
}

#[pymethods]
impl Done {
    /// Whether the clip was retargeted.
    #[getter]
    fn ok(&self) -> bool {
        self.error.is_none()
    }

    fn __repr__(&self) -> String {
        let path = self.path.display();
        match (&self.error, &self.output) {
            (Some(error), _) => format!("<retarget.Done {path}: failed: {error}>"),
            (None, Some(output)) => {
                format!("<retarget.Done {path}: written to {}>", output.display())
            }
            (None, None) => format!("<retarget.Done {path}: retargeted>"),
        }
    }
}

/// A clip's result, its report and what was taken for granted, or why there are none.
type Outcome = Result<(Option<Clip>, Report, Vec<String>), String>;

/// Retargets each file onto the rig, on `workers` threads. `watch` is called with each that is done and the count so far.
#[pyfunction(name = "_retarget_files")]
#[allow(clippy::too_many_arguments)]
pub fn retarget_files(
    py: Python<'_>,
    files: Vec<(PathBuf, Option<PathBuf>)>,
    rig: &Bound<'_, PyAny>,
    how: &How,
    workers: usize,
    watch: Option<Py<PyAny>>,
    clip: Option<String>,
    replace: bool,
    layout: Option<&str>,
    fps: Option<f64>,
    model: Option<PathBuf>,
) -> PyResult<Vec<Py<Done>>> {
    let setup = Setup::new(rig, how)?;
    let layout = layout.map(layout_named).transpose()?;
    let (clip, model) = (clip.as_deref(), model.as_deref());
    let is_mixed = files.iter().any(|(path, _)| convert::may_be_arrays(path));
    let reading = Reading { clip, layout, fps, model, is_mixed, ..Reading::default() };
    for (_, output) in &files {
        if let Some(output) = output {
            convert::refuse_format(output, &setup.target).map_err(raised)?;
        }
    }
    let task = Task { setup, reading, replace };
    let mut done: Vec<Option<Py<Done>>> = files.iter().map(|_| None).collect();
    let mut take = |py: Python<'_>, place: usize, outcome: Outcome, count: usize| {
        let (path, output) = files[place].clone();
        let entry = match outcome {
            Ok((clip, report, notes)) => Done {
                path,
                output,
                clip: clip.map(|clip| Py::new(py, clip)).transpose()?,
                report: Some(Py::new(py, report)?),
                error: None,
                notes,
            },
            Err(error) => Done {
                path,
                output: None,
                clip: None,
                report: None,
                error: Some(error),
                notes: Vec::new(),
            },
        };
        let entry = Py::new(py, entry)?;
        if let Some(watch) = &watch {
            watch.call1(py, (entry.clone_ref(py), count))?;
        }
        done[place] = Some(entry);
        Ok(())
    };
    py.detach(|| work_off(&files, &task, workers, &mut take))?;
    Ok(done.into_iter().flatten().collect())
}

/// What is done with every clip.
struct Task<'a> {
    setup: Setup,
    /// What files leave open.
    reading: Reading<'a>,
    /// Whether one of a result's name is to go from the character's file.
    replace: bool,
}

/// Begins the largest clips first, so that no thread is left with one at the end.
fn order(files: &[(PathBuf, Option<PathBuf>)]) -> Vec<usize> {
    let size = |place: &usize| files[*place].0.metadata().map_or(0, |data| data.len());
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_cached_key(|place| std::cmp::Reverse(size(place)));
    order
}

fn work_off(
    files: &[(PathBuf, Option<PathBuf>)],
    task: &Task,
    workers: usize,
    take: &mut (dyn FnMut(Python<'_>, usize, Outcome, usize) -> PyResult<()> + Send),
) -> PyResult<()> {
    let (order, next, stops) = (order(files), AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..workers.clamp(1, files.len().max(1)) {
            let (sender, order, next, stops) = (sender.clone(), &order, &next, &stops);
            scope.spawn(move || {
                blocks::alone();
                while !stops.load(Ordering::Relaxed)
                    && let Some(&place) = order.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let (path, output) = &files[place];
                    if sender.send((place, retargeted(task, path, output.as_deref()))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut count = 0;
        loop {
            let ended = match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok((place, outcome)) => {
                    count += 1;
                    Python::attach(|py| {
                        take(py, place, outcome, count).and_then(|()| py.check_signals())
                    })
                }
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if ended.is_err() {
                // The clips in hand are finished, and no other is begun.
                stops.store(true, Ordering::Relaxed);
                return ended;
            }
        }
    })
}

/// Retargets one clip. A bug that panics costs this clip alone.
fn retargeted(task: &Task, path: &Path, output: Option<&Path>) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| try_retargeted(task, path, output))) {
        Ok(done) => done.map_err(|error| sentence(&error)),
        Err(_) => Err(format!(
            "{}: the program itself is wrong here; please report it with this clip",
            path.display()
        )),
    }
}

fn try_retargeted(
    task: &Task,
    path: &Path,
    output: Option<&Path>,
) -> Result<(Option<Clip>, Report, Vec<String>), Error> {
    let setup = &task.setup;
    let source = convert::load_as(path, &task.reading)?;
    let worded = |notes: &[String]| notes.iter().map(|note| worded(note)).collect::<Vec<String>>();
    let mut notes = worded(&source.notes);
    let Some(output) = output else {
        let (clip, report, made) = setup.retargeted(&Arc::new(source))?;
        notes.extend(worded(&made));
        return Ok((Some(clip), report, notes));
    };
    let planned = setup.planned(&source)?;
    let target = setup.target.files();
    let inputs: Vec<&Path> = target.iter().map(PathBuf::as_path).chain([path]).collect();
    let write = &setup.settings().write;
    // Not synced, as the results of a library are not: waiting for the disk takes longer than most conversions.
    let done = if formats::is_other_result(output) {
        let (clip, done) = planned.collected().apart();
        let name = convert::unpacked_name(path).file_stem().unwrap_or_default().to_string_lossy();
        let animation = NewAnimation { name: &name, replace: task.replace };
        let bytes = convert::made_bytes(output, &clip, &done, &setup.target, animation)?;
        convert::write_owned(output, &inputs, OWNER, |file| file.write_all(&bytes))?;
        done
    } else {
        let pack = |file: &mut std::fs::File| {
            Packing::named(output).pack_into(file, |out| planned.written(write, out))
        };
        convert::write_owned(output, &inputs, OWNER, pack)?
    };
    notes.extend(worded(&done.notes));
    Ok((None, report(&done), notes))
}

/// Whose temporary files those are beside the results, of which none stays.
const OWNER: &str = "many";
