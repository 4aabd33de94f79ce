//! The verdict on a result.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use retarget::internals::report::{self, NUMBERS, Number};

/// A number of a report with the place where it is worst.
#[pyclass(frozen, get_all, module = "retarget")]
#[derive(Clone)]
pub struct Measure {
    /// The number that the report is about; its unit is in its name.
    pub value: f64,
    /// The single worst value, in the same unit.
    pub worst: f64,
    /// The joint of the target where that is; empty where nothing was off.
    pub joint: String,
    /// The frame where that is, from 0.
    pub frame: usize,
}

impl Measure {
    fn of(measure: &report::Measure) -> Self {
        let report::Measure { value, worst, joint, frame } = measure.clone();
        Self { value, worst, joint, frame }
    }
}

#[pymethods]
impl Measure {
    fn __repr__(&self) -> String {
        let Self { value, worst, joint, frame } = self;
        format!("Measure(value={value:?}, worst={worst:?}, joint={joint:?}, frame={frame})")
    }
}

/// What a result is like beside its source, in numbers, each with its worst joint and frame.
///
/// Lengths in `_cm` are those of a body whose legs (thigh plus shin) measure 90 cm, so that all rigs and units compare.
/// `report["skate_cm_s"]` is the number itself; `names` lists all.
#[pyclass(frozen, module = "retarget")]
pub struct Report {
    report: report::Report,
    scale: f64,
    misses: usize,
}

impl Report {
    pub fn of(report: report::Report, scale: f64, misses: usize) -> Self {
        Self { report, scale, misses }
    }

    fn number(&self, name: &str) -> PyResult<&'static Number> {
        Number::named(name).ok_or_else(|| {
            let known: Vec<&str> = NUMBERS.iter().map(|number| number.name).collect();
            PyKeyError::new_err(format!("a report has no {name:?}; it has {}", known.join(", ")))
        })
    }
}

#[pymethods]
impl Report {
    /// The names of all numbers, those that count most first.
    #[getter]
    fn names(&self) -> Vec<&'static str> {
        NUMBERS.iter().map(|number| number.name).collect()
    }

    /// How many stretches the source has in which any sensible detector agrees that a foot stands.
    #[getter]
    fn contact_cores(&self) -> usize {
        self.report.contact_cores
    }

    /// Target length units a source length unit.
    #[getter]
    fn scale(&self) -> f64 {
        self.scale
    }

    /// How many times a foot, hand or knee could not come to its goal in a frame.
    #[getter]
    fn misses(&self) -> usize {
        self.misses
    }

    /// The names of the numbers that a viewer sees to be over what a good result stays under.
    #[getter]
    fn flaws(&self) -> Vec<&'static str> {
        self.report.flaws().map(|(number, _)| number.name).collect()
    }

    /// A number with its worst value and where that is. Raises KeyError for a name that no number has.
    fn worst(&self, name: &str) -> PyResult<Measure> {
        Ok(Measure::of(self.number(name)?.of(&self.report)))
    }

    /// All numbers by name, as floats.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let numbers = PyDict::new(py);
        for (number, measure) in self.report.measures() {
            numbers.set_item(number.name, measure.value)?;
        }
        Ok(numbers)
    }

    fn __getitem__(&self, name: &str) -> PyResult<f64> {
        Ok(self.number(name)?.of(&self.report).value)
    }

    fn __len__(&self) -> usize {
        NUMBERS.len()
    }

    fn __repr__(&self) -> String {
        let row = |(number, measure): (&Number, &report::Measure)| {
            let report::Measure { value, worst, joint, frame } = measure;
            let seen = if number.is_seen && *value > number.threshold { "  seen" } else { "" };
            let at = match joint.is_empty() {
                true => String::new(),
                false => format!("  {joint} at frame {frame}"),
            };
            format!("{:20} {value:10.4}  worst {worst:10.4}{at}{seen}", number.name)
        };
        let rows: Vec<String> = self.report.measures().map(row).collect();
        format!("<retarget.Report\n{}>", rows.join("\n"))
    }

    fn _repr_html_(&self) -> String {
        let row = |(number, measure): (&Number, &report::Measure)| {
            let report::Measure { value, worst, joint, frame } = measure;
            let (name, about) = (number.name, number.about);
            let joint = joint.replace('&', "&amp;").replace('<', "&lt;");
            let mark = if number.is_seen && *value > number.threshold {
                " style=\"color:#c00\""
            } else {
                ""
            };
            format!(
                "<tr{mark}><td>{name}</td><td>{about}</td><td>{value:.4}</td><td>{worst:.4}</td><td>{joint}</td>\
                 <td>{frame}</td></tr>"
            )
        };
        let rows: String = self.report.measures().map(row).collect();
        format!(
            "<table><thead><tr><th>number</th><th></th><th>value</th><th>worst</th><th>joint</th><th>frame</th></tr>\
             </thead><tbody>{rows}</tbody></table>"
        )
    }
}
