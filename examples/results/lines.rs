//! A line for each result, for whatever compares two versions of the program.

use crate::Target;
use retarget::internals::convert::{self, SourceClip};
use retarget::internals::error::Error;
use retarget::internals::report::{LEG_CM, NUMBERS};
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use std::num::NonZero;
use std::sync::Mutex;

/// The heads of the columns, apart by tabs as all lines: of each number its value, the joint and the frame where it is
/// worst.
pub fn print_heads() {
    let numbers = NUMBERS.iter().map(|number| format!("\t{0}\tjoint\tframe", number.name));
    println!("clip\tbody\tframes\tmisses\tdrop_cm{}", numbers.collect::<String>());
}

/// A clip on every body, planted. Threads of its own take one body after another: those of the conversion would begin
/// another body wherever they wait for each other, and again within that.
pub fn print(source: &SourceClip, clip: &str, targets: &[&Target]) -> Result<(), Error> {
    let mut lines = Vec::new();
    lines.resize_with(targets.len(), || Ok(String::new()));
    let next = Mutex::new(lines.iter_mut().zip(targets));
    let next = || next.lock().expect("no other thread has panicked").next();
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((line, target)) = next() {
                    *line = result(source, target);
                }
            });
        }
    });
    for line in lines {
        println!("{clip}\t{}", line?);
    }
    Ok(())
}

fn result(source: &SourceClip, (body, target): &Target) -> Result<String, Error> {
    let done = convert::convert(source, RigFile::default(), target, &Settings::default())?;
    let drop_cm = done.plant.deepest_drop_len() * LEG_CM / target.rig.leg_len;
    let numbers = NUMBERS.iter().map(|number| {
        let measure = number.of(&done.report);
        format!("\t{:.5}\t{}\t{}", measure.value, measure.joint, measure.frame)
    });
    let (frames, misses) = (source.clip.len(), done.plant.misses.len());
    Ok(format!("{body}\t{frames}\t{misses}\t{drop_cm:.2}{}", numbers.collect::<String>()))
}
