//! Filters of rounds.

use judge_core::SeatResult;
use judge_report::RoundFilter;

/// Filters of rounds on the command line.
#[derive(clap::Args)]
pub(crate) struct Wanted {
    /// Show only rounds of this player: a name, or at least the first eight digits of a module's
    /// SHA-256. `--result`, `--worst` and the table are then from this player's point of view; the columns of
    /// CSV and JSON Lines are always A's. Default: all rounds, from the side of A, the player named
    /// first.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Show only rounds against this player, from the opponent's side.
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Show only rounds with this result for the player: `win`, `draw` or `loss`.
    #[arg(long, value_name = "RESULT", value_parser = result)]
    result: Option<SeatResult>,
    /// Show only rounds with an opening (the state at the first question) that begins with this text.
    #[arg(long, value_name = "STATE")]
    opening: Option<String>,
    /// Show only rounds with at least N answers.
    #[arg(long, value_name = "N")]
    min_plies: Option<u64>,
    /// Show only rounds with at most N answers.
    #[arg(long, value_name = "N")]
    max_plies: Option<u64>,
    /// Show only rounds that ended with a fault.
    #[arg(long)]
    fault: bool,
}

impl Wanted {
    pub(crate) fn filter(&self) -> RoundFilter {
        RoundFilter {
            player: self.player.clone(),
            against: self.against.clone(),
            result: self.result,
            opening: self.opening.clone(),
            min_plies: self.min_plies,
            max_plies: self.max_plies,
            fault: self.fault,
        }
    }
}

fn result(text: &str) -> Result<SeatResult, &'static str> {
    match text {
        "win" => Ok(SeatResult::Win),
        "draw" => Ok(SeatResult::Draw),
        "loss" => Ok(SeatResult::Loss),
        _ => Err("expected `win`, `draw` or `loss`"),
    }
}
