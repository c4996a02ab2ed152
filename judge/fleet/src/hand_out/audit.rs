//! Machines that tell what is not true: found by a second machine, by the rules, or by telling late.
//! Where two contradict each other, the rounds are played here, and that decides.

use judge_arena::{Told, transcript_to_json};
use judge_core::MatchSpec;
use sqlx::Row as _;

use super::out::Out;
use crate::Error;
use crate::batch::{differ, rounds_from_json, rounds_to_json, told_from_json, told_to_json};
use crate::care;
use crate::play::play;

const OUTCOME: &str = "SELECT b.rounds, o.machine, o.told FROM batch b \
    JOIN outcome o ON o.batch = b.id WHERE b.id = $1";
const DISTRUST: &str = "UPDATE machine SET distrusted = $2 WHERE name = $1 AND distrusted IS NULL";
const ALARM: &str = "INSERT INTO alarm (machine, what, rounds, told, truth) \
    VALUES ($1, $2, $3, $4, $5)";

/// What machines have told of the same rounds.
type Accounts = Vec<(String, Vec<Told>)>;

impl Out<'_> {
    /// Compares what a second machine has told with what the first has.
    pub(super) async fn compare(
        &self,
        first: &str,
        machine: &str,
        told: Vec<Told>,
    ) -> Result<(), Error> {
        let held = self.state().open.get_mut(first).and_then(|open| open.held.take());
        let Some(held) = held else { return Ok(()) };
        self.state().drop_second(&held.second);
        if differ(&held.told, &told) {
            let accounts = vec![(held.machine, held.told), (machine.to_owned(), told)];
            return self.play_here(first, accounts).await;
        }
        self.accept(first, held.told, Some(&held.machine));
        Ok(())
    }

    /// Plays here what no second machine has played in time.
    pub(super) async fn confirm_here(&self) -> Result<(), Error> {
        let late = self.state().unconfirmed(self.from.terms.patience);
        for batch in late {
            let held = self.state().open.get_mut(&batch).and_then(|open| open.held.take());
            let Some(held) = held else { continue };
            self.state().drop_second(&held.second);
            care::drop_batches(&self.from.fleet.db, &[held.second]).await?;
            self.play_here(&batch, vec![(held.machine, held.told)]).await?;
        }
        Ok(())
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
            let Some(row) = row else { continue };
            let rounds = rounds_from_json(&late.batch, row.try_get("rounds")?)?;
            let before = told_from_json(&late.batch, rounds.len(), row.try_get("told")?)?;
            match told_from_json(&late.batch, rounds.len(), &late.told) {
                Ok(told) if differ(&before, &told) => {
                    let accounts = vec![(row.try_get("machine")?, before), (late.machine, told)];
                    self.settle(&rounds, accounts).await?;
                }
                Ok(_) => {}
                Err(error) => {
                    let what = error.to_string();
                    self.expose(&late.machine, &what, &rounds, &late.told, "").await?;
                }
            }
        }
        Ok(())
    }

    /// Plays rounds here, and exposes whoever told something else of them.
    async fn settle(&self, rounds: &[MatchSpec], accounts: Accounts) -> Result<Vec<Told>, Error> {
        let played = play(self.pool, &self.modules, rounds);
        let truth = played.map_err(|error| Error::Play(error.to_string()))?;
        for (machine, told) in accounts {
            if differ(&told, &truth) {
                let what = "it told something else than the judge plays itself";
                let (told, truth) = (told_to_json(&told), told_to_json(&truth));
                self.expose(&machine, what, rounds, &told, &truth).await?;
            }
        }
        Ok(truth)
    }

    /// Raises an alarm. The machine gets nothing any more.
    pub(super) async fn expose(
        &self,
        machine: &str,
        what: &str,
        rounds: &[MatchSpec],
        told: &str,
        truth: &str,
    ) -> Result<(), Error> {
        tracing::error!(machine, what, "a machine is not trusted any more");
        self.note_exposed(machine);
        let db = &self.from.fleet.db;
        sqlx::query(DISTRUST).bind(machine).bind(what).execute(db).await?;
        let alarm = sqlx::query(ALARM).bind(machine).bind(what).bind(rounds_to_json(rounds));
        alarm.bind(told).bind(truth).execute(db).await?;
        Ok(())
    }

    /// The rules make no round of what a machine told.
    pub(super) async fn disbelieve_machine(&self, spec: &MatchSpec, told: &Told, why: &str) {
        let Some(machine) = told.machine.as_deref() else { return };
        self.state().disbelieve(spec, machine);
        let told = told.played.as_ref().map(transcript_to_json).unwrap_or_default();
        let what = format!("the rules make no round of what it told: {why}");
        let rounds = std::slice::from_ref(spec);
        if let Err(error) = self.expose(machine, &what, rounds, &told, "").await {
            tracing::error!(%error, "the alarm cannot be written");
            self.note_exposed(machine);
        }
    }
}
