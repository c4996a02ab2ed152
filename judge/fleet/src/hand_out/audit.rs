//! Machines that tell what is not true: found by a second machine, by the rules, or by telling late.
//! Where two contradict each other, the rounds are played here, and that decides.

use judge_arena::{RemoteResult, transcript_to_json};
use judge_core::RoundSpec;
use sqlx::Row as _;

use super::out::Out;
use crate::Error;
use crate::batch::{
    differ, is_other_game, rounds_from_json, rounds_to_json, times, told_from_json, told_to_json,
};
use crate::care;
use crate::play::play;

const OUTCOME: &str = "SELECT b.rounds, o.machine, o.told FROM batch b \
    JOIN outcome o ON o.batch = b.id WHERE b.id = $1";
const DISTRUST: &str = "INSERT INTO machine (name, fingerprint, slots, distrusted) \
    VALUES ($1, '', 0, $2) ON CONFLICT (name) \
    DO UPDATE SET distrusted = COALESCE(machine.distrusted, excluded.distrusted)";
const ALARM: &str = "INSERT INTO alarm (machine, what, rounds, told, truth) \
    VALUES ($1, $2, $3, $4, $5)";

/// What machines have told of the same rounds.
type Accounts = Vec<(String, Vec<RemoteResult>)>;

impl Out<'_> {
    /// Compares what a second machine has told with what the first has.
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
        // What only one of them could play is played.
        let told = std::iter::zip(held.told, told);
        let told = told.map(|(one, other)| if one.played.is_ok() { one } else { other }).collect();
        self.accept_or_mend(first, told, &held.machine).await
    }

    /// Plays here what no second machine has played in time.
    pub(super) async fn confirm_here(&self) -> Result<(), Error> {
        let late = self.state().unconfirmed(self.from.terms.patience);
        for batch in late {
            let held = self.state().open.get(&batch).and_then(|open| open.held.clone());
            let Some(held) = held else { continue };
            care::take_back(&self.from.fleet.utils, &held.second).await?;
            care::drop_batches(&self.from.fleet.db, std::slice::from_ref(&held.second)).await?;
            self.play_here(&batch, vec![(held.machine, held.told)]).await?;
        }
        Ok(())
    }

    /// Accepts what a machine has told of a batch. What it could not play is played here: that a machine
    /// fails is no reason to say that the judge does.
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

    /// Has the judge itself confirm what a machine has told.
    pub(super) async fn audit_here(
        &self,
        batch: &str,
        machine: String,
        told: Vec<RemoteResult>,
    ) -> Result<(), Error> {
        self.play_here(batch, vec![(machine, told)]).await
    }

    /// Plays the rounds of a batch here, and accepts that.
    async fn play_here(&self, batch: &str, accounts: Accounts) -> Result<(), Error> {
        let rounds = self.state().open.get(batch).map(|open| open.rounds.clone());
        let Some(rounds) = rounds else { return Ok(()) };
        let truth = self.settle(&rounds, accounts).await?;
        self.accept(batch, truth, None);
        Ok(())
    }

    /// Compares what machines tell late with what was told before.
    pub(super) async fn check_afterthoughts(&self) -> Result<(), Error> {
        let db = &self.from.fleet.db;
        for late in care::afterthoughts(db, &self.done()).await? {
            let row = sqlx::query(OUTCOME).bind(&late.batch).fetch_optional(db).await?;
            if let Some(row) = row {
                let rounds = rounds_from_json(&late.batch, row.try_get("rounds")?)?;
                let before = told_from_json(&late.batch, rounds.len(), row.try_get("told")?)?;
                match told_from_json(&late.batch, rounds.len(), &late.told) {
                    Ok(told) if differ(&before, &told) => {
                        let first = (row.try_get("machine")?, before);
                        self.settle(&rounds, vec![first, (late.machine.clone(), told)]).await?;
                    }
                    Ok(_) => {}
                    // Nothing rests on it.
                    Err(error) => tracing::warn!(machine = late.machine, %error, "told late"),
                }
            }
            care::forget_afterthought(db, &late).await?;
        }
        Ok(())
    }

    /// Plays rounds here, and exposes whoever told something else of them.
    async fn settle(
        &self,
        rounds: &[RoundSpec],
        accounts: Accounts,
    ) -> Result<Vec<RemoteResult>, Error> {
        let played = play(self.pool, &self.modules, rounds);
        let truth = played.map_err(|error| Error::Play(error.to_string()))?;
        for (machine, told) in accounts {
            if differ(&told, &truth) {
                let what = contradiction(&told, &truth);
                let (told, truth) = (told_to_json(&told), told_to_json(&truth));
                self.expose(&machine, &what, rounds, &told, &truth).await?;
            }
        }
        Ok(truth)
    }

    /// Raises an alarm. The machine gets nothing any more.
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
        // What nobody has asked for yet is played again.
        self.state().forget_told_by(machine);
        Ok(())
    }

    /// A replay by the judge contradicts what a machine told.
    pub(super) async fn expose_replayed(&self, spec: &RoundSpec, machine: &str, why: &str) {
        let rounds = std::slice::from_ref(spec);
        if let Err(error) = self.expose(machine, why, rounds, "", "").await {
            tracing::error!(%error, "cannot write the alarm");
        }
    }

    /// The rules make no round of what a machine told.
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

/// The difference between what a machine told and what the judge played itself.
fn contradiction(told: &[RemoteResult], truth: &[RemoteResult]) -> String {
    if is_other_game(told, truth) {
        return "its rounds differ from those that the judge played itself".to_owned();
    }
    let [claimed, used] = times(told, truth).map(|time| time.as_secs_f64());
    format!("it claimed {claimed:.1} s of processor time for rounds that take {used:.1} s")
}

/// Most characters of a reason: whatever a machine tells may be quoted in it.
const REASON: usize = 500;

/// A reason as it can be stored and shown.
fn shown(what: &str) -> String {
    judge_core::printable(what, REASON)
}
