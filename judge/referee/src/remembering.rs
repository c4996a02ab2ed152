//! A player of the judge, or a native program, that plays a round repeatedly without computing a
//! move twice.

use judge_core::{Player, PlayerFault, Usage};

/// One call: the line, and the result.
type Remembered = (String, Told);

/// The answer, if the line was a question, and the fuel.
type Told = (Option<String>, Option<u64>);

/// Creates the opponent for the start of the round.
pub type Create = Box<dyn Fn() -> Box<dyn Player>>;

/// Plays like the opponent, from the start of the round after each [`Remembering::rewind`]. Earlier
/// calls are answered from memory. If the lines differ from the previous ones, a new opponent is
/// created and gets the common part.
pub(crate) struct Remembering {
    create: Create,
    /// Has received all of `memory`.
    inner: Box<dyn Player>,
    memory: Vec<Remembered>,
    /// Calls since the start of the round.
    calls: usize,
}

impl Remembering {
    pub(crate) fn new(create: Create) -> Remembering {
        let inner = create();
        Remembering { create, inner, memory: Vec::new(), calls: 0 }
    }

    /// Goes back to the start of the round.
    pub(crate) fn rewind(&mut self) {
        self.calls = 0;
    }

    fn call(&mut self, line: &str, asked: bool) -> Result<Told, PlayerFault> {
        if let Some((known, told)) = self.memory.get(self.calls) {
            if known == line {
                self.calls += 1;
                return Ok(told.clone());
            }
            self.forget()?;
        }
        let told = send_line(self.inner.as_mut(), line, asked)?;
        self.memory.push((line.to_owned(), told.clone()));
        self.calls += 1;
        Ok(told)
    }

    /// Drops the part of memory that does not fit the current round.
    fn forget(&mut self) -> Result<(), PlayerFault> {
        self.memory.truncate(self.calls);
        self.inner = (self.create)();
        for (line, told) in &mut self.memory {
            *told = send_line(self.inner.as_mut(), line, told.0.is_some())?;
        }
        Ok(())
    }
}

fn send_line(player: &mut dyn Player, line: &str, asked: bool) -> Result<Told, PlayerFault> {
    if !asked {
        return Ok((None, player.notice(line)?));
    }
    let mut answer = String::new();
    let fuel = player.ask(line, &mut answer)?;
    Ok((Some(answer), fuel))
}

impl Player for Remembering {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.call(line, false).map(|(_, fuel)| fuel)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let (said, fuel) = self.call(line, true)?;
        answer.push_str(&said.unwrap_or_default());
        Ok(fuel)
    }

    /// None while an earlier point of the round is played, where the log has parts of later calls.
    fn usage(&mut self) -> Usage {
        if self.calls < self.memory.len() { Usage::default() } else { self.inner.usage() }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    /// Number of parrots, and total number of questions to them.
    type Count = Rc<Cell<(u32, u32)>>;

    /// Answers with all messages and questions so far.
    struct Parrot {
        heard: String,
        count: Count,
    }

    impl Player for Parrot {
        fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
            self.heard.push_str(line);
            Ok(None)
        }

        fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
            let (made, asked) = self.count.get();
            self.count.set((made, asked + 1));
            self.heard.push_str(line);
            answer.push_str(&self.heard);
            Ok(None)
        }
    }

    fn parrot(count: &Count) -> Remembering {
        let count = count.clone();
        Remembering::new(Box::new(move || {
            let (made, asked) = count.get();
            count.set((made + 1, asked));
            Box::new(Parrot { heard: String::new(), count: count.clone() })
        }))
    }

    /// Plays from the start. Lines in capitals are questions.
    fn round(player: &mut Remembering, lines: &str) -> Vec<String> {
        player.rewind();
        let mut said = Vec::new();
        for line in lines.split(' ') {
            if line.chars().all(char::is_lowercase) {
                player.notice(line).expect("a parrot takes anything");
                continue;
            }
            let mut answer = String::new();
            player.ask(line, &mut answer).expect("a parrot takes anything");
            said.push(answer);
        }
        said
    }

    #[test]
    fn a_remembering_player_answers_like_a_new_one() {
        let count = Count::default();
        let mut player = parrot(&count);
        assert_eq!(round(&mut player, "a B"), ["aB"]);
        assert_eq!(round(&mut player, "a B c D"), ["aB", "aBcD"]);
        assert_eq!(count.get(), (1, 2), "the beginning comes from memory");
        assert_eq!(round(&mut player, "a B"), ["aB"]);
        assert_eq!(round(&mut player, "a B c D E"), ["aB", "aBcD", "aBcDE"]);
        assert_eq!(count.get(), (1, 3), "a shorter match forgets nothing");
        assert_eq!(round(&mut player, "a B x D"), ["aB", "aBxD"]);
        assert_eq!(count.get(), (2, 5), "another course: a new player hears `a`, `B` and `D`");
        assert_eq!(round(&mut player, "z B"), ["zB"]);
        assert_eq!(count.get(), (3, 6));
    }
}
