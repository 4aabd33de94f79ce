//! The program as people run it: its command lines, libraries of clips, and the programs that open its results.

mod body;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/doubtful.rs"]
mod doubtful;
#[path = "../common/equivalent.rs"]
mod equivalent;
#[path = "../common/glb.rs"]
mod glb;
mod harness;
mod library;
#[path = "../common/rewrite.rs"]
mod rewrite;

mod architecture;
mod batch {
    mod broken;
    mod found;
    mod interrupt;
    mod report;
    mod resume;
    mod rigs;
    mod shards;
    mod whole;
}
mod blender;
mod cli {
    mod arrays;
    mod asked;
    mod characters;
    mod check;
    mod contacts;
    mod doubt;
    mod errors;
    mod explain;
    mod inspect;
    mod misnamed;
    mod packed;
    mod pasted;
    mod readme;
    mod retarget;
    mod sheet;
    mod skeleton;
    mod streams;
    mod threads;
    mod view;
}
mod faults;
#[cfg(feature = "fbx")]
mod fbx;
mod gltf;
mod safety {
    mod costs;
    mod inputs;
    mod journals;
    mod killed;
    mod left;
    mod losses;
    mod magnitudes;
    mod names;
    mod shown;
    mod unbounded;
}
mod slurm;
mod view;
