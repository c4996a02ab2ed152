//! Answers composed by pointing at the picture: places that stand for parts of an answer, and the
//! parts that may come next.

/// A place in the picture that stands for a part of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The part, as in [`Choice::part`].
    pub part: String,
    /// Left and top, in units of the picture.
    pub at: [i32; 2],
    /// Width and height.
    pub size: [i32; 2],
}

/// A part of an answer that may come next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The part: equal parts at one question stand for the same thing.
    pub part: String,
    /// The part in words for people.
    pub words: String,
    /// A shape that the part stands for: rows of `#` and `.`, with `/` between them.
    pub shape: Option<String>,
}

impl Choice {
    /// A part with its words.
    pub fn new(part: impl Into<String>, words: impl Into<String>) -> Choice {
        Choice { part: part.into(), words: words.into(), shape: None }
    }
}

/// The parts that may follow the chosen ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// Every part that may come next, each once.
    pub next: Vec<Choice>,
    /// The answer that the chosen parts make, if they make one. Parts may still follow.
    pub answer: Option<String>,
}

impl Choices {
    /// The choices among answers that are each a single part.
    pub fn whole(answers: &[String], chosen: &[String]) -> Choices {
        Choices::among(answers.iter().map(|answer| (answer, [Choice::new(answer, answer)])), chosen)
    }

    /// The choices among answers, each with its parts in the order in which they are chosen.
    pub fn among<const PARTS: usize>(
        answers: impl Iterator<Item = (impl ToString, [Choice; PARTS])>,
        chosen: &[String],
    ) -> Choices {
        let mut choices = Choices::default();
        for (answer, parts) in answers {
            let begins = std::iter::zip(&parts, chosen).all(|(part, chosen)| part.part == *chosen);
            if !begins || chosen.len() > PARTS {
                continue;
            }
            match parts.into_iter().nth(chosen.len()) {
                None => choices.answer = Some(answer.to_string()),
                Some(next) => choices.add(next),
            }
        }
        choices
    }

    /// Adds a part, unless it is there.
    pub fn add(&mut self, next: Choice) {
        if self.next.iter().all(|other| other.part != next.part) {
            self.next.push(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(choices: &Choices) -> Vec<&str> {
        choices.next.iter().map(|choice| choice.part.as_str()).collect()
    }

    #[test]
    fn the_next_parts_follow_the_chosen_ones() {
        let moves = [("a1-b1", ["a1", "b1"]), ("a1-c1", ["a1", "c1"]), ("d1-b1", ["d1", "b1"])];
        let after = |chosen: &[&str]| {
            let chosen: Vec<String> = chosen.iter().map(|&part| part.to_owned()).collect();
            let moves = moves.map(|(name, parts)| (name, parts.map(|part| Choice::new(part, ""))));
            Choices::among(moves.into_iter(), &chosen)
        };
        assert_eq!(parts(&after(&[])), ["a1", "d1"]);
        assert_eq!(parts(&after(&["a1"])), ["b1", "c1"]);
        assert_eq!(after(&["a1", "c1"]).answer.as_deref(), Some("a1-c1"));
        assert_eq!(after(&["a1", "d1"]), Choices::default());
        assert_eq!(after(&["a1", "c1", "a1"]), Choices::default());
    }

    #[test]
    fn a_whole_answer_is_one_part() {
        let answers = ["no", "yes"].map(str::to_owned);
        assert_eq!(parts(&Choices::whole(&answers, &[])), ["no", "yes"]);
        let chosen = Choices::whole(&answers, &answers[..1]);
        assert_eq!((chosen.answer.as_deref(), chosen.next.len()), (Some("no"), 0));
    }
}
