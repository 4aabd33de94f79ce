//! Draws what the IK library does as one animated SVG: a snake, a chain of 100 links, a spider and a biped that step,
//! and an arm under its limit cone. Needs nothing but the library alone.
//!
//! `cargo run --release --example ik_picture [OUT.svg]`

mod scenes;
mod svg;

use std::error::Error;
use std::path::PathBuf;
use svg::Page;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map(PathBuf::from);
    let path = path.unwrap_or_else(|| std::env::temp_dir().join("ik.svg"));
    let mut page = Page::new(960, 540);
    scenes::snake(page.panel([0.0, 0.0], "24 links follow a goal without a jump"))?;
    scenes::hundred(page.panel([320.0, 0.0], "100 links reach it, two tolerances wide"))?;
    scenes::arm(page.panel([640.0, 0.0], "a shoulder's cone, an elbow's pole"))?;
    scenes::spider(page.panel([0.0, 270.0], "eight legs in closed form"))?;
    scenes::biped(page.panel([480.0, 270.0], "a body rooted at the foot that stands"))?;
    std::fs::write(&path, page.finish())?;
    println!("{}", path.display());
    Ok(())
}
