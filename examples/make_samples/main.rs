//! Writes the folder `samples`: motions with known truth, and skeletons to retarget them onto.
//!
//! `cargo run --example make_samples` writes them where they belong, `… -- FOLDER` elsewhere.

mod generator;

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let samples = std::env::args_os()
        .nth(1)
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("samples"), PathBuf::from);
    let files = generator::files();
    for (path, bytes) in &files {
        let path = samples.join(path);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))?;
        std::fs::write(path, bytes)?;
    }
    println!("{} files in {}", files.len(), samples.display());
    Ok(())
}
