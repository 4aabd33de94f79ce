mod common;
#[path = "common/equivalent.rs"]
mod equivalent;
#[path = "common/rewrite.rs"]
mod rewrite;
#[path = "common/writings.rs"]
mod writings;
use equivalent::{FAMILIES, Written, errors, originals, Original};
use writings::Writing;

#[test]
fn survey() {
    let Some(dir) = common::mocap_dir() else { return };
    let originals = originals(&dir, &FAMILIES, 300);
    for o in &originals {
        eprintln!("## {} stance {} up {} sameclip", o.name, o.rig.stance.origin, o.rig.up);
        let kinds: [(&str, fn(&Original)->Vec<Writing>); 13] = [
            ("own", |o| vec![("own".into(), rewrite::Rewritten::of(&o.clip))]),
            ("names", writings::names),
            ("units", writings::units),
            ("channels", writings::channels),
            ("roots", writings::roots),
            ("up", writings::up_axes),
            ("arms", writings::arms),
            ("facings", writings::facings),
            ("legs", writings::straight_legs),
            ("alongx", writings::along_x),
            ("inserted", writings::inserted),
            ("twists", writings::twists),
            ("once", writings::at_once),
        ];
        for (kind, f) in kinds {
            for (how, other) in f(o) {
                for w in [Written::Source, Written::Target, Written::BareTarget] {
                    match errors(o, &other, w) {
                        Ok(e) => eprintln!("{kind}\t{}\t{how}\t{w:?}\t{:.5}\t{:.5}\t{}", o.name, e.p95(), e.max, e.place),
                        Err(e) => eprintln!("{kind}\t{}\t{how}\t{w:?}\tERR {}", o.name, e.to_string().lines().next().unwrap()),
                    }
                }
            }
        }
    }
}
