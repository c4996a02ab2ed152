//! The code in `judge/docs/learning.md`.

use crate::support;

/// The first code block in that language after a heading; after the title if the heading is empty.
pub(crate) fn block(heading: &str, language: &str) -> String {
    let text = std::fs::read_to_string(support::root().join("judge/docs/learning.md")).unwrap();
    let after = match heading {
        "" => text.as_str(),
        _ => text.split_once(&format!("\n## {heading}\n")).expect("the heading is there").1,
    };
    let begin = format!("```{language}\n");
    let (_, block) = after.split_once(&begin).expect("a block of that language");
    let (block, _) = block.split_once("```").expect("blocks end");
    block.to_owned()
}
