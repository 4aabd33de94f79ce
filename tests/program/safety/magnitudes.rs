//! Numbers without measure are refused where they are read, with the bound; whatever is taken gives numbers.

use crate::harness::Folder;

/// The clip with each number of its OFFSETs and positions times a factor.
fn scaled(clip: &str, factor: f64) -> String {
    let mut is_row = false;
    let line = |line: &str| {
        let number = |text: &str| text.parse::<f64>().expect("a number") * factor;
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["OFFSET", rest @ ..] = &words[..] {
            let numbers: Vec<String> = rest.iter().map(|text| number(text).to_string()).collect();
            return format!("OFFSET {}\n", numbers.join(" "));
        }
        let row = is_row;
        is_row |= line.starts_with("Frame Time");
        if !row {
            return format!("{line}\n");
        }
        let (place, rest) = words.split_at(3);
        let place: Vec<String> = place.iter().map(|text| number(text).to_string()).collect();
        format!("{} {}\n", place.join(" "), rest.join(" "))
    };
    clip.lines().map(line).collect()
}

#[test]
fn bodies_of_any_unit_are_taken_and_others_refused() {
    let folder = Folder::new();
    let walk = folder.text("walk.bvh");
    for factor in [1e-20, 1e-9, 1e-7, 1e-5, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e20, 1e60, 1e300] {
        folder.put("scaled.bvh", scaled(&walk, factor));
        let is_sane = (1e-5..=1e6).contains(&factor);
        for args in [["scaled.bvh", "--to", "hero.bvh"], ["walk.bvh", "--to", "scaled.bvh"]] {
            let reported = folder.run(&[&args[..], &["-o", "x.bvh", "-q"]].concat());
            assert!(!reported.stderr.contains("panicked"), "{factor}: {reported:#?}");
            match reported.code {
                Some(0) => {
                    assert!(retarget::internals::bvh::read(folder.text("x.bvh").as_bytes()).is_ok())
                }
                code => assert_eq!((code, is_sane), (Some(1), false), "{factor}: {reported:#?}"),
            }
        }
    }
}

#[test]
fn a_number_without_measure_is_refused_with_its_place() {
    let folder = Folder::new();
    let walk = folder.text("walk.bvh");
    let at = walk.lines().position(|line| line.starts_with("Frame Time")).expect("a frame time");
    let first = walk.lines().nth(at + 1).and_then(|row| row.split(' ').next()).expect("a row");
    let row = format!("\n{}", walk.lines().nth(at + 1).expect("a row"));
    let far = row.replacen(first, "1e308", 1);
    folder.put("far.bvh", walk.replacen(&row, &far, 1));
    let says = format!("far.bvh: line {}, column 1: the position \"1e308\" is more than", at + 2);
    folder.run(&["far.bvh", "--to", "hero.bvh", "-o", "x.bvh"]).failed(1, &says);
    let foot = |keys: &str| format!("[feet.left]\n{keys}\n");
    let limit = |keys: &str| format!("[limits.LeftLeg]\n{keys}\n");
    for (text, line, says) in [
        ("scale = 1e300\n".to_owned(), 2, "a number from 0.000000001 to 1000000000"),
        ("scale = 1e-300\n".to_owned(), 2, "a number from 0.000000001 to 1000000000"),
        ("floor = 1e300\n".to_owned(), 2, "none is beyond 1000000000 either way"),
        (foot("heel = [0.0, -1e200, 0.0]"), 3, "none is beyond 1000000000 either way"),
        (foot("heel = [0.0, -1e5, 0.0]"), 3, "leg lengths away, and at most 10 can be meant"),
        (foot("up = [0.0, 0.0, 0.0]"), 3, "this is a zero vector; it must be a direction"),
        (limit("axis = [1.0, 0.0, 0.0]\nmin_deg = 0.0\nmax_deg = 361.0"), 5, "at most 360"),
        (limit("axis = [1.0, 0.0, 0.0]\nmin_deg = -1e30\nmax_deg = 0.0"), 4, "-360 to 360"),
        (limit("swing_deg = [0, 181]\ntwist_deg = [0, 0]"), 3, "0 to 180"),
        (limit("swing_deg = [0, 180]\ntwist_deg = [-361, 0]"), 4, "-360 to 360"),
        (
            "[reference]\npose = \"rest\"\nframe = 0\n".to_owned(),
            4,
            "give `pose` or `frame`, not both",
        ),
    ] {
        folder.put("rig.toml", format!("bvh = \"hero.bvh\"\n{text}"));
        let run = folder.run(&["walk.bvh", "--to", "rig.toml", "-o", "x.bvh"]).failed(1, says);
        assert!(run.stderr.contains(&format!("rig.toml: line {line}: ")), "{run:#?}");
    }
    for scale in ["1e16", "1e-16", "1e300", "inf"] {
        let args = ["walk.bvh", "--to", "hero.bvh", "-o", "x.bvh", "--scale", scale];
        folder.run(&args).failed(2, "a number from 0.000000001 to 1000000000");
    }
    // Nor is anything written that could not be read again.
    folder.put("away.bvh", walk.replacen(&row, &row.replacen(first, "1e9", 1), 1));
    let args = ["away.bvh", "--to", "hero.bvh", "-o", "x.bvh", "--scale", "1e9"];
    folder.run(&args).failed(1, "bring the clip nearer to the origin, or give a smaller --scale");
    assert!(!folder.path("x.bvh").exists());
}

#[test]
fn an_error_of_contacts_speaks_of_contacts() {
    let folder = Folder::new();
    for (text, says) in [
        ("frames = \"many\"", "line 1: expected a whole number from 0 on, found the text \"many\""),
        ("frames = 1.5", "line 1: expected a whole number from 0 on, found the number `1.5`"),
        ("frames = -1", "line 1: expected a whole number from 0 on, found the number `-1`"),
        ("floor_height = true", "line 1: expected a number, found `true`"),
        ("feet = 3", "line 1: expected a table, found the number `3`"),
        ("[feet]\nleft = []", "line 2: expected a table of heel, ball and tip, found a list of 0"),
        (
            "[feet.left]\nball = 4",
            "line 2: expected a list of contact intervals, as in [{ frames = [0, 12] }], found",
        ),
        (
            "[feet.left]\nball = [4]",
            "line 2: expected a contact interval, as in { frames = [0, 12] }, found",
        ),
        (
            "[feet.left]\nball = [{ frames = 4 }]",
            "line 2: expected two frames, the first and the last",
        ),
        ("[feet.left]\nballs = []", "line 2: unknown key `balls`"),
        ("[hands]\nleft = [{ slow = [0, 1] }]", "line 2: unknown key `slow`"),
    ] {
        folder.put("contacts.toml", text);
        let args =
            ["walk.bvh", "--to", "hero.bvh", "-o", "x.bvh", "--use-contacts", "contacts.toml"];
        let run = folder.run(&args).failed(1, says);
        for word in ["usize", "f64", "struct", "sequence", "tuple", "map", "field", "invalid type"]
        {
            assert!(!run.stderr.contains(word), "{word}: {run:#?}");
        }
    }
}

#[test]
fn decimal_commas_and_comments_come_with_their_remedy() {
    let folder = Folder::new();
    let walk = folder.text("walk.bvh");
    let (head, rows) = walk.split_once("Frame Time").expect("a motion");
    let (time, rows) = rows.split_once('\n').expect("rows");
    folder.put("comma.bvh", format!("{head}Frame Time{time}\n{}", rows.replace('.', ",")));
    folder.put("comment.bvh", walk.replacen("MOTION", "# the motion\nMOTION", 1));
    for (clip, says) in [
        ("comma.bvh", "numbers have a point and no comma, so export the file with decimal points"),
        ("comment.bvh", "BVH has no comments, so take this one out"),
    ] {
        folder.run(&[clip, "--to", "hero.bvh", "-o", "x.bvh"]).failed(1, says);
    }
}
