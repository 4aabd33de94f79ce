//! Clips packed as `.bvh.gz` and `.bvh.zst`.

use crate::harness::Folder;
use std::io::{Read, Write};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).expect("packed");
    packer.finish().expect("packed")
}

#[test]
fn a_packed_clip_gives_what_the_clip_gives() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh"]).done();
    let (walk, wanted) = (folder.text("walk.bvh"), folder.text("out.bvh"));
    folder.put("walk.bvh.gz", gzip(walk.as_bytes()));
    folder.put("walk.bvh.zst", zstd::encode_all(walk.as_bytes(), 1).expect("packed"));
    // A packed clip is told by its bytes, whatever its name.
    folder.put("walk.v1.bvh", gzip(walk.as_bytes()));
    for (input, output) in [
        ("walk.bvh.gz", "walk.hero.bvh"),
        ("walk.bvh.zst", "walk.hero.bvh"),
        ("walk.v1.bvh", "walk.v1.hero.bvh"),
    ] {
        folder.run(&[input, "--to", "hero.bvh"]).done();
        assert!(folder.text(output) == wanted, "{input}");
    }
    let run = folder.run_with(&["-", "--to", "hero.bvh", "-q"], gzip(walk.as_bytes())).done();
    assert!(run.stdout == wanted);
}

/// The reference implementation packs by other means at other levels, and some tools write frame after frame.
#[test]
fn zstandard_is_read_of_any_level_and_in_several_frames() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh"]).done();
    let (walk, wanted) = (folder.text("walk.bvh"), folder.text("out.bvh"));
    let packed = |text: &str, level| zstd::encode_all(text.as_bytes(), level).expect("packed");
    let (first, second) = walk.split_at(walk.len() / 3);
    let frames = [packed(first, 3), packed(second, 3)].concat();
    let levels = [-5, 3, 9, 19].map(|level| packed(&walk, level));
    for bytes in levels.into_iter().chain([frames]) {
        folder.put("walk.bvh.zst", bytes);
        folder.run(&["walk.bvh.zst", "--to", "hero.bvh"]).done();
        assert!(folder.text("walk.hero.bvh") == wanted);
        std::fs::remove_file(folder.path("walk.hero.bvh")).expect("removed");
    }
}

#[test]
fn a_result_is_packed_as_its_name_says() {
    let folder = Folder::new();
    for output in ["out.bvh", "out.bvh.gz", "out.BVH.ZST"] {
        folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", output]).done();
    }
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("written");
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&bytes("out.bvh.gz")[..])
        .read_to_end(&mut unpacked)
        .expect("gzip");
    assert!(unpacked == bytes("out.bvh"));
    assert!(zstd::decode_all(&bytes("out.BVH.ZST")[..]).expect("zstd") == bytes("out.bvh"));
}

#[test]
fn a_damaged_packed_clip_is_refused_with_its_name() {
    let folder = Folder::new();
    let gz = gzip(folder.text("walk.bvh").as_bytes());
    let zst = zstd::encode_all(folder.text("walk.bvh").as_bytes(), 1).expect("packed");
    folder.put("cut.bvh.gz", &gz[..gz.len() / 2]);
    folder.put("cut.bvh.zst", &zst[..zst.len() / 2]);
    for name in ["cut.bvh.gz", "cut.bvh.zst"] {
        let says = format!("error: cannot read {name}: the packed file is damaged: ");
        folder.run(&[name, "--to", "hero.bvh"]).failed(1, &says);
    }
}

/// Two megabytes that unpack to two gigabytes.
#[test]
fn a_packed_file_cannot_ask_for_all_memory() {
    let folder = Folder::new();
    let mut packer = zstd::Encoder::new(Vec::new(), 1).expect("a packer");
    let zeros = vec![0; 1 << 20];
    for _ in 0..2 << 10 {
        packer.write_all(&zeros).expect("packed");
    }
    folder.put("bomb.bvh.zst", packer.finish().expect("packed"));
    let says = "the most that is taken out of so small a file; unpack it first";
    folder.run(&["bomb.bvh.zst", "--to", "hero.bvh"]).failed(1, says);
}
