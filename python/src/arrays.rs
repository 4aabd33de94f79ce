//! Arrays in and out: anything that numpy or DLPack can show becomes numbers in one order, and is checked.

use crate::errors::wrong;
use numpy::{
    Element, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use retarget::internals::arrays::way_out;

/// An array of float64, C-contiguous: the caller's own where it is so already.
pub struct Numbers<'py> {
    array: PyReadonlyArrayDyn<'py, f64>,
    shape: Vec<usize>,
}

impl<'py> Numbers<'py> {
    /// Takes what numpy takes, and tensors that speak DLPack; `what` names it in messages.
    pub fn new(given: &Bound<'py, PyAny>, what: &str) -> PyResult<Self> {
        let py = given.py();
        let numpy = py.import("numpy")?;
        let array = match given.cast::<PyUntypedArray>() {
            Ok(array) => array.as_any().clone(),
            Err(_) if given.hasattr("__dlpack__")? => {
                numpy.call_method1("from_dlpack", (given,)).map_err(|error| {
                    let text = format!(
                        "{what} cannot be read as an array: {error}; bring the tensor to the CPU first, and detach it \
                         from its gradients: x.detach().cpu()"
                    );
                    PyTypeError::new_err(text)
                })?
            }
            Err(_) => numpy.call_method1("asarray", (given,))?,
        };
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        if !matches!(kind.as_str(), "f" | "i" | "u") {
            let dtype = array.getattr("dtype")?.str()?;
            return Err(PyTypeError::new_err(format!(
                "{what} has to hold real numbers, and holds {dtype}"
            )));
        }
        let keywords = PyDict::new(py);
        keywords.set_item("dtype", "float64")?;
        let array = numpy.call_method("ascontiguousarray", (array,), Some(&keywords))?;
        let array = array.cast_into::<PyArrayDyn<f64>>()?;
        let shape = array.shape().to_vec();
        Ok(Self { array: array.try_readonly()?, shape })
    }

    /// The numbers, the last axis fastest.
    pub fn as_slice(&self) -> PyResult<&[f64]> {
        Ok(self.array.as_slice()?)
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Refuses another shape than `wanted`, whose `None` fit any length.
    pub fn expect(&self, what: &str, wanted: &[(Option<usize>, &str)]) -> PyResult<()> {
        self.misfit(what, wanted).map_or(Ok(()), |misfit| Err(wrong(misfit)))
    }

    /// As [`expect`](Self::expect) of points; where the shape tells what they are, the way out is said.
    pub fn expect_points(&self, wanted: &[(Option<usize>, &str)]) -> PyResult<()> {
        let Some(misfit) = self.misfit("positions", wanted) else { return Ok(()) };
        let way = way_out(&self.shape).map_or_else(String::new, |way| format!("; {way}"));
        Err(wrong(misfit + &way))
    }

    fn misfit(&self, what: &str, wanted: &[(Option<usize>, &str)]) -> Option<String> {
        let fits = self.shape.len() == wanted.len()
            && self
                .shape
                .iter()
                .zip(wanted)
                .all(|(len, (want, _))| want.is_none_or(|want| want == *len));
        if fits {
            return None;
        }
        let wanted: Vec<String> = wanted
            .iter()
            .map(|(len, name)| match len {
                Some(len) if name.is_empty() => len.to_string(),
                Some(len) => format!("{name} = {len}"),
                None => (*name).to_owned(),
            })
            .collect();
        let is: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        Some(format!("{what} has the shape ({}); expected ({})", is.join(", "), wanted.join(", ")))
    }
}

/// A new array of these numbers.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyArray1::from_vec(py, numbers).reshape(shape.to_vec())?.into_any())
}

/// What an array holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Precision {
    Single,
    Double,
}

impl Precision {
    /// What is asked for as `dtype`; float64 where nothing is.
    pub fn of(dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(dtype) = dtype else { return Ok(Precision::Double) };
        let dtype = dtype.py().import("numpy")?.call_method1("dtype", (dtype,))?;
        match dtype.getattr("name")?.extract::<String>()?.as_str() {
            "float32" => Ok(Precision::Single),
            "float64" => Ok(Precision::Double),
            other => Err(wrong(format!("the dtype is {other}; there are float32 and float64"))),
        }
    }

    /// Has `fill` hand over all numbers of an array of this shape, and makes it.
    pub fn fill<'py>(
        self,
        py: Python<'py>,
        shape: &[usize],
        fill: impl FnOnce(&mut dyn FnMut(f64)) + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let len = shape.iter().product();
        match self {
            Precision::Double => {
                let numbers = py.detach(|| {
                    let mut numbers = Vec::with_capacity(len);
                    fill(&mut |x| numbers.push(x));
                    numbers
                });
                array(py, numbers, shape)
            }
            Precision::Single => {
                let numbers = py.detach(|| {
                    let mut numbers = Vec::with_capacity(len);
                    fill(&mut |x| numbers.push(x as f32));
                    numbers
                });
                array(py, numbers, shape)
            }
        }
    }
}

/// Refuses numbers that are not finite, with the frame and the joint; they lie as `frames × names × width`.
pub fn refuse_not_finite(
    what: &str,
    numbers: &[f64],
    width: usize,
    names: &[&str],
) -> PyResult<()> {
    let Some(at) = numbers.iter().position(|x| !x.is_finite()) else { return Ok(()) };
    let (frame, joint) = (at / (width * names.len()), at / width % names.len());
    let (joint, number) = (names[joint], numbers[at]);
    Err(wrong(format!("{what}: frame {frame}, joint {joint:?}: {number} is not a finite number")))
}
