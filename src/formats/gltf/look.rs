//! What a program needs that reads and shows a file's meshes itself, as the script of a page does.

use super::container::{Container, content};
use super::error::GltfReadError;
use crate::scene::Fetch;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// Whether a file has meshes, and what showing them takes.
#[derive(Debug)]
pub struct Look {
    /// Whether the file has a mesh.
    pub has_meshes: bool,
    /// The extension that compresses meshes or pictures, if they cannot be read without it.
    pub packed_by: Option<String>,
    /// The files that contain buffers and pictures, each under the name by which the file refers to it.
    pub outside: Vec<(String, Vec<u8>)>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Shown {
    buffers: Vec<Named>,
    images: Vec<Named>,
    meshes: Vec<IgnoredAny>,
    extensions_used: Vec<String>,
    extensions_required: Vec<String>,
}

#[derive(Deserialize)]
struct Named {
    uri: Option<String>,
}

/// Meshes compressed by this extension have no uncompressed form, whatever the file says.
const DRACO: &str = "KHR_draco_mesh_compression";

/// Meshes and pictures compressed by these may also have an uncompressed form; they have none if the file requires
/// the extension.
const PACKED: [&str; 4] =
    [DRACO, "EXT_meshopt_compression", "KHR_meshopt_compression", "KHR_texture_basisu"];

/// Finds what showing a file takes. No other file is fetched for a file that is compressed.
pub fn look(container: &Container, fetch: Fetch) -> Result<Look, GltfReadError> {
    let shown: Shown =
        container.part(&["buffers", "images", "meshes", "extensionsUsed", "extensionsRequired"])?;
    let is_draco = shown.extensions_used.iter().find(|name| *name == DRACO);
    let mut required = shown.extensions_required.iter();
    let packed_by =
        is_draco.or_else(|| required.find(|name| PACKED.contains(&name.as_str()))).cloned();
    let mut outside = Vec::new();
    let named = [("buffer", &shown.buffers), ("image", &shown.images)];
    let named = named.into_iter().flat_map(|(what, list)| {
        list.iter().enumerate().filter_map(move |(i, it)| Some((what, i, it.uri.clone()?)))
    });
    for (what, index, uri) in named.filter(|_| packed_by.is_none()) {
        if !uri.starts_with("data:") && !outside.iter().any(|(own, _)| *own == uri) {
            let failed = |why| GltfReadError::Outside { what, index, why };
            let bytes = content(&uri, fetch).map_err(failed)?;
            outside.push((uri, bytes));
        }
    }
    Ok(Look { has_meshes: !shown.meshes.is_empty(), packed_by, outside })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(json: &str) -> Result<Look, GltfReadError> {
        let container = Container::open(json.as_bytes()).expect("JSON");
        look(&container, &|name| match name {
            "skin 1.png" => Ok(vec![1, 2, 3]),
            _ => Err(format!("no {name}")),
        })
    }

    #[test]
    fn files_are_fetched_once_and_by_the_names_that_they_have_on_the_disk() {
        let uri = r#"{"uri":"skin%201.png"}"#;
        let found = seen(&format!(r#"{{"meshes":[{{}}],"images":[{uri},{uri},{{}}]}}"#));
        let found = found.expect("a look");
        assert!(found.has_meshes);
        assert_eq!(found.outside, [("skin%201.png".to_owned(), vec![1, 2, 3])]);
        let missing = seen(r#"{"buffers":[{"uri":"data:,"},{"uri":"a.bin"}]}"#);
        assert_eq!(missing.expect_err("missing").to_string(), "buffer 1: no a.bin");
    }

    #[test]
    fn compression_that_cannot_be_left_out_is_named() {
        let packed = |json: &str| seen(json).expect("a look").packed_by;
        let draco = r#"{"extensionsUsed":["KHR_draco_mesh_compression"]}"#;
        assert_eq!(packed(draco).as_deref(), Some(DRACO));
        let needed = r#"{"extensionsRequired":["KHR_texture_basisu"],"images":[{"uri":"x"}]}"#;
        assert_eq!(packed(needed).as_deref(), Some("KHR_texture_basisu"));
        assert_eq!(packed(r#"{"extensionsUsed":["KHR_texture_basisu"]}"#), None);
    }
}
