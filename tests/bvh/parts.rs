//! A long motion is read in parts on any number of threads; nobody can tell from what comes out.

use retarget::internals::blocks::with_threads;
use retarget::internals::bvh::{self, BvhError, BvhFile, Pieces, RepairKind};
use std::num::NonZeroUsize;
use std::ops::Range;

const HIERARCHY: &str = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n\
    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
    JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\n";

const ROWS: usize = 8000;

/// Rows of nine numbers, no two of them alike, of different lengths.
fn rows() -> Vec<String> {
    let number = |row: usize, i: usize| {
        let value = ((row * 9 + i) as f64 * 0.618).sin() * [300.0, 17.0, 2.5][(row + i) % 3];
        format!("{value:.*}", 1 + (row / 7 + i) % 9)
    };
    let row = |row| (0..9).map(|i| number(row, i)).collect::<Vec<_>>().join(" ");
    (0..ROWS).map(row).collect()
}

fn file(frames: usize, rows: &str) -> String {
    format!("{HIERARCHY}MOTION\nFrames: {frames}\nFrame Time: 0.01\n{rows}")
}

/// What comes of a file, the same for all numbers of threads.
fn read(text: &str) -> Result<BvhFile, BvhError> {
    assert!(text.len() > 500_000, "too short for many parts");
    let results: Vec<_> = [1, 2, 3, 8]
        .into_iter()
        .map(|threads| {
            let threads = NonZeroUsize::new(threads).expect("some");
            with_threads(threads, || bvh::read(text.as_bytes()))
        })
        .collect();
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "threads change what is read");
    results.into_iter().next().expect("four of them")
}

#[test]
fn each_row_is_read_as_it_is_alone_whatever_ends_the_lines() {
    let rows = rows();
    for end in ["\n", "\r\n", "\r", " \n\n", "\t\r\n"] {
        let file_of = |rows: &[String]| file(rows.len(), &(rows.join(end) + end));
        let whole = read(&file_of(&rows)).expect("a sound file");
        assert_eq!(whole.repaired, []);
        assert_eq!(whole.clip.len(), ROWS);
        // Files of a few rows are read row by row.
        for (n, few) in rows.chunks(500).enumerate() {
            let few = bvh::read(file_of(few).as_bytes()).expect("a sound file").clip;
            for frame in 0..few.len() {
                assert_eq!(few.rotations(frame), whole.clip.rotations(500 * n + frame));
                assert_eq!(few.translations(frame), whole.clip.translations(500 * n + frame));
            }
        }
    }
}

#[test]
fn what_is_repaired_or_wrong_in_a_long_motion_is_told_with_its_place() {
    let sound = rows();
    // Thirteen lines stand before the rows.
    let line_of = |row: usize| row + 15;
    for row in [0, 1, 1234, 4567, ROWS - 2, ROWS - 1] {
        let with = |change: &dyn Fn(&str) -> String| {
            let mut rows = sound.clone();
            rows[row] = change(&rows[row]);
            read(&file(ROWS, &(rows.join("\n") + "\n")))
        };
        let broken = with(&|row| row.replacen(' ', "\n", 1)).expect("can be repaired");
        assert_eq!(broken.clip.len(), ROWS);
        assert_eq!(broken.repaired.len(), 1);
        assert_eq!(broken.repaired[0].line, line_of(row));
        assert_eq!(broken.repaired[0].kind, RepairKind::BrokenRows { rows: 1 });
        for (bad, column) in [("x 1 2 3 4 5 6 7 8", 1), ("1 2 nan 3 4 5 6 7 8", 5)] {
            let error = with(&|_| bad.to_owned()).expect_err("no number");
            assert_eq!((error.line, error.column), (line_of(row), column));
        }
        let error = with(&|row| format!("{row} 7")).expect_err("a number too many");
        assert_eq!(error.line, line_of(row));
    }
    let cut = sound[..ROWS - 1].join("\n") + "\n1 2 3";
    let cut = read(&file(ROWS, &cut)).expect("can be repaired");
    assert_eq!(cut.clip.len(), ROWS - 1);
    assert_eq!(cut.repaired.len(), 2, "{:?}", cut.repaired);
}

/// A text whose pieces are copied out of it, as those of a file are; those from `broken_at` on cannot be had.
struct Copied<'a> {
    text: &'a [u8],
    broken_at: usize,
}

impl Pieces for Copied<'_> {
    fn byte_len(&self) -> usize {
        self.text.len()
    }

    fn piece<'a>(&'a self, range: Range<usize>, buffer: &'a mut Vec<u8>) -> Option<&'a [u8]> {
        let piece = self.text.get(range.clone()).filter(|_| range.end <= self.broken_at)?;
        buffer.clear();
        buffer.extend_from_slice(piece);
        Some(buffer)
    }
}

fn in_pieces(text: &str) -> Option<BvhFile> {
    bvh::read_pieces(&Copied { text: text.as_bytes(), broken_at: usize::MAX })
}

#[test]
fn a_text_in_pieces_is_read_as_the_whole_or_left_to_it() {
    let rows = rows();
    for end in ["\n", "\r\n", "\r", " \n\n"] {
        let sound = file(ROWS, &(rows.join(end) + end));
        assert_eq!(in_pieces(&sound), bvh::read(sound.as_bytes()).ok(), "{end:?}");
        let unended = sound.trim_end();
        assert_eq!(in_pieces(unended), bvh::read(unended.as_bytes()).ok(), "{end:?}");
    }
    let miscounted = file(7, &rows.join("\n"));
    let read = in_pieces(&miscounted).expect("a count can be repaired");
    assert_eq!(read, bvh::read(miscounted.as_bytes()).expect("the same"));
    assert_eq!(read.repaired.len(), 1);
    let with = |at: usize, row: &str| {
        let mut rows = rows.clone();
        rows[at] = row.to_owned();
        in_pieces(&file(ROWS, &rows.join("\n")))
    };
    for at in [0, 1234, ROWS - 1] {
        for row in ["1 2 3\n4 5 6 7 8 9", "1 2 3", "1 2 3 4 5 6 7 8 nan", "1 2 3 4 5 6 7 8 9 10"] {
            assert_eq!(with(at, row), None, "{row:?} in row {at}");
        }
    }
    assert_eq!(in_pieces(&file(ROWS, &rows.join(" "))), None, "one line");
    assert_eq!(in_pieces(&file(2, &rows[..2].join("\n"))), None, "short");
    let sound = file(ROWS, &rows.join("\n"));
    for broken_at in [0, 100, 200_000, sound.len() - 1] {
        let text = Copied { text: sound.as_bytes(), broken_at };
        assert_eq!(bvh::read_pieces(&text), None, "broken at {broken_at}");
    }
}

#[test]
fn a_header_longer_than_its_first_piece_is_read_in_pieces() {
    // Comments there are none; blanks make any header as long as one likes.
    let hierarchy = HIERARCHY.replace("JOINT b", &format!("{}JOINT b", " ".repeat(300_000)));
    let text =
        format!("{hierarchy}MOTION\nFrames: {ROWS}\nFrame Time: 0.01\n{}", rows().join("\n"));
    let whole = bvh::read(text.as_bytes()).expect("a sound file");
    assert_eq!(in_pieces(&text), Some(whole));
}

#[test]
fn a_number_that_a_piece_cuts_is_read_whole() {
    const TIME: &str = "0.0125";
    let file = |blanks: usize| {
        let blanks = " ".repeat(blanks);
        let joint = format!("HIERARCHY ROOT a {{ OFFSET 0 0 0 {blanks} CHANNELS 1 Xrotation }}");
        format!("{joint}\nMOTION\nFrames: 70000\nFrame Time: {TIME}\n{}", "7\n".repeat(70_000))
    };
    let time_at = file(0).find(TIME).expect("it is there");
    let mut in_pieces_at_all = 0;
    for piece in [1 << 16, 1 << 17, 1 << 18] {
        for end_at in 0..=TIME.len() + 1 {
            let text = file(piece - time_at - end_at);
            let read = in_pieces(&text).inspect(|read| {
                assert_eq!(read.clip.frame_time().text(), TIME, "{end_at} before {piece}");
                assert_eq!(read.clip.len(), 70_000);
            });
            in_pieces_at_all += usize::from(read.is_some());
        }
    }
    assert_eq!(in_pieces_at_all, 24);
}
