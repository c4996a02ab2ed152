//! Checks of the database, to notice an outage before requests wait for it.

use std::time::Duration;

use judge_store::Probe;
use tokio::sync::watch;

/// Time between two checks of the database.
const PAUSE: Duration = Duration::from_millis(300);

/// Time for the database to answer a check. With the pause, a request fails within two seconds.
const ANSWER: Duration = Duration::from_millis(1200);

/// True while the database does not answer.
#[derive(Debug)]
pub struct Outage(watch::Sender<bool>);

impl Default for Outage {
    fn default() -> Outage {
        Outage(watch::Sender::new(false))
    }
}

impl Outage {
    /// Checks the database until the task is aborted.
    pub async fn follow(&self, mut probe: Probe) {
        loop {
            let answers = tokio::time::timeout(ANSWER, probe.answers()).await.unwrap_or(false);
            let has_changed = self.0.send_if_modified(|away| {
                let before = std::mem::replace(away, !answers);
                before != *away
            });
            match (has_changed, answers) {
                (true, false) => tracing::error!("the database does not answer"),
                (true, true) => tracing::info!("the database answers again"),
                (false, _) => {}
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Completes when the database does not answer.
    pub async fn begins(&self) {
        // The sender is never dropped before this ends.
        let _ = self.0.subscribe().wait_for(|away| *away).await;
    }
}
