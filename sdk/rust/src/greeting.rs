//! The first line of a round, `game mahjong seat 1 void_suit=true …`, in its parts. It is the same
//! for all games.

use std::str::FromStr;

use judge_core::{Options, Seat};

/// The judge's first line, after the word `game`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Greeting {
    /// The bot's seat.
    pub(crate) seat: Seat,
    /// The rule switches.
    pub(crate) options: Options,
}

/// A text in another form than the judge's greeting.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoGreeting;

impl FromStr for Greeting {
    type Err = NoGreeting;

    fn from_str(text: &str) -> Result<Greeting, NoGreeting> {
        let mut words = text.split(' ').skip(1);
        let seat = match (words.next(), words.next()) {
            (Some("seat"), Some("1")) => Seat::One,
            (Some("seat"), Some("2")) => Seat::Two,
            _ => return Err(NoGreeting),
        };
        let pairs = words.map(|word| word.split_once('=').ok_or(NoGreeting));
        let options = pairs.map(|pair| pair.map(|(key, value)| (key.to_owned(), value.to_owned())));
        Ok(Greeting { seat, options: options.collect::<Result<_, _>>()? })
    }
}

/// The seat and the rules of a greeting; the judge never sends one in another form.
pub(crate) fn rules<R, E>(
    greeting: &str,
    read: impl FnOnce(&Options) -> Result<R, E>,
) -> Option<(Seat, R)> {
    let Greeting { seat, options } = greeting.parse().ok()?;
    Some((seat, read(&options).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seat_and_switches_are_read() {
        let pairs = [("size", "6"), ("white", "a1,b2"), ("opening", "")];
        let options = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        let greeting = "amazons seat 2 size=6 white=a1,b2 opening=".parse();
        assert_eq!(greeting, Ok(Greeting { seat: Seat::Two, options }));
        let greeting = "seat seat 1".parse();
        assert_eq!(greeting, Ok(Greeting { seat: Seat::One, options: Options::new() }));
    }

    #[test]
    fn other_texts_are_not_greetings() {
        for text in [
            "",
            "cc",
            "cc seat",
            "cc seat 3",
            "seat 1",
            "cc seat 12",
            "cc seat 1 size",
            "cc seat 1 ",
        ] {
            assert_eq!(text.parse::<Greeting>(), Err(NoGreeting), "{text}");
        }
    }
}
