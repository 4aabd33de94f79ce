//! Threads within one clip.

use crate::body::FRAMES;
use crate::harness::Folder;

/// The walk over and over, there and back, so that it has many blocks of frames.
fn long_walk(folder: &Folder, repeats: usize) {
    let walk = folder.text("walk.bvh");
    let (head, motion) = walk.split_once("MOTION\n").expect("a motion");
    let lines: Vec<&str> = motion.lines().collect();
    let (header, rows) = lines.split_at(2);
    assert_eq!(rows.len(), FRAMES);
    let there_and_back: Vec<&str> = rows.iter().chain(rows.iter().rev()).copied().collect();
    let rows = vec![there_and_back.join("\n"); repeats].join("\n");
    let frames = 2 * repeats * FRAMES;
    folder.put("walk.bvh", format!("{head}MOTION\nFrames: {frames}\n{}\n{rows}\n", header[1]));
}

#[test]
fn no_number_of_threads_changes_a_byte() {
    let folder = Folder::new();
    long_walk(&folder, 30);
    for more in [&[][..], &["--in-place"]] {
        let run = |threads: &str, out: &str| {
            let all = ["walk.bvh", "--to", "hero.bvh", "-o", out, "--json", "--threads", threads];
            let reported = folder.run(&[&all, more].concat()).done().stdout;
            (folder.text(out), reported.replace(out, ""))
        };
        let (bytes, reported) = run("1", "one.bvh");
        assert!(bytes.contains("Frames: 2400\n"));
        for threads in ["2", "3", "8"] {
            let (other, also_reported) = run(threads, "some.bvh");
            assert!(bytes == other, "{threads} threads, {more:?}");
            assert_eq!(reported, also_reported, "{threads} threads, {more:?}");
        }
        // A library's thread does all the blocks of its clip.
        let library = ["walk.bvh", "--to", "hero.bvh", "-o", "out", "--jobs", "3"];
        folder.run(&[&library, more].concat()).done();
        assert!(bytes == folder.text("out/walk.bvh"), "in a library, {more:?}");
    }
}

/// The temporary files beside the clips.
#[cfg(unix)]
fn temporary(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.starts_with(".retarget-")).collect()
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_up_the_file_that_is_being_written() {
    let folder = Folder::new();
    long_walk(&folder, 2000);
    let mut child = folder
        .command(&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh", "--threads", "1"])
        .spawn()
        .expect("the binary runs");
    while temporary(&folder).is_empty() {
        assert_eq!(child.try_wait().expect("a child"), None, "ended before it wrote");
        std::thread::yield_now();
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    assert_eq!(folder.names(), ["hero.bvh", "walk.bvh"]);
}

#[test]
fn threads_are_for_one_clip() {
    let folder = Folder::new();
    folder.run(&[".", "--to", "hero.bvh", "-o", "out", "--threads", "2"]).failed(2, "--jobs");
}
