//! A clip's place in its library, which is that of its result below the output folder: the one place that makes paths
//! of names. No result gets out of the output folder by its name or by a link in it.

use std::fs;
use std::io;
use std::path::{Component, Path};

/// A path below a library as a name, with `/` between its parts; `None` where it leads elsewhere or is no text.
pub(super) fn name_of(place: &Path) -> Option<String> {
    let parts = place.components().map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    let name = parts.collect::<Option<Vec<_>>>()?.join("/");
    is_place(&name).then_some(name)
}

/// Whether a name stays below the folder that it is put under: it has neither `..` nor a root nor a drive, on whatever
/// system it is read.
pub(super) fn is_place(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_part = |part: &str| matches!(parts.next(), Some(Component::Normal(of)) if of == part && part != "..");
    !name.contains('\0') && name.split('/').all(is_part) && parts.next().is_none()
}

/// Makes the folders below `output` that the result of this name lies in. Refuses those that a link leads out of it.
pub(super) fn make_folders(output: &Path, name: &str) -> io::Result<()> {
    let mut folder = output.to_owned();
    for part in Path::new(name).parent().into_iter().flat_map(Path::components) {
        folder.push(part);
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if folder.is_symlink()
                    && !folder.canonicalize()?.starts_with(output.canonicalize()?)
                {
                    let what =
                        "a link leads out of the output folder here; put a folder in its place";
                    return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
                }
            }
            made => made?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_none() {
        for name in ["walk.bvh", "a/b c/walk.bvh", "..a/b..bvh", "...", "a/.b"] {
            assert!(is_place(name), "{name}");
            assert_eq!(name_of(Path::new(name)).as_deref(), Some(name));
        }
        for name in
            ["", "/", "/a.bvh", "..", "../a.bvh", "a/../../b.bvh", "a/..", "a/", "a//b", "./a"]
        {
            assert!(!is_place(name), "{name}");
        }
        for place in ["", "/a.bvh", "../a.bvh", "a/../b.bvh"] {
            assert_eq!(name_of(Path::new(place)), None, "{place}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_backslash_is_a_character_like_any_other() {
        assert_eq!(name_of(Path::new(r"..\other\v.bvh")).as_deref(), Some(r"..\other\v.bvh"));
    }

    #[cfg(windows)]
    #[test]
    fn a_backslash_parts_a_path() {
        assert_eq!(name_of(Path::new(r"deep\v.bvh")).as_deref(), Some("deep/v.bvh"));
        for name in [r"..\v.bvh", r"deep\v.bvh", r"C:v.bvh", r"C:\v.bvh", r"\\host\share\v.bvh"] {
            assert!(!is_place(name), "{name}");
        }
    }
}
