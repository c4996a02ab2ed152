//! A move of a saved round, from which a round can be played in another way.

use std::path::{Path, PathBuf};

use judge_core::{Digest, RoundRecord, RoundSpec, Seat, SeatSpec, printable};

use super::RoundSetup;
use crate::Error;
use crate::rounds::round_html::NO_ROUND;
use crate::rounds::source::read_replay;

/// A move of a saved round, written `FILE:MOVE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedMove {
    file: PathBuf,
    /// The number of the move, as `judge replay --move` counts: from 1, over both seats.
    number: usize,
}

impl std::str::FromStr for SavedMove {
    type Err = String;

    fn from_str(text: &str) -> Result<SavedMove, String> {
        let parts = text.rsplit_once(':').filter(|(file, _)| !file.is_empty());
        let parsed = parts.and_then(|(file, number)| Some((file, number.parse().ok()?)));
        match parsed {
            Some((file, number)) if number >= 1 => {
                Ok(SavedMove { file: PathBuf::from(file), number })
            }
            _ => Err("expected a replay and a move, such as `round.jsonl:37`".to_owned()),
        }
    }
}

/// The position before a move of a saved round.
#[derive(Debug, Clone)]
pub(crate) struct SavedPosition {
    record: RoundRecord,
    /// The seat that is asked for the move.
    pub(crate) asked: Seat,
    /// All answers before the move, of both seats.
    pub(crate) beginning: Vec<String>,
    /// Number of earlier questions to that seat.
    pub(crate) questions: u32,
}

impl SavedPosition {
    /// The round.
    pub(crate) fn spec(&self) -> &RoundSpec {
        &self.record.header.spec
    }

    /// The digest of the round's record.
    pub(crate) fn digest(&self) -> Digest {
        self.record.digest()
    }
}

impl SavedMove {
    /// The name of the replay's file, for people.
    pub(crate) fn file_name(&self) -> String {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        printable(&name, usize::MAX)
    }

    /// The number of the move.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// The replay's file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The position before this move.
    ///
    /// # Errors
    /// If the file is not a replay of a round by the rules, or the round has no such move.
    pub(crate) fn position(&self) -> Result<SavedPosition, Error> {
        let SavedMove { file, number } = self;
        let record = read_replay(file)?.record;
        let mut moves: Vec<(Seat, String)> = record
            .calls
            .iter()
            .filter_map(|call| Some((call.seat, call.answer.clone()?)))
            .collect();
        let Some((asked, _)) = moves.get(number - 1).cloned() else {
            let path = file.display();
            let what = format!(
                "`{path}` has {} moves, and no move {number}: the round is over by then",
                moves.len()
            );
            let hint = format!("`judge replay {path}` shows them");
            return Err(Error::Input { what, hint: Some(hint) });
        };
        follows_the_rules(file, &record)?;
        moves.truncate(number - 1);
        let questions = moves.iter().filter(|(seat, _)| *seat == asked).count();
        let questions = u32::try_from(questions).unwrap_or(u32::MAX);
        let beginning = moves.into_iter().map(|(_, answer)| answer).collect();
        Ok(SavedPosition { record, asked, beginning, questions })
    }

    /// The round that this move is in, up to it: game, luck, options, limits and players. `bot` is
    /// the file of the first player. Its seat is `seat`, or the one that it has in the saved round,
    /// or the one that is asked at the move. Its opponent is `against`, or that of the saved round.
    ///
    /// # Errors
    /// If the file is not a replay of a round by the rules, the round has no such move, or its
    /// opponent is not one of the judge's own and not named.
    pub fn setting(
        &self,
        bot: Option<&Path>,
        seat: Option<Seat>,
        against: Option<String>,
    ) -> Result<RoundSetup, Error> {
        let position = self.position()?;
        let SavedPosition { record, asked, beginning, .. } = &position;
        let seat = seat.or_else(|| own_seat(record, bot)).unwrap_or(*asked);
        let spec = &record.header.spec;
        Ok(RoundSetup {
            game: Some(spec.game.clone()),
            options: spec.options.clone(),
            seed: spec.seed,
            against: Some(against.map_or_else(|| self.opponent(spec.seat(seat.other())), Ok)?),
            seat,
            limits: spec.limits,
            beginning: beginning.clone(),
        })
    }

    /// The opponent of the saved round, if it needs no file.
    fn opponent(&self, seat: &SeatSpec) -> Result<String, Error> {
        match seat {
            SeatSpec::Reference { name } => Ok(name.clone()),
            SeatSpec::Bot { name, .. }
            | SeatSpec::Trained { name, .. }
            | SeatSpec::Human { name }
            | SeatSpec::Native { name } => {
                let path = self.file.display();
                let what = format!("the opponent in `{path}` is `{name}`, which is not bundled");
                Err(Error::usage(what, "name its file, or another opponent, with `--against`"))
            }
        }
    }

    /// Says which moves are given.
    pub fn remark(&self) -> String {
        let (name, number) = (self.file_name(), self.number);
        match number {
            1 => {
                format!("no move is taken from `{name}`: the players answer from the first one on")
            }
            2 => format!("move 1 is that of `{name}`; from move 2 on the players' answers count"),
            _ => format!(
                "moves 1 to {} are those of `{name}`; from move {number} on the players' answers \
                 count",
                number - 1
            ),
        }
    }
}

/// Checks that the rules make these lines of the answers: other lines may belong to other luck.
fn follows_the_rules(file: &Path, record: &RoundRecord) -> Result<(), Error> {
    let transcript = judge_referee::transcript_of(record);
    let header = &record.header;
    let again = judge_referee::record(&header.spec, header.fingerprint.clone(), &transcript)
        .map_err(|error| Error::input(file, &error))?;
    match again.calls == record.calls {
        true => Ok(()),
        false => Err(Error::input(file, &NO_ROUND)),
    }
}

/// The only seat of a bot with this file's name; without that, the only seat of a bot.
fn own_seat(record: &RoundRecord, bot: Option<&Path>) -> Option<Seat> {
    let only = |fits: &dyn Fn(&SeatSpec) -> bool| {
        let mut seats = Seat::BOTH.into_iter().filter(|seat| fits(record.header.spec.seat(*seat)));
        seats.next().filter(|_| seats.next().is_none())
    };
    let name = bot.and_then(Path::file_stem).map(|name| name.to_string_lossy().into_owned());
    only(&|seat| seat.is_bot() && name.as_deref() == Some(seat.name()))
        .or_else(|| only(&SeatSpec::is_bot))
}
