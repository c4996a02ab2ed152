//! Filters of page templates.
#![expect(missing_docs, reason = "the macro of a filter makes items without documentation")]

use askama::Values;
use askama::filters::{Html, Safe, escape};

/// A text as HTML, with the parts between backticks marked as code.
#[askama::filter_fn]
#[expect(clippy::unnecessary_wraps, reason = "the signature of a filter")]
pub fn coded(text: impl AsRef<str>, _: &dyn Values) -> askama::Result<Safe<String>> {
    Ok(Safe(with_code(text.as_ref())))
}

fn with_code(text: &str) -> String {
    let (mut html, mut rest) = (String::new(), text);
    while let Some((before, code, after)) = first_code(rest) {
        match code {
            "" => html.extend([&escaped(before), "``"]),
            _ => html.extend([&escaped(before), "<code>", &escaped(code), "</code>"]),
        }
        rest = after;
    }
    html + &escaped(rest)
}

/// The first code of a text, with the text before and after it. A cut text may have a backtick
/// without another one.
fn first_code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (code, after) = rest.split_once('`')?;
    Some((before, code, after))
}

fn escaped(text: &str) -> String {
    let Ok(escaped) = escape(text, Html);
    escaped.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_between_backticks_becomes_code() {
        for (text, html) in [
            ("let `a<b` and `c` go", "let <code>a&#60;b</code> and <code>c</code> go"),
            ("after `a<", "after `a&#60;"),
            ("`a` `b", "<code>a</code> `b"),
            ("a `` b `c`", "a `` b <code>c</code>"),
            ("<b>", "&#60;b&#62;"),
        ] {
            assert_eq!(with_code(text), html);
        }
    }
}
