//! A tournament in parts: each plays some of the meetings into a journal of its own, and
//! `judge merge` makes one journal of them, from which the tables are made as from any other.

use std::path::{Path, PathBuf};

use judge_arena::{Agreed, Journal, Pairing};
use serde_json::{Value, json};

use super::Arguments;
use super::schedule::{Fixture, Format, Hall};
use crate::contest::{self, Players};
use crate::course::{Shard, whole_plan};
use crate::failure::{Exit, Failure};
use crate::{output, worker};

/// What the journal of a part notes when all of it is played.
const FINISHED: &str = "finished";

/// Plays one part.
pub(super) fn play(
    arguments: &Arguments,
    part: Shard,
    players: &Players,
    pairing: &Pairing,
    mut plan: Value,
) -> Result<Exit, Failure> {
    let all = arguments.format.fixtures(players.count());
    plan["shard"] = json!(format!("{}/{}", part.number, part.of));
    let pool = arguments.setting.pool(&plan, players)?;
    let numbered = all.iter().enumerate();
    let own: Vec<Fixture> =
        numbered.filter(|(number, _)| part.takes(*number)).map(|(_, fixture)| *fixture).collect();
    let pairs = contest::pairs(arguments.rounds)?;
    let played = Hall::new(&pool, players, pairing, pairs).play(&own)?;
    if let Some(journal) = &pool.journal {
        let what = json!({"format": arguments.format, "rounds": arguments.rounds});
        journal.note(FINISHED, &what)?;
        journal.sync()?;
        let rounds: usize = played.meetings.iter().map(|meeting| 2 * meeting.pairs.len()).sum();
        let text = format!(
            "part {}/{}: {} of {} meetings, {rounds} rounds, in `{}`\n\
             When all parts are there: `judge merge PART… --out JOURNAL`, then this command with \
             `--journal JOURNAL --resume` and without `--shard`.\n",
            part.number,
            part.of,
            own.len(),
            all.len(),
            journal.path().display()
        );
        output::unless_reader_left(output::print(&judge_report::tame(&text)))?;
    }
    worker::warn_of_missing_walls(&pool);
    Ok(Exit::Passed)
}

/// Refuses parts that would not fit together.
pub(super) fn check(arguments: &Arguments, part: Shard, players: usize) -> Result<(), Failure> {
    let meetings = arguments.format.fixtures(players).len();
    refuse_what_cannot_be_cut(arguments.format, part, meetings)?;
    if arguments.setting.known_seed()?.is_some() {
        return Ok(());
    }
    let what = "`--shard` needs a `--seed`: parts with seeds of their own are not one tournament";
    let hint = "draw one large number, and give it to all parts: `--seed N`";
    Err(Failure::usage(what, hint))
}

fn refuse_what_cannot_be_cut(format: Format, part: Shard, meetings: usize) -> Result<(), Failure> {
    if format == Format::Swiss {
        let what = "a Swiss tournament cannot be played in parts: who meets whom depends on the \
                    results of all meetings before";
        return Err(Failure::usage(what, "leave `--shard` out, or `--format round-robin`"));
    }
    if part.of > meetings {
        let what = format!("{} parts are too many for {meetings} meetings", part.of);
        return Err(Failure::usage(what, format!("`--shard 1/{meetings}` and so on, at most")));
    }
    Ok(())
}

/// Makes one journal of the journals of all parts.
pub(crate) fn merge(parts: &[PathBuf], out: &Path) -> Result<Exit, Failure> {
    let parts: Vec<Journal> =
        parts.iter().map(|path| Journal::open(path)).collect::<Result<_, _>>()?;
    let plan = whole_plan(&parts, "tournament")?;
    let first = finished(&parts[0])?;
    for part in &parts {
        let own = finished(part)?;
        if own != first {
            let what = format!("this part was played with {own}, the first with {first}");
            return Err(Failure::input(part.path(), &what));
        }
    }
    let agreed = Agreed::new(&parts, &[])?;
    let journal = Journal::create(out, worker::fingerprint(), plan)?;
    journal.take_over(&agreed)?;
    let text =
        format!("{} parts, {} rounds, in `{}`\n", parts.len(), journal.rounds(), out.display());
    output::unless_reader_left(output::print(&judge_report::tame(&text)))?;
    Ok(Exit::Passed)
}

/// What was asked of a part, all of which must be played.
fn finished(part: &Journal) -> Result<Value, Failure> {
    let found = part.facts().into_iter().find(|(name, _)| name == FINISHED);
    found.map(|(_, value)| value).ok_or_else(|| Failure::Input {
        what: format!("`{}`: this part is not finished", part.path().display()),
        hint: Some(
            "go on with it by `--resume`, with the arguments that it was begun with".to_owned(),
        ),
    })
}
