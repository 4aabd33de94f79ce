//! One of the worst clips: its sheet and its view.

use crate::batch::{Line, Worst};
use crate::cli::draw;
use crate::cli::made_for::arrays_of;
use crate::cli::sheet::looked;
use crate::cli::text::number;
use crate::cli::view::{self, Shown};
use crate::convert;
use crate::error::Error;
use crate::report::Numbers;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io;
use std::path::Path;

/// A clip's sheet and its view; an error where the files are gone.
pub struct ClipShown {
    sheet: Result<String, Error>,
    pub view: Result<String, Error>,
}

impl ClipShown {
    /// Shows the clip of a journal's line beside its result, which is below the folder `results`. The result's
    /// animation is called `name` in formats that name animations.
    pub fn new(line: &Line<Numbers>, results: &Path, name: &str) -> Self {
        let result = &*results.join(&line.output);
        let is_named = |name: &&str| convert::load_take(result, Some(name)).is_ok();
        let take = Some(name).filter(is_named);
        let (source, made_for) = (Path::new(&line.input), &line.made_for);
        let written = convert::read_written(made_for.rig_file(results).as_deref());
        let (asked, named) = (&made_for.asked, Path::new(&made_for.target));
        let settings = asked.settings().map_err(|error| Error::Read {
            path: result.to_owned(),
            source: io::Error::other(format!("its settings are those of another version: {error}")),
        });
        let arrays = arrays_of(asked);
        let read = [source, result, named];
        let reading = |clip| arrays.reading_among(&read, clip);
        let doubtful = settings.as_ref().is_ok_and(|settings| settings.accept_doubt);
        let target = convert::load_rig_as(named, &reading(None), doubtful);
        let (written, target, settings) = match (written, target, settings) {
            (Ok(written), Ok(target), Ok(settings)) => (written, target, settings),
            (Err(error), ..) | (_, Err(error), _) | (.., Err(error)) => {
                return Self { sheet: Ok(String::new()), view: Err(error) };
            }
        };
        let target = convert::with_asked_scale(target, asked.has_scale());
        let of_source = asked.clip.as_deref();
        let look = |path, rig, take| looked(path, &convert::read_bytes(path)?, rig, &reading(take));
        let lock = convert::lock(&target);
        let sheet = [(source, &written, of_source), (result, &lock, take)]
            .map(|(path, rig, take)| look(path, rig, take));
        let sheet = sheet.into_iter().collect::<Result<Vec<_>, Error>>();
        let view = || {
            let [source, result] = [(source, of_source), (result, take)]
                .map(|(path, take)| Shown::read(path, &reading(take)));
            let (source, result) = (source?, result?);
            let (clips, looks) = ([&source.clip, &result.clip], [&source.looks, &result.looks]);
            view::page_of(clips, looks, written.clone(), Some(target), &settings)
        };
        Self { sheet: sheet.map(|found| draw::svg(&draw::sheet(&found))), view: view() }
    }

    /// The clip's section of the page; `link` leads to the view.
    pub fn section(&self, worst: &Worst, link: &str) -> String {
        let (value, most) = (number(worst.value, 3), number(worst.worst, 3));
        let times = number(worst.times_threshold, 1);
        let clip = draw::escaped(&worst.clip);
        let title = match &self.view {
            Ok(_) => format!("<a href=\"{}\">{clip}</a>", draw::escaped(&encoded(link))),
            Err(_) => clip,
        };
        let sheet = match &self.sheet {
            Ok(svg) => format!(
                "<img alt=\"Poses of source and result over time\" src=\"data:image/svg+xml;base64,{}\">",
                STANDARD.encode(svg)
            ),
            Err(_) => String::new(),
        };
        let trouble = match self.sheet.as_ref().err().or(self.view.as_ref().err()) {
            Some(error) => {
                format!("<p>It cannot be shown: {}</p>", draw::escaped(&error.with_causes()))
            }
            None => String::new(),
        };
        format!(
            "<section>\n<h3>{title}</h3>\n<p>{} {value}, {times} times its limit; at worst {most} at {}, \
             frame {}</p>\n{trouble}{sheet}\n</section>\n",
            worst.number,
            draw::escaped(&worst.joint),
            worst.frame
        )
    }
}

/// A path escaped for a link.
fn encoded(path: &str) -> String {
    let plain = |c: u8| c.is_ascii_alphanumeric() || b"-._~/".contains(&c);
    path.bytes()
        .map(|c| if plain(c) { char::from(c).to_string() } else { format!("%{c:02X}") })
        .collect()
}
