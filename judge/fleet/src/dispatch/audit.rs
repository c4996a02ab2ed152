//! Detection of machines that report false results: by a second machine, by the rules, or by a late
//! result. If two machines contradict each other, the judge plays the rounds here to decide.

use judge_arena::{RemoteResult, transcript_to_json};
use judge_core::RoundSpec;
use sqlx::Row as _;

use super::run::RunDispatch;
use crate::Error;
use crate::batch::{
    differ, is_other_game, results_from_json, results_to_json, rounds_from_json, rounds_to_json,
    times,
};
use crate::batch_table;
use crate::play::play;

const OUTCOME: &str = "SELECT b.rounds, o.machine, o.told FROM batch b \
    JOIN outcome o ON o.batch = b.id WHERE b.id = $1";
const DISTRUST: &str = "INSERT INTO machine (name, fingerprint, slots, distrusted) \
    VALUES ($1, '', 0, $2) ON CONFLICT (name) \
    DO UPDATE SET distrusted = COALESCE(machine.distrusted, excluded.distrusted)";
const ALARM: &str = "INSERT INTO alarm (machine, what, rounds, told, truth) \
    VALUES ($1, $2, $3, $4, $5)";

/// The results of several machines for the same rounds.
type Accounts = Vec<(String, Vec<RemoteResult>)>;

impl RunDispatch<'_> {
    /// Compares the results of a second machine with those of the first.
    pub(super) async fn compare(
        &self,
        first: &str,
        machine: &str,
        told: Vec<RemoteResult>,
    ) -> Result<(), Error> {
        let held = self.state().open.get(first).and_then(|open| open.held.clone());
        let Some(held) = held else { return Ok(()) };
        if differ(&held.told, &told) {
            let accounts = vec![(held.machine, held.told), (machine.to_owned(), told)];
            return self.play_here(first, accounts).await;
        }
        // A round that only one of them could play counts as played.
        let told = std::iter::zip(held.told, told);
        let told = told.map(|(one, other)| if one.played.is_ok() { one } else { other }).collect();
        self.accept_or_mend(first, told, &held.machine).await
    }

    /// Plays the batches here that no second machine has played in time.
    pub(super) async fn confirm_here(&self) -> Result<(), Error> {
        let late = self.state().unconfirmed(self.from.terms.patience);
        for batch in late {
            let held = self.state().open.get(&batch).and_then(|open| open.held.clone());
            let Some(held) = held else { continue };
            batch_table::take_back(&self.from.fleet.utils, &held.second).await?;
            batch_table::drop_batches(&self.from.fleet.db, std::slice::from_ref(&held.second))
                .await?;
            self.play_here(&batch, vec![(held.machine, held.told)]).await?;
        }
        Ok(())
    }

    /// Accepts a machine's results for a batch. Rounds that it could not play are played here,
    /// because a failure of one machine is not a failure of the judge.
    pub(super) async fn accept_or_mend(
        &self,
        batch: &str,
        mut told: Vec<RemoteResult>,
        machine: &str,
    ) -> Result<(), Error> {
        let rounds = self.state().open.get(batch).map(|open| open.rounds.clone());
        let Some(rounds) = rounds else { return Ok(()) };
        let failed: Vec<usize> =
            (0..told.len()).filter(|round| told[*round].played.is_err()).collect();
        if !failed.is_empty() {
            let specs: Vec<RoundSpec> = failed.iter().map(|round| rounds[*round].clone()).collect();
            let here = self.settle(&specs, Vec::new()).await?;
            std::iter::zip(failed, here).for_each(|(round, here)| told[round] = here);
        }
        self.accept(batch, told, Some(machine));
        Ok(())
    }

    /// Confirms a machine's results by playing the batch here.
    pub(super) async fn audit_here(
        &self,
        batch: &str,
        machine: String,
        told: Vec<RemoteResult>,
    ) -> Result<(), Error> {
        self.play_here(batch, vec![(machine, told)]).await
    }

    /// Plays the rounds of a batch here, and accepts the results.
    async fn play_here(&self, batch: &str, accounts: Accounts) -> Result<(), Error> {
        let rounds = self.state().open.get(batch).map(|open| open.rounds.clone());
        let Some(rounds) = rounds else { return Ok(()) };
        let truth = self.settle(&rounds, accounts).await?;
        self.accept(batch, truth, None);
        Ok(())
    }

    /// Compares late results with the accepted ones.
    pub(super) async fn check_afterthoughts(&self) -> Result<(), Error> {
        let db = &self.from.fleet.db;
        for late in batch_table::afterthoughts(db, &self.done()).await? {
            let row = sqlx::query(OUTCOME).bind(&late.batch).fetch_optional(db).await?;
            if let Some(row) = row {
                let rounds = rounds_from_json(&late.batch, row.try_get("rounds")?)?;
                let before = results_from_json(&late.batch, rounds.len(), row.try_get("told")?)?;
                match results_from_json(&late.batch, rounds.len(), &late.told) {
                    Ok(told) if differ(&before, &told) => {
                        let first = (row.try_get("machine")?, before);
                        self.settle(&rounds, vec![first, (late.machine.clone(), told)]).await?;
                    }
                    Ok(_) => {}
                    // No verdict depends on a late result.
                    Err(error) => tracing::warn!(machine = late.machine, %error, "told late"),
                }
            }
            batch_table::forget_afterthought(db, &late).await?;
        }
        Ok(())
    }

    /// Plays rounds here, and exposes machines with other results.
    async fn settle(
        &self,
        rounds: &[RoundSpec],
        accounts: Accounts,
    ) -> Result<Vec<RemoteResult>, Error> {
        let played = play(self.here, &self.modules, rounds);
        let truth = played.map_err(|error| Error::Play(error.to_string()))?;
        for (machine, told) in accounts {
            if differ(&told, &truth) {
                let what = contradiction(&told, &truth);
                let (told, truth) = (results_to_json(&told), results_to_json(&truth));
                self.expose(&machine, &what, rounds, &told, &truth).await?;
            }
        }
        Ok(truth)
    }

    /// Raises an alarm. The machine gets no more work.
    pub(super) async fn expose(
        &self,
        machine: &str,
        what: &str,
        rounds: &[RoundSpec],
        told: &str,
        truth: &str,
    ) -> Result<(), Error> {
        let what = shown(what);
        tracing::error!(machine, what, "a machine is not trusted any more");
        let db = &self.from.fleet.db;
        sqlx::query(DISTRUST).bind(machine).bind(&what).execute(db).await?;
        let alarm = sqlx::query(ALARM).bind(machine).bind(&what).bind(rounds_to_json(rounds));
        alarm.bind(told).bind(truth).execute(db).await?;
        // Results that the run has not asked for yet are played again.
        self.state().forget_results_of(machine);
        Ok(())
    }

    /// Exposes a machine because a replay by the judge contradicts its result.
    pub(super) async fn expose_replayed(&self, spec: &RoundSpec, machine: &str, why: &str) {
        let rounds = std::slice::from_ref(spec);
        if let Err(error) = self.expose(machine, why, rounds, "", "").await {
            tracing::error!(%error, "cannot write the alarm");
        }
    }

    /// Exposes a machine because its result is not a valid round by the rules.
    pub(super) async fn disbelieve_machine(
        &self,
        spec: &RoundSpec,
        told: &RemoteResult,
        why: &str,
    ) {
        let Some(machine) = told.machine.as_deref() else { return };
        self.state().disbelieve(spec, machine);
        let told = told.played.as_ref().map(transcript_to_json).unwrap_or_default();
        let what = format!("the rules reject the round that it reported: {why}");
        let rounds = std::slice::from_ref(spec);
        if let Err(error) = self.expose(machine, &what, rounds, &told, "").await {
            tracing::error!(%error, "cannot write the alarm");
        }
    }
}

/// Describes the difference between a machine's results and the judge's.
fn contradiction(told: &[RemoteResult], truth: &[RemoteResult]) -> String {
    if is_other_game(told, truth) {
        return "its rounds differ from those that the judge played itself".to_owned();
    }
    let [claimed, used] = times(told, truth).map(|time| time.as_secs_f64());
    format!("it claimed {claimed:.1} s of processor time for rounds that take {used:.1} s")
}

/// Most characters of a reason, which may quote a machine's report.
const REASON: usize = 500;

/// A reason that can be stored and shown.
fn shown(what: &str) -> String {
    judge_core::printable(what, REASON)
}
