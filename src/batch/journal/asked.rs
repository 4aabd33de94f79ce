//! What was asked for in a run, so that its results are judged and explained as they were made.

use crate::convert::Reading;
use crate::positions::Layout;
use crate::rig::Scale;
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// All that a user asks for of a conversion beside the files. What is at its default is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// In the form of [`Settings`]; the scale method wherever one is asked for, which goes before the target's own.
    #[serde(skip_serializing_if = "Map::is_empty")]
    settings: Map<String, Value>,
    /// The animation of the clips that was meant, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<String>,
    /// Of files of arrays, frames a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<f64>,
    /// The file of an SMPL model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smpl_model: Option<PathBuf>,
}

impl Asked {
    /// Of a run; `scale` is the scale method where the user names one.
    pub(in crate::internals::batch) fn new(
        settings: &Settings,
        scale: Option<Scale>,
        reading: &Reading,
    ) -> Self {
        let own = [settings, &Settings::default()].map(value_of);
        let mut settings = match differing(&own[0], &own[1]) {
            Some(Value::Object(settings)) => settings,
            _ => Map::new(),
        };
        if let Some(scale) = scale {
            let binding = settings.entry(BINDING).or_insert_with(|| Map::new().into());
            binding[SCALE] = value_of(&scale);
        }
        let &Reading { clip, layout, fps, model, .. } = reading;
        Self {
            settings,
            clip: clip.map(str::to_owned),
            layout: layout.map(|layout| layout.name().to_owned()),
            fps,
            smpl_model: model.map(PathBuf::from),
        }
    }

    /// The settings; an error where another version had some that this one does not know.
    pub fn settings(&self) -> Result<Settings, serde_json::Error> {
        serde_json::from_value(self.settings.clone().into())
    }

    /// Whether a scale method was asked for, which goes before what the target's file says.
    pub fn has_scale(&self) -> bool {
        self.settings.get(BINDING).is_some_and(|binding| binding.get(SCALE).is_some())
    }

    /// Of files of arrays, which points the places are of.
    pub fn layout(&self) -> Option<Layout> {
        Layout::named(self.layout.as_deref()?)
    }
}

/// Where [`Settings`] have the scale method.
const BINDING: &str = "binding";
const SCALE: &str = "scale";

fn value_of(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("names and numbers alone")
}

/// What a value has otherwise than a default.
fn differing(own: &Value, default: &Value) -> Option<Value> {
    match (own, default) {
        (Value::Object(own), Value::Object(default)) => {
            let differ = |(key, own): (&String, &Value)| {
                let value =
                    default.get(key).map_or_else(|| Some(own.clone()), |it| differing(own, it));
                Some((key.clone(), value?))
            };
            let all: Map<String, Value> = own.iter().filter_map(differ).collect();
            (!all.is_empty()).then(|| all.into())
        }
        _ => (own != default).then(|| own.clone()),
    }
}
