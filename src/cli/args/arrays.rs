//! The arguments that say what files of arrays do not.

use super::values::{fps, layout};
use crate::convert::{self, Reading};
use crate::positions::Layout;
use std::path::{Path, PathBuf};

/// What files of arrays leave open, and their reader knows.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct ArrayArgs {
    /// Which points a .npy or .npz file of places holds: humanml3d, smpl, coco17, h36m17, mediapipe33 or kinect25
    #[arg(long, value_name = "NAME", value_parser = layout, help_heading = ARRAYS)]
    pub layout: Option<Layout>,
    /// How many frames a second a .npy or .npz file has [default: what it says]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = fps, help_heading = ARRAYS)]
    pub fps: Option<f64>,
    /// Your file of an SMPL model, .npz, which says how long the bones of SMPL and AMASS files are
    #[arg(long, value_name = "MODEL.npz", help_heading = ARRAYS)]
    pub smpl_model: Option<PathBuf>,
}

pub(super) const ARRAYS: &str = "Arrays";

impl ArrayArgs {
    /// These, and what they leave out as others have it.
    pub fn or(self, others: &Self) -> Self {
        Self {
            layout: self.layout.or(others.layout),
            fps: self.fps.or(others.fps),
            smpl_model: self.smpl_model.or_else(|| others.smpl_model.clone()),
        }
    }

    /// How a clip is read, of which `clip` names the animation.
    pub fn reading<'a>(&'a self, clip: Option<&'a str>) -> Reading<'a> {
        let (layout, fps, model) = (self.layout, self.fps, self.smpl_model.as_deref());
        Reading { clip, layout, fps, model, ..Reading::default() }
    }

    /// As [`reading`](Self::reading), of each of several `files`: where one of them is of arrays, the others need not
    /// be.
    pub fn reading_among<'a>(&'a self, files: &[&Path], clip: Option<&'a str>) -> Reading<'a> {
        let all = self.reading(clip);
        let is_mixed = all.is_of_arrays() && files.iter().any(|file| convert::may_be_arrays(file));
        Reading { is_mixed, ..all }
    }
}
