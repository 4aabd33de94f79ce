//! The page as text: one file that needs nothing else.

use super::pack::Pack;
use super::scene::Scene;
use crate::cli::draw;
use crate::cli::html::filled;

const PAGE: &str = include_str!("page.html");
const CSS: &str = include_str!("page.css");
/// In the order in which they need each other.
const SCRIPTS: [&str; 4] = [
    include_str!("data.js"),
    include_str!("stage.js"),
    include_str!("plots.js"),
    include_str!("main.js"),
];

/// The page that shows a scene.
pub fn page(scene: &Scene, pack: &Pack) -> String {
    let json = serde_json::to_string(scene).expect("names and numbers alone");
    filled(PAGE, |name| match name {
        "title" => draw::escaped(&scene.title),
        "colours" => draw::variables(),
        "css" => CSS.to_owned(),
        // Nothing in a name can end the script that it stands in.
        "scene" => json.replace('<', "\\u003c"),
        "data" => pack.text(),
        _ => SCRIPTS.concat(),
    })
}
