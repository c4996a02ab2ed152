//! Recorded games as JSON Lines: one game per line, with every question.

use std::io;

use judge_core::RecordedGame;

pub(super) fn render(games: &[RecordedGame]) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for game in games {
        serde_json::to_writer(&mut lines, game)?;
        lines.push(b'\n');
    }
    Ok(lines)
}
