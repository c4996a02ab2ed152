//! Deletes what the operator's retention periods no longer keep.

use std::time::Duration;

use judge_store::{Error, Timestamp};

use crate::App;
use crate::builds::forget_derived;

/// Time between two deletions.
const PAUSE: Duration = Duration::from_secs(60 * 60);

/// Deletes courses and entries of the log that are too old, now and every hour.
pub async fn run(app: App) {
    loop {
        if let Err(error) = apply(&app, Timestamp::now()).await {
            tracing::error!(%error, "the retention periods could not be applied");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Deletes archived courses and entries of the log that are older than the operator keeps them, and
/// erases the people of these courses who are in no other.
///
/// # Errors
/// When the database fails.
pub async fn apply(app: &App, now: Timestamp) -> Result<(), Error> {
    let store = app.store().acting(None, now);
    if let Some(kept) = app.config().archived_kept {
        let many = store.delete_expired(now.before(kept), now).await?;
        if many > 0 {
            tracing::info!(many, "archived courses were deleted");
            app.scoreboards().forget();
        }
        // Even if no course expired now: an earlier call may have been interrupted.
        let many = store.erase_expired(now).await?;
        if many > 0 {
            forget_derived(&app.config().data);
            tracing::info!(many, "people of expired courses were erased");
            app.scoreboards().forget();
        }
    }
    if let Some(kept) = app.config().log_kept {
        let many = store.forget_log(kept, now).await?;
        if many > 0 {
            tracing::info!(many, "entries of the log were removed");
        }
    }
    Ok(())
}
