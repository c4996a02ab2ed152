//! The language of a page that a server shows. Pages that are files are in English.

use std::fmt::Display;

/// A language, and how it says the texts of a page.
#[derive(Debug, Clone, Copy)]
pub struct Tongue {
    /// The language's code in documents: `en`.
    pub code: &'static str,
    /// Translates an English text of the page. A text that it does not know stays as it is.
    pub tell: fn(&str) -> String,
}

/// English.
impl Default for Tongue {
    fn default() -> Tongue {
        Tongue { code: "en", tell: str::to_owned }
    }
}

impl Tongue {
    /// A text of the page.
    pub(super) fn t(&self, english: &str) -> String {
        (self.tell)(english)
    }

    /// A text with `{0}` replaced by a value that is not translated.
    pub(super) fn t1(&self, english: &str, first: impl Display) -> String {
        self.t2(english, first, "")
    }

    /// A text with things in the places of `{0}` and `{1}`.
    pub(super) fn t2(&self, english: &str, first: impl Display, second: impl Display) -> String {
        // An inserted value may look like a placeholder.
        let (first, second) = (first.to_string(), second.to_string());
        let text = self.t(english);
        let parts = text.split("{0}").map(|part| part.replace("{1}", &second));
        parts.collect::<Vec<_>>().join(&first)
    }
}
