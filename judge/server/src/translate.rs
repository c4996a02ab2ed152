//! Translates sentences of the judge. Reports keep them in English; a sentence is translated by the
//! English text that it matches in the words' file, section `sentence`.

use judge_report::page::PageLanguage;

use crate::words::{Language, Words};

/// Section of the judge's sentences.
const SENTENCES: &str = "sentence.";

/// Section of the texts on the page of a round.
const ROUND: &str = "round.";

/// Depth to which parts of a sentence are translated in turn.
const DEPTH: u32 = 4;

/// Translates a sentence of the judge. A sentence without a matching text stays in English.
pub fn translate(words: &Words, text: &str) -> String {
    match words.language {
        Language::English => text.to_owned(),
        Language::Chinese => translation(words, SENTENCES, text, DEPTH),
    }
}

/// The texts of a round's page in a language.
pub fn page_language(language: Language) -> PageLanguage {
    match language {
        Language::English => PageLanguage::default(),
        Language::Chinese => PageLanguage { code: language.code(), tell: on_round },
    }
}

/// A text on the page of a round, or a sentence of the judge there.
fn on_round(text: &str) -> String {
    let words = Language::Chinese.words();
    let own = translation(words, ROUND, text, 1);
    if own == text { translate(words, text) } else { own }
}

fn translation(words: &Words, section: &str, text: &str, depth: u32) -> String {
    let english = Language::English.words();
    let keys = english.keys().filter(|key| key.starts_with(section));
    let fits = keys.filter_map(|key| {
        let template = english.t(key);
        Some((fixed_length(template), key, placeholder_values(template, text)?))
    });
    // The longest text is the most specific match.
    let Some((_, key, [first, second])) = fits.max_by_key(|(length, ..)| *length) else {
        return text.to_owned();
    };
    let template = english.t(key);
    let inner = |place: &str, part: &str| {
        // Quoted parts are a bot's output or words of the protocol, and are not translated.
        let is_quoted = template.contains(&format!("`{place}`"));
        if is_quoted || depth == 0 {
            part.to_owned()
        } else {
            translation(words, section, part, depth - 1)
        }
    };
    words.t2(key, inner("{0}", first), inner("{1}", second))
}

/// Length of a template without its placeholders.
fn fixed_length(template: &str) -> usize {
    template.replace("{0}", "").replace("{1}", "").len()
}

/// The parts of a text at the template's placeholders; none if the text does not match.
fn placeholder_values<'a>(template: &str, text: &'a str) -> Option<[&'a str; 2]> {
    let Some((before, rest)) = template.split_once("{0}") else {
        return (template == text).then_some(["", ""]);
    };
    let text = text.strip_prefix(before)?;
    let filled = |part: &&str| !part.is_empty();
    match rest.split_once("{1}") {
        None => Some([text.strip_suffix(rest).filter(filled)?, ""]),
        Some((between, after)) => {
            let text = text.strip_suffix(after)?;
            let (first, second) = text.split_once(between)?;
            (filled(&first) && filled(&second)).then_some([first, second])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sources of a round's page.
    const PAGE: [&str; 5] = [
        include_str!("../../report/src/page/round.html"),
        include_str!("../../report/src/page/round.rs"),
        include_str!("../../report/src/page/words.rs"),
        include_str!("../../report/src/page/fuel.rs"),
        include_str!("../../core/src/fault.rs"),
    ];

    #[test]
    fn texts_and_translations_of_a_rounds_page_match() {
        let english = Language::English.words();
        let known: Vec<&str> =
            english.keys().filter(|key| key.starts_with(ROUND)).map(|key| english.t(key)).collect();
        let page = PAGE.concat().replace("\n", " ");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ").replace("( \"", "(\"");
        let mut many = 0;
        for call in [
            "sheet.t(\"",
            "sheet.t1(\"",
            "sheet.t2(\"",
            "language.t(\"",
            "language.t1(\"",
            "language.t2(\"",
        ] {
            for text in page.split(call).skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(known.contains(&text), "{text}");
                assert_ne!(on_round(text), text);
                many += 1;
            }
        }
        assert!(many > 60, "{many}");
        for text in known {
            // Texts of the chart are composed.
            assert!(page.contains(text) || text == "seat {0}, {1}", "no page has {text}");
        }
        assert_eq!(on_round("seat 1, move?"), "座位 1，move?");
        assert_eq!(on_round("integer division by zero"), "整数除以零");
    }

    fn chinese(text: &str) -> String {
        translate(Language::Chinese.words(), text)
    }

    #[test]
    fn translated_sentences_keep_their_values() {
        for (english, told) in [
            ("the file is empty", "文件是空的"),
            (
                "not a WebAssembly module: it looks like a zip archive",
                "不是 WebAssembly 模块：看起来像 zip 压缩包",
            ),
            (
                "round 3, line 9 of the protocol: integer division by zero in function `f`",
                "第 3 局第 9 行协议：整数除以零，在函数 `f` 中",
            ),
            (
                "the module plays cc, but this suite is for mahjong",
                "模块玩的是 cc，而本测试集是 mahjong",
            ),
            (
                "integer division by zero, after its own maximum of 128 KiB (`--max-memory` of the \
                 linker) had refused it more memory",
                "整数除以零，此前因模块自身的内存上限 128 KiB（链接器的 `--max-memory`）未能获得更多内存",
            ),
            ("bot", "程序"),
        ] {
            assert_eq!(chinese(english), told);
            assert_eq!(translate(Language::English.words(), english), english);
        }
    }

    #[test]
    fn unknown_sentences_are_not_translated() {
        for text in ["", "something new", "{0}", "the file is empty, and more"] {
            assert_eq!(chinese(text), text);
        }
    }

    /// All sources of the areas with translated sentences, each in one line.
    fn sources() -> String {
        let mut open = ["core", "guest", "sandbox", "referee", "grading", "arena", "runner"]
            .map(|room| {
                std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(room).join("src")
            })
            .to_vec();
        let mut all = String::new();
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                match path.is_dir() {
                    true => open.push(path),
                    false => all += &std::fs::read_to_string(path).expect("text"),
                }
            }
        }
        let lines = all.lines().map(|line| line.trim().trim_end_matches('\\'));
        lines.collect::<String>()
    }

    #[test]
    fn every_translated_sentence_occurs_in_the_judge() {
        let (sources, english) = (sources(), Language::English.words());
        let keys: Vec<&str> = english.keys().filter(|key| key.starts_with(SENTENCES)).collect();
        assert!(keys.len() > 70);
        // The judge composes these from two texts.
        let made = ["sentence.running_slow"];
        for key in keys.into_iter().filter(|key| !made.contains(key)) {
            let text = english.t(key).replace('\n', "\\n");
            let parts = text.split(['{', '}', ':', ';', '`', '(', ')']).map(str::trim);
            // The reason for refused memory is a separate text after a comma.
            let parts = parts.map(|part| part.strip_prefix(", after ").unwrap_or(part));
            for part in parts.filter(|part| part.len() > 8) {
                assert!(sources.contains(part), "{key}: no source has `{part}`");
            }
        }
    }

    #[test]
    fn output_of_a_bot_is_not_translated() {
        assert_eq!(chinese("no answer to `bot`"), "没有回答 `bot`");
    }

    #[test]
    fn values_with_braces_are_not_placeholders() {
        let told = chinese("the module plays {1}, but this suite is for {0}");
        assert_eq!(told, "模块玩的是 {1}，而本测试集是 {0}");
    }
}
