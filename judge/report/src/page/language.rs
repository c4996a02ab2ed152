//! The language of a server's page. Pages in files are in English.

use std::fmt::Display;

/// A language, with its translations of a page's texts.
#[derive(Debug, Clone, Copy)]
pub struct PageLanguage {
    /// The language's code in documents: `en`.
    pub code: &'static str,
    /// Translates an English text of the page. An unknown text stays as it is.
    pub tell: fn(&str) -> String,
}

/// English.
impl Default for PageLanguage {
    fn default() -> PageLanguage {
        PageLanguage { code: "en", tell: str::to_owned }
    }
}

impl PageLanguage {
    /// Translates a text of the page.
    pub(super) fn t(&self, english: &str) -> String {
        (self.tell)(english)
    }

    /// Translates a text, and replaces `{0}` with a value that is not translated.
    pub(super) fn t1(&self, english: &str, first: impl Display) -> String {
        self.t2(english, first, "")
    }

    /// Translates a text, and replaces `{0}` and `{1}` with values that are not translated.
    pub(super) fn t2(&self, english: &str, first: impl Display, second: impl Display) -> String {
        // The first value may contain `{1}`.
        let (first, second) = (first.to_string(), second.to_string());
        let text = self.t(english);
        let parts = text.split("{0}").map(|part| part.replace("{1}", &second));
        parts.collect::<Vec<_>>().join(&first)
    }
}
