//! A person's round, or a round between two people, from the first question to the end. Each answer
//! replays the round from its start, so an answer that is taken back leaves no trace.

use judge_arena::Partner;
use judge_core::{BySeat, RoundRecord, Seat, Transcript, Verdict};
use judge_games::View;
use judge_referee::Retraced;

use super::{Decision, Ended, Notice, Outcome, Person, PersonMatch, PersonQuestion};
use crate::Error;
use crate::base::styled_text::Styled;
use crate::base::workers::fingerprint;

/// A person's round in progress.
pub(super) struct PersonSession<'a> {
    table: &'a PersonMatch,
    partner: Partner<'a>,
    person: &'a mut dyn Person,
    /// The person's answers, in order. Together with the other player's code they determine the
    /// round.
    given: Vec<String>,
    /// The answers that were taken back, most recent last.
    taken_back: Vec<String>,
    /// Number of the round's lines that each seat's person has seen.
    seen: BySeat<usize>,
    /// The seat of the last question.
    asked: Option<Seat>,
}

impl<'a> PersonSession<'a> {
    pub(super) fn new(
        table: &'a PersonMatch,
        partner: Partner<'a>,
        person: &'a mut dyn Person,
    ) -> PersonSession<'a> {
        let (given, taken_back, seen) = (Vec::new(), Vec::new(), BySeat::default());
        PersonSession { table, partner, person, given, taken_back, seen, asked: None }
    }

    /// Plays to the end, or until the person leaves.
    pub(super) fn play(mut self) -> Result<Ended, Error> {
        self.notice(Notice::Begun)?;
        loop {
            let transcript = self.partner.play(&self.given)?;
            let round = judge_referee::retrace(&self.table.spec, &transcript)?;
            self.tell_turn(&round)?;
            self.tell_news(&round)?;
            if !waits(&round) {
                return self.end(round, &transcript).map(Ended::Round);
            }
            let mut question = self.question(round, transcript);
            self.notice(Notice::Question(&question))?;
            match self.decide(&mut question)? {
                Decision::Answer(answer) => {
                    self.given.push(answer);
                    self.taken_back.clear();
                }
                Decision::TakeBack => self.take_back()?,
                Decision::Redo => self.redo()?,
                Decision::Leave if self.given.is_empty() => return Ok(Ended::Unbegun),
                Decision::Leave | Decision::Resign => {
                    let PersonQuestion { round, transcript, .. } = question;
                    return self.end(round, &transcript).map(Ended::Round);
                }
                Decision::Interrupt => return Ok(Ended::Interrupted(self.broken(question))),
            }
        }
    }

    fn notice(&mut self, notice: Notice<'_>) -> Result<(), Error> {
        self.person.notice(self.table, notice)
    }

    /// Announces the turn of one of two people.
    fn tell_turn(&mut self, round: &Retraced) -> Result<(), Error> {
        let asked = waiting_seat(round);
        let before = self.asked;
        self.asked = asked.or(before);
        match asked.filter(|_| self.table.spec.is_between_people()) {
            Some(seat) if before != Some(seat) => {
                let [one, two] = Seat::BOTH.map(|seat| round.state.frame(View::Seat(seat)));
                self.notice(Notice::Turn { seat, hides: one != two })
            }
            _ => Ok(()),
        }
    }

    /// Shows the messages since the last question.
    fn tell_news(&mut self, round: &Retraced) -> Result<(), Error> {
        let (calls, seat) = (&round.calls, self.seat());
        // Lines after an answer that was taken back count as unseen.
        for seen in &mut self.seen {
            *seen = calls.len().min(*seen);
        }
        // An open question is not part of the news. It is shown separately.
        let end = calls.len() - usize::from(waits(round) && !calls.is_empty());
        let news = calls.get(self.seen[seat]..end).unwrap_or_default();
        self.seen[seat] = calls.len();
        self.person.notice(self.table, Notice::News { seat, calls: news })
    }

    /// The person's seat; between two people, the seat of the last question.
    fn seat(&self) -> Seat {
        let of_two = self.asked.filter(|_| self.table.spec.is_between_people());
        of_two.unwrap_or(self.table.person)
    }

    fn question(&self, round: Retraced, transcript: Transcript) -> PersonQuestion<'a> {
        let line = round.calls.last().map(|call| call.line.clone()).unwrap_or_default();
        let (legal, answered) = (round.state.legal(), self.given.len());
        let (seat, table) = (self.seat(), self.table);
        PersonQuestion { seat, line, legal, answered, table, round, transcript }
    }

    /// Asks until there is a valid decision.
    fn decide(&mut self, question: &mut PersonQuestion<'_>) -> Result<Decision, Error> {
        loop {
            let decision = self.person.answer(self.table, question)?;
            match &decision {
                Decision::Answer(answer) => match question.round.try_answer(answer) {
                    Ok(()) => return Ok(decision),
                    Err(refusal) => {
                        let refusal = &refusal;
                        self.notice(Notice::Refused { answer, refusal, question })?;
                    }
                },
                Decision::TakeBack if self.given.is_empty() => {
                    self.notice(Notice::NothingToTakeBack)?;
                }
                Decision::Redo if self.taken_back.is_empty() => {
                    self.notice(Notice::NothingToRedo)?;
                }
                _ => return Ok(decision),
            }
        }
    }

    fn take_back(&mut self) -> Result<(), Error> {
        let Some(answer) = self.given.pop() else { return Ok(()) };
        self.notice(Notice::TakenBack(&answer))?;
        self.taken_back.push(answer);
        Ok(())
    }

    fn redo(&mut self) -> Result<(), Error> {
        let Some(answer) = self.taken_back.pop() else { return Ok(()) };
        self.notice(Notice::Redone(&answer))?;
        self.given.push(answer);
        Ok(())
    }

    /// The round if the person resigns here; none before the first answer.
    fn broken(
        &self,
        PersonQuestion { round, transcript, .. }: PersonQuestion<'_>,
    ) -> Option<Outcome> {
        let begun = !self.given.is_empty();
        begun.then(|| self.outcome(round, &transcript))
    }

    /// Shows the end, and returns the round with its record.
    fn end(&mut self, round: Retraced, transcript: &Transcript) -> Result<Outcome, Error> {
        let fault = round.conclusion.fault.as_ref();
        // After a judge error there is no board to show.
        if fault.is_none_or(|fault| fault.seat.is_some()) {
            let between_people = self.table.spec.is_between_people();
            let view =
                if between_people { View::Everything } else { View::Seat(self.table.person) };
            let board = (!waits(&round)).then(|| Styled::frame(round.state.as_ref(), view));
            let standing = &round.state.standing();
            self.notice(Notice::Ended { board: board.as_ref(), standing })?;
        }
        Ok(self.outcome(round, transcript))
    }

    fn outcome(&self, round: Retraced, transcript: &Transcript) -> Outcome {
        let record: RoundRecord = round.into_record(&self.table.spec, fingerprint(), transcript);
        Outcome { record, seat: self.table.person, trace: Vec::new() }
    }
}

/// True if the round waits for the person, and has not ended.
fn waits(round: &Retraced) -> bool {
    waiting_seat(round).is_some()
}

/// The seat of the open question.
fn waiting_seat(round: &Retraced) -> Option<Seat> {
    let fault = round.conclusion.fault.as_ref();
    fault.filter(|fault| fault.verdict == Verdict::Resigned)?.seat
}
