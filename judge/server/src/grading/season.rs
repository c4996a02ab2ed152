//! The end of a ladder's season.

use judge_runner::contest::ladder::Goal;
use judge_store::{Arena, Error, Season, Timestamp};

use crate::App;
use crate::standings::{final_table, undecided};

/// The goal of a season until its top places are separated; none if they are. While a bot has no
/// rated pair, the top places are unknown.
pub(super) async fn open_places(app: &App, arena: &Arena) -> Result<Option<Goal>, Error> {
    let table = app.season_cache().table(app.store(), arena).await?;
    if table.has_newcomers() {
        return Ok(Some(Goal::All));
    }
    let results = app.season_cache().open(app.store(), arena).await?;
    let ladder = std::sync::Arc::clone(results.ladder());
    let open = tokio::task::spawn_blocking(move || undecided(&ladder, &table)).await;
    let open = open.map_err(|error| Error::Thread(error.to_string()))?;
    Ok((!open.is_empty()).then_some(Goal::Apart(open)))
}

/// Ends a season with the current table, and begins the next.
///
/// # Errors
/// When the database fails.
pub async fn end_season(
    app: &App,
    arena: &Arena,
    season: &Season,
    now: Timestamp,
) -> Result<(), Error> {
    let is_told_apart = open_places(app, arena).await?.is_none();
    let table = app.season_cache().table(app.store(), arena).await?;
    let (standings, next) = (final_table(&table), next_title(season));
    let end = (is_told_apart, standings.as_str(), next.as_str());
    if app.store().end_season(&arena.id, season.number, end, now).await? {
        tracing::info!(arena = %arena.id, season = season.number, "a season has ended");
    }
    Ok(())
}

/// The title of the next season: with the next number, if this title ends in one.
fn next_title(season: &Season) -> String {
    let stem = season.title.trim_end_matches(|c: char| c.is_ascii_digit());
    match season.title[stem.len()..].parse::<u32>() {
        Ok(number) => format!("{stem}{}", number.saturating_add(1)),
        Err(_) => format!("{} {}", season.title, season.number + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_season_has_the_next_number() {
        let season = |title: &str| Season {
            number: 3,
            title: title.to_owned(),
            begun_at: Timestamp::from_millis(0),
            ends_at: None,
            closing: None,
            ended_at: None,
            is_told_apart: None,
            standings: None,
        };
        assert_eq!(next_title(&season("Season 9")), "Season 10");
        assert_eq!(next_title(&season("Autumn")), "Autumn 4");
        assert_eq!(next_title(&season("S99999999999")), "S99999999999 4");
    }
}
