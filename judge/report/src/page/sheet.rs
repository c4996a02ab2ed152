//! Common parts of every page: its style, its script, and the policy that allows a browser only
//! these two.

use std::fmt::Display;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge_core::{digest, printable};

use super::language::PageLanguage;

/// Colours and layout that all pages share.
pub const STYLE: &str = include_str!("style.css");

/// Style, script and policy of a page. The page contains the texts byte for byte, because the
/// policy has their hashes.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) policy: String,
    pub(super) style: String,
    pub(super) script: &'static str,
    /// Addresses of style and script on a server, which sends its own policy.
    pub(super) links: Option<Links>,
}

/// Addresses of a page's style and script.
#[derive(Debug, Clone, Default)]
pub struct Links {
    /// The style sheets, in order.
    pub styles: Vec<String>,
    /// The script.
    pub script: String,
    /// HTML above the page: the server's navigation.
    pub head: String,
    /// The language of the page.
    pub language: PageLanguage,
}

impl Sheet {
    /// Returns the sheet of a page with additional style rules, which follow the shared ones.
    pub(super) fn new(styles: &[&str], script: &'static str) -> Sheet {
        let style = [&[STYLE], styles].concat().concat();
        let policy = format!(
            "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; \
             form-action 'none'",
            source(&style),
            source(script)
        );
        Sheet { policy, style, script, links: None }
    }

    /// Returns the sheet of a page without inline style and script.
    pub(super) fn linked(links: Links) -> Sheet {
        let (policy, style) = (String::new(), String::new());
        Sheet { policy, style, script: "", links: Some(links) }
    }
}

impl Sheet {
    /// The language of the page.
    pub(super) fn language(&self) -> PageLanguage {
        self.links.as_ref().map_or_else(PageLanguage::default, |links| links.language)
    }

    /// Translates a text of the page.
    pub(super) fn t(&self, english: &str) -> String {
        self.language().t(english)
    }

    /// Translates a text and replaces `{0}`.
    pub(super) fn t1(&self, english: &str, first: impl Display) -> String {
        self.language().t1(english, first)
    }

    /// Translates a text and replaces `{0}` and `{1}`.
    pub(super) fn t2(&self, english: &str, first: impl Display, second: impl Display) -> String {
        self.language().t2(english, first, second)
    }
}

/// The start of every page's head.
const HEAD: &str = "<meta charset=\"utf-8\">\n";

/// Makes a page reload itself after this many seconds.
pub fn reloading(page: &str, seconds: u32) -> String {
    let order = format!("{HEAD}<meta http-equiv=\"refresh\" content=\"{seconds}\">\n");
    page.replacen(HEAD, &order, 1)
}

/// Formats the hash of a text for a policy.
fn source(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(digest(text.as_bytes()).bytes()))
}

/// Escapes control characters of an untrusted text for a page, except line ends. The template
/// escapes HTML markup.
pub(super) fn tame(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| printable(line, usize::MAX)).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_has_the_hashes_of_inline_scripts_and_styles() {
        // The hash of the empty text, which test vectors for SHA-256 include.
        assert_eq!(source(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        let sheet = Sheet::new(&[".a{}"], "1;");
        assert!(sheet.style.ends_with(".a{}") && sheet.style.starts_with(STYLE));
        assert!(sheet.policy.starts_with("default-src 'none'; "), "{}", sheet.policy);
        assert!(sheet.policy.contains(&format!("style-src '{}'", source(&sheet.style))));
        assert!(sheet.policy.contains(&format!("script-src '{}'", source("1;"))));
        assert!(!sheet.policy.contains("unsafe"), "{}", sheet.policy);
    }

    #[test]
    fn a_reloading_page_has_one_refresh_in_its_head() {
        let page = crate::course::tests::scoreboard().to_html();
        let again = reloading(&page, 10);
        assert_eq!(again.matches("http-equiv=\"refresh\" content=\"10\"").count(), 1);
        assert!(again.find("refresh") < again.find("<title>"));
        assert_eq!(again.lines().count(), page.lines().count() + 1);
    }

    #[test]
    fn line_breaks_are_kept_and_control_characters_are_shown() {
        assert_eq!(tame("a\nb\u{202e}c\u{0}\r\n"), "a\nb\\u{202e}c\\u{0}\\r\n");
    }
}
