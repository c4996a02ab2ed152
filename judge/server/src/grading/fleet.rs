//! Terms for rounds that other machines play: priorities, and the size and number of batches.

use std::sync::Arc;
use std::time::Duration;

use judge_arena::RemotePool;
use judge_fleet::Terms;

use crate::App;

/// Priority of submissions without a result. Smaller numbers go first.
pub(super) const FIRST: i16 = 0;

/// Priority of submissions that are graded again.
pub(super) const AGAIN: i16 = 10;

/// Priority of a ladder's pairs.
pub(super) const LADDER: i16 = 20;

/// Length of a batch. Batches are short because a submission waits for the batches of others under
/// way.
const BATCH: Duration = Duration::from_secs(2);

/// Most batches of a submission that are handed out at a time, so that one with many rounds leaves
/// room for others.
const AHEAD: usize = 4;

/// The other machines, with purpose and priority; none if this machine plays itself.
pub(super) fn remote_pool(app: &App, purpose: &str, priority: i16) -> Option<Arc<dyn RemotePool>> {
    let (fleet, config) = (app.fleet()?, app.config().fleet.as_ref()?);
    let audit = f64::from(config.audit) / 100.0;
    let terms = Terms { priority, batch: BATCH, ahead: Some(AHEAD), audit, ..Terms::default() };
    Some(Arc::new(fleet.dispatch(purpose, terms)))
}
