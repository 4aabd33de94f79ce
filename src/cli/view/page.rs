//! The page as text: one HTML file that needs no other.

use super::pack::Pack;
use super::scene::Scene;
use crate::cli::draw;
use crate::cli::html::filled;
use crate::convert;
use std::path::Path;

const PAGE: &str = include_str!("page.html");
const CSS: &str = include_str!("page.css");
/// The scripts; each uses only those before it.
const SCRIPTS: [&str; 5] = [
    include_str!("data.js"),
    include_str!("mesh.js"),
    include_str!("stage.js"),
    include_str!("plots.js"),
    include_str!("main.js"),
];
/// The library that draws meshes: three.js with its licence, gzipped.
const THREE: &[u8] = include_bytes!("three/three.js.gz");

/// The page that shows a scene.
pub fn page(scene: &Scene, pack: &Pack) -> String {
    let json = serde_json::to_string(scene).expect("names and numbers alone");
    filled(PAGE, |name| match name {
        "title" => draw::escaped(&scene.title),
        "colours" => draw::variables(),
        "css" => CSS.to_owned(),
        // Without a `<`, no name can end the script that contains it.
        "scene" => json.replace('<', "\\u003c"),
        "data" => pack.text(),
        "three" if scene.has_mesh() => format!("<script>\n{}</script>", three()),
        "three" => String::new(),
        _ => SCRIPTS.concat(),
    })
}

/// The script that draws meshes.
fn three() -> String {
    let script = convert::unpacked(Path::new("three.js"), THREE.to_vec()).expect("packed whole");
    String::from_utf8(script).expect("UTF-8")
}
