//! Public ids. They are random, so that they can be neither counted nor guessed.

use std::fmt;
use std::str::FromStr;

use crate::basics::error::Error;

/// Characters of base 32, as in RFC 4648 but lower case.
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// Characters of an id: 80 bits.
const LENGTH: usize = 16;

/// A text that is not a valid id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an id: expected {LENGTH} characters of base 32")]
pub struct NotAnId;

/// Random bytes as base 32.
pub(crate) fn random(bytes: usize) -> Result<String, Error> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).map_err(|error| Error::Random(error.to_string()))?;
    Ok(base32(&random))
}

/// Base 32 without padding.
fn base32(bytes: &[u8]) -> String {
    let mut text = String::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in bytes {
        bits = bits << 8 | u32::from(*byte);
        held += 8;
        while held >= 5 {
            held -= 5;
            text.push(char::from(ALPHABET[(bits >> held & 31) as usize]));
        }
        bits &= (1 << held) - 1;
    }
    if held > 0 {
        text.push(char::from(ALPHABET[(bits << (5 - held) & 31) as usize]));
    }
    text
}

fn is_id(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|byte| ALPHABET.contains(&byte))
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// A new random id.
            pub(crate) fn random() -> Result<$name, Error> {
                Ok($name(random(10)?))
            }

            /// Its characters.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<$name, NotAnId> {
                is_id(text).then(|| $name(text.to_owned())).ok_or(NotAnId)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

ids! {
    /// Id of a person.
    PersonId;
    /// Id of a course.
    CourseId;
    /// Id of a group of students in a course.
    GroupId;
    /// Id of a suite in a course.
    SuiteId;
    /// Id of a submission.
    SubmissionId;
    /// Id of a request for a review.
    ReviewId;
    /// Id of a comment on a source.
    CommentId;
    /// Id of a round that a person played.
    HumanRoundId;
    /// Id of an invitation, which is not the secret in its link.
    InvitationId;
    /// Id of a session or API token, which is not the token itself.
    TokenId;
    /// Id of an arena.
    ArenaId;
    /// Id of a bot in an arena.
    BotId;
    /// Id of a version of a bot in an arena.
    VersionId;
    /// Id of a pair of rounds in an arena.
    PairId;
    /// Id of a badge. With it, every reader sees the content that the badge's owner chose.
    BadgeId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_32_is_that_of_the_standard() {
        for (bytes, text) in [("", ""), ("f", "my"), ("foob", "mzxw6yq"), ("foobar", "mzxw6ytboi")]
        {
            assert_eq!(base32(bytes.as_bytes()), text);
        }
        assert_eq!(base32(&[0xff; 10]), "7".repeat(16));
    }

    #[test]
    fn only_ids_are_read_as_ids() {
        let id = PersonId::random().expect("randomness");
        assert_eq!(id.to_string().parse(), Ok(id.clone()));
        assert_ne!(id, PersonId::random().expect("randomness"));
        for text in ["", "abc", "ABCDEFGHIJKLMNOP", "../../etc/passwd", "abcdefghijklmno1"] {
            assert_eq!(text.parse::<PersonId>(), Err(NotAnId), "{text}");
        }
    }
}
