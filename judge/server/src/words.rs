//! All texts of the pages, with one file per language.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::LazyLock;

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;

/// A language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese, simplified.
    Chinese,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// The code in documents and settings: `en`.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
    }

    /// The language's name for itself.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Chinese => "中文",
        }
    }

    /// The language of that code, if there is one.
    pub fn find(code: &str) -> Option<Language> {
        let main = code.split(['-', '_']).next().unwrap_or_default();
        Language::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(main))
    }

    /// The language that a browser prefers: the first available one. Weights are ignored, because
    /// they are rarely out of order and a person can choose.
    pub fn preferred(headers: &HeaderMap) -> Language {
        let asked = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let mut codes = asked.unwrap_or_default().split(',').map(|one| one.split(';').next());
        codes.find_map(|code| Language::find(code?.trim())).unwrap_or_default()
    }

    /// The words of this language.
    pub fn words(self) -> &'static Words {
        static WORDS: LazyLock<[Words; 2]> = LazyLock::new(|| {
            [
                Words::read(Language::English, include_str!("../words/en.toml")),
                Words::read(Language::Chinese, include_str!("../words/zh.toml")),
            ]
        });
        &WORDS[self as usize]
    }
}

/// The words of a language.
#[derive(Debug)]
pub struct Words {
    /// The language.
    pub language: Language,
    texts: BTreeMap<String, String>,
}

impl Words {
    fn read(language: Language, text: &str) -> Words {
        let sections: BTreeMap<String, BTreeMap<String, String>> =
            toml::from_str(text).expect("a test reads both files");
        let entry =
            |section: &str, (key, text): (String, String)| (format!("{section}.{key}"), text);
        let texts = sections.into_iter().flat_map(|(section, words)| {
            words.into_iter().map(move |word| entry(&section, word)).collect::<Vec<_>>()
        });
        Words { language, texts: texts.collect() }
    }

    /// The text with that name; the name itself if it is missing, which a test rules out.
    pub fn t<'a>(&'a self, key: &'a str) -> &'a str {
        self.texts.get(key).map_or(key, String::as_str)
    }

    /// The text with a composed name, such as `verdict` and `accepted`; none if it is missing.
    pub fn find(&self, section: &str, key: &str) -> Option<&str> {
        self.texts.get(&format!("{section}.{key}")).map(String::as_str)
    }

    /// The text with a value for `{0}`.
    pub fn t1(&self, key: &str, first: impl Display) -> String {
        self.t(key).replace("{0}", &first.to_string())
    }

    /// The text for a number of things, with that number for `{0}`: for one thing the text with
    /// `_one` at the end of its name.
    pub fn many(&self, key: &str, number: impl Display) -> String {
        let number = number.to_string();
        let one = format!("{key}_one");
        if number == "1" && self.texts.contains_key(&one) {
            return self.t1(&one, number);
        }
        self.t1(key, number)
    }

    /// The text with values for `{0}` and `{1}`.
    pub fn t2(&self, key: &str, first: impl Display, second: impl Display) -> String {
        // A value may look like a placeholder.
        let (first, second) = (first.to_string(), second.to_string());
        let parts = self.t(key).split("{0}").map(|part| part.replace("{1}", &second));
        parts.collect::<Vec<_>>().join(&first)
    }

    /// The names of all texts.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, found);
            } else {
                found.push(path);
            }
        }
    }

    /// True for file names, which pages and sources mention.
    fn file_name(text: &str) -> bool {
        [".html", ".css", ".js", ".db"].iter().any(|ending| text.ends_with(ending))
    }

    /// The names of texts in a template or source: the strings after `t(`.
    fn used(text: &str) -> BTreeSet<String> {
        let starts = ["t(\"", "t1(\"", "t2(\"", "many(\"", "Bad(\"", "Refused(\"", "=> \""];
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( \"", "(\"");
        let after = |start: &'static str| text.split(start).skip(1).collect::<Vec<_>>();
        let quoted = starts.into_iter().flat_map(after).filter_map(|rest| rest.split('"').next());
        let plausible = |key: &&str| {
            let fits = |c: char| c.is_ascii_lowercase() || c == '.' || c == '_';
            key.contains('.') && !file_name(key) && key.chars().all(fits)
        };
        quoted.filter(plausible).map(str::to_owned).collect()
    }

    #[test]
    fn every_language_has_the_same_texts_and_placeholders() {
        let [english, chinese] = Language::ALL.map(Language::words);
        assert_eq!(english.keys().collect::<Vec<_>>(), chinese.keys().collect::<Vec<_>>());
        for key in english.keys() {
            // The text for one thing may leave out its number.
            for place in ["{0}", "{1}"].into_iter().filter(|_| !key.ends_with("_one")) {
                let has = |words: &Words| words.t(key).contains(place);
                assert_eq!(has(english), has(chinese), "{key} {place}");
            }
        }
    }

    #[test]
    fn every_text_used_in_the_code_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        sources(&root.join("pages"), &mut files);
        sources(&root.join("src"), &mut files);
        let words = Language::English.words();
        let known: BTreeSet<&str> = words.keys().collect();
        let mut asked = BTreeSet::new();
        for file in files.iter().filter(|file| !file.ends_with("words.rs")) {
            let text = std::fs::read_to_string(file).expect("text");
            for key in used(&text) {
                assert!(known.contains(key.as_str()), "{}: {key}", file.display());
                asked.insert(key);
            }
        }
        assert!(asked.len() > 50, "{asked:?}");
        // Texts with composed names.
        let made = [
            "verdict.",
            "act.",
            "role.",
            "event.",
            "error.",
            "refusal.",
            "mode.",
            "advice.",
            "standing.",
            "term.",
            "sentence.",
            "play.",
            "write.",
            "round.",
            "back.",
            "start.kit_",
            "mail.",
            "lti.step_",
        ];
        for key in known.iter().filter(|key| !made.iter().any(|start| key.starts_with(start))) {
            let many = key.strip_suffix("_one").unwrap_or(key);
            assert!(asked.contains(many), "unused text {key}");
        }
    }

    #[test]
    fn texts_with_a_number_have_a_singular() {
        let words = Language::English.words();
        assert_eq!(words.many("progress.many", 1), "1 result.");
        assert_eq!(words.many("progress.many", 21), "21 results.");
        assert_eq!(words.many("suite.hidden", 1), "Hidden testcases: 1.");
    }

    #[test]
    fn placeholders_in_values_are_not_filled() {
        let texts = [("a.b".to_owned(), "{0} of {1}".to_owned())];
        let words = Words { language: Language::English, texts: texts.into() };
        assert_eq!(words.t2("a.b", "{1}", "{0}"), "{1} of {0}");
    }

    #[test]
    fn the_first_known_requested_language_is_used() {
        let asked = |text: &'static str| {
            let header = (ACCEPT_LANGUAGE, axum::http::HeaderValue::from_static(text));
            Language::preferred(&HeaderMap::from_iter([header]))
        };
        assert_eq!(asked("zh-CN,zh;q=0.9,en;q=0.8"), Language::Chinese);
        assert_eq!(asked("fr, en-GB;q=0.7, zh;q=0.1"), Language::English);
        assert_eq!(asked("*"), Language::English);
    }
}
