//! Recorded games of Patchwork in the format of the original project, without a header: circle,
//! placements, winner, score of player 1, score of player 2, and the winner's margin.

use std::io;

use judge_core::RecordedGame;

/// Renders all games without a fault. This format cannot hold a fault, because the scores follow
/// from the placements.
pub(super) fn render(games: &[RecordedGame]) -> io::Result<Vec<u8>> {
    let mut lines = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for game in games.iter().filter(|game| game.fault.is_none()) {
        lines.write_record(line(game))?;
    }
    lines.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

fn line(game: &RecordedGame) -> [String; 6] {
    // A state consists of the circle, a space, and all placements so far.
    let start = game.plies.first().map(|ply| ply.state.as_str()).unwrap_or_default();
    let circle = start.split(' ').next().unwrap_or_default().to_owned();
    let placements = game.plies.iter().map(|ply| ply.answer.as_str()).collect();
    let winner = game.outcome.winner.map_or_else(|| "0".to_owned(), |seat| seat.to_string());
    let [one, two] = game.outcome.scores;
    let margin = one.abs_diff(two).to_string();
    [circle, placements, winner, one.to_string(), two.to_string(), margin]
}
