//! Rounds that other machines play: what goes first, and how much at a time.

use std::sync::Arc;
use std::time::Duration;

use judge_arena::RemotePool;
use judge_fleet::Terms;

use crate::App;

/// Priority of submissions that have no result yet: the smaller number goes first.
pub(super) const FIRST: i16 = 0;

/// Priority of submissions that are graded again.
pub(super) const AGAIN: i16 = 10;

/// Priority of a ladder's pairs.
pub(super) const LADDER: i16 = 20;

/// Length of a batch. A submission waits at most for the batches that others have handed out, so
/// these are short.
const BATCH: Duration = Duration::from_secs(2);

/// Batches of a submission that are handed out at a time, so that one with many rounds leaves room for
/// others.
const AHEAD: usize = 4;

/// The other machines, with purpose and priority; none where this one plays itself.
pub(super) fn elsewhere(app: &App, purpose: &str, priority: i16) -> Option<Arc<dyn RemotePool>> {
    let (fleet, config) = (app.fleet()?, app.config().fleet.as_ref()?);
    let audit = f64::from(config.audit) / 100.0;
    let terms = Terms { priority, batch: BATCH, ahead: Some(AHEAD), audit, ..Terms::default() };
    Some(Arc::new(fleet.hand_out(purpose, terms)))
}
