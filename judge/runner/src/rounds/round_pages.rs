//! Pages of rounds, and the index page that lists and links to them.

use std::path::{Path, PathBuf};

use judge_arena::{Job, RoundOutline, Run};
use judge_core::{RoundRecord, RoundRow, Seat, SeatSpec};
use judge_report::page::{Beside, RoundLine};
use judge_report::quoted;

use crate::Error;
use crate::base::address::encoded;
use crate::base::files;
use crate::rounds::round_html;

/// The usual name of an index.
const ALL_ROUNDS: &str = "all rounds";

/// A folder for the pages of rounds, and the index page.
pub(crate) struct RoundPages {
    /// The index page.
    pub(crate) index: PathBuf,
    folder: PathBuf,
    /// The path from the index to the folder, and back.
    prefix: String,
    back: String,
    /// Name of the index on the pages of rounds.
    back_name: &'static str,
    /// The only bot as an argument of commands; none for modules that are called like their bots.
    bot: Option<String>,
}

impl RoundPages {
    /// Uses a folder with the index in it.
    pub(crate) fn in_folder(folder: &Path) -> RoundPages {
        RoundPages {
            index: folder.join("index.html"),
            folder: folder.to_owned(),
            prefix: String::new(),
            back: "index.html".to_owned(),
            back_name: ALL_ROUNDS,
            bot: None,
        }
    }

    /// Uses a folder next to a page, such as `match-rounds/` for `match.html`.
    pub(crate) fn next_to(page: &Path) -> RoundPages {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = page.file_stem().unwrap_or_default().to_string_lossy();
        let own = format!("{stem}-rounds");
        RoundPages {
            index: page.to_owned(),
            folder: page.with_file_name(&own),
            prefix: format!("{}/", encoded(&own)),
            back: format!("../{}", encoded(&name)),
            back_name: ALL_ROUNDS,
            bot: None,
        }
    }

    /// Gives the index another name on the pages of rounds.
    #[must_use]
    pub(crate) fn with_back_name(self, back_name: &'static str) -> RoundPages {
        RoundPages { back_name, ..self }
    }

    /// Names the only bot's file in commands by its absolute path.
    #[must_use]
    pub(crate) fn with_bot(self, bot: &Path) -> RoundPages {
        let bot = std::path::absolute(bot).unwrap_or_else(|_| bot.to_owned());
        RoundPages { bot: Some(quoted(&bot.to_string_lossy())), ..self }
    }

    /// Creates the folder.
    pub(crate) fn make(&self) -> Result<(), Error> {
        std::fs::create_dir_all(&self.folder)
            .map_err(|source| Error::Write { path: self.folder.clone(), source })
    }

    /// Writes a round as a file and as a page, and returns the page's address relative to the
    /// index.
    pub(crate) fn keep(&self, number: u64, record: &RoundRecord) -> Result<String, Error> {
        let name = format!("round-{number}");
        let file = format!("{name}.jsonl");
        let (back, back_name) = (self.back.clone(), self.back_name);
        let beside = Beside { file: file.clone(), back, back_name };
        files::write(&self.folder.join(&file), &record.to_replay())?;
        let verify = match &self.bot {
            Some(bot) => format!("judge verify {file} {bot}"),
            None => verify(&file, record),
        };
        let page = round_html::of_record(record, &verify, beside)?;
        files::write(&self.folder.join(format!("{name}.html")), &page)?;
        Ok(format!("{}{name}.html", self.prefix))
    }

    /// Writes a round that goes another way from a move on, as a file and as a page, and returns
    /// the page's address relative to the index.
    pub(crate) fn keep_other(
        &self,
        number: usize,
        record: &RoundRecord,
        remark: String,
    ) -> Result<String, Error> {
        let name = format!("other-move-{number}");
        let file = format!("{name}.jsonl");
        let beside = Beside {
            file: file.clone(),
            back: self.back.clone(),
            back_name: "the round that was played",
        };
        files::write(&self.folder.join(&file), &record.to_replay())?;
        let page = round_html::other(record, remark, beside)?;
        files::write(&self.folder.join(format!("{name}.html")), &page)?;
        Ok(format!("{}{name}.html", self.prefix))
    }

    /// Writes the rounds of these jobs, and returns the addresses of their pages by number. Rounds
    /// that are not in the run's journal are played again. `listen` receives each round.
    pub(crate) fn keep_all(
        &self,
        run: &Run,
        modules: &[&[u8]],
        rounds: &[(u64, Job)],
        listen: &mut dyn FnMut(u64, &RoundOutline),
    ) -> Result<Vec<(u64, String)>, Error> {
        self.make()?;
        let jobs: Vec<Job> = rounds.iter().map(|(_, job)| job.clone()).collect();
        let mut written = Ok(Vec::new());
        run.play_all(modules, &jobs, &|_| false, &mut |done| {
            let (Ok(pages), Some(played)) = (&mut written, done.played) else {
                return;
            };
            let record = &played.record;
            let number = rounds[done.job].0;
            // After a judge error there is nothing to show.
            if record.trailer.fault.as_ref().is_some_and(|fault| fault.seat.is_none()) {
                return;
            }
            listen(number, &played.outline);
            match self.keep(number, record) {
                Ok(page) => pages.push((number, page)),
                Err(failure) => written = Err(failure),
            }
        })
        .map_err(Error::from)?;
        written
    }
}

/// The command that checks a round's file.
fn verify(file: &str, record: &RoundRecord) -> String {
    let player = |seat: Seat| match record.header.spec.seat(seat) {
        SeatSpec::Bot { name, .. } => Some(format!(" {}", quoted(&format!("{name}.wasm")))),
        SeatSpec::Trained { name, .. } => Some(format!(" {}", quoted(name))),
        SeatSpec::Reference { .. } | SeatSpec::Human { .. } | SeatSpec::Native { .. } => None,
    };
    let players: String = Seat::BOTH.into_iter().filter_map(player).collect();
    format!("judge verify {file}{players}")
}

/// Returns a row with its page if there is one, otherwise with its command.
pub(crate) fn line(
    row: RoundRow,
    seat: Seat,
    pages: &[(u64, String)],
    command: Option<String>,
) -> RoundLine {
    let page = pages.iter().find(|(number, _)| *number == row.round);
    RoundLine { page: page.map(|(_, address)| address.clone()), command, row, seat }
}
