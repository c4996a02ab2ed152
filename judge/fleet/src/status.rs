//! The operator's view: machines, waiting batches, and alarms.

use serde::Serialize;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row as _};

use crate::schema::connect;
use crate::{Error, Fleet};

const WAITING: &str = "SELECT COUNT(*)::int8 AS depth, \
    COALESCE(EXTRACT(EPOCH FROM now() - MIN(made_at)), 0)::float8 AS oldest FROM batch b \
    WHERE (lease_until IS NULL OR lease_until < now()) \
    AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.batch = b.id)";
const PLAYING: &str = "SELECT COUNT(*)::int8 FROM batch b WHERE lease_until > now() \
    AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.batch = b.id)";
const MACHINES: &str = "SELECT name, fingerprint, slots, distrusted, lease, \
    GREATEST(EXTRACT(EPOCH FROM now() - seen_at), 0)::float8 AS silent FROM machine \
    WHERE name IN (SELECT name FROM machine \
    WHERE seen_at > now() - interval '7 days' OR distrusted IS NOT NULL \
    ORDER BY seen_at DESC LIMIT 1000) ORDER BY name";
const ALARMS: &str =
    "SELECT id, machine, what, at::text AS at FROM alarm ORDER BY id DESC LIMIT 50";
const PARTS: &str = "SELECT purpose FROM part WHERE machine = $1 ORDER BY last_at DESC LIMIT 200";
const TRUST: &str = "UPDATE machine SET distrusted = NULL WHERE name = $1";

/// The state of a fleet.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// Batches that wait for a machine.
    pub waiting: i64,
    /// Age of the oldest of them, in seconds.
    pub oldest_seconds: f64,
    /// Batches under way.
    pub playing: i64,
    /// Machines of the last days, by name, at most 1,000.
    pub machines: Vec<MachineStatus>,
    /// The latest alarms, the latest first.
    pub alarms: Vec<Alarm>,
}

/// The state of a machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MachineStatus {
    /// Its name.
    pub name: String,
    /// True if it plays for the judge that asks, with the same version and engine.
    pub is_ours: bool,
    /// Batches that it plays at a time.
    pub slots: i32,
    /// Seconds since its last heartbeat.
    pub silent_seconds: f64,
    /// Seconds for which its leases hold without a heartbeat.
    pub lease_seconds: f64,
    /// The reason why it gets no more work.
    pub distrusted: Option<String>,
}

impl MachineStatus {
    /// True if it plays for the judge that asks, and is trusted and not gone.
    pub fn plays(&self) -> bool {
        self.is_ours && self.distrusted.is_none() && !self.is_gone()
    }

    /// True if it has sent no heartbeat for the time of its leases, so that its batches go to
    /// other machines.
    pub fn is_gone(&self) -> bool {
        self.silent_seconds > self.lease_seconds
    }
}

/// An alarm about a machine that reported a false result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Alarm {
    /// Number of the alarm.
    pub id: i64,
    /// Name of the machine.
    pub machine: String,
    /// Description of the false result.
    pub what: String,
    /// Time of the alarm, as the database writes it.
    pub at: String,
    /// The purposes that it has played for, the latest first: candidates for another grading.
    pub played_for: Vec<String>,
}

impl Fleet {
    /// Reads the state of the fleet.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn status(&self) -> Result<Status, Error> {
        status(self.db(), self.fingerprint()).await
    }
}

/// Access to the trust in machines, which an operator can restore.
#[derive(Debug)]
pub struct Trust(PgPool);

impl Trust {
    /// Connects to the database.
    ///
    /// # Errors
    /// When the database cannot be used.
    pub async fn connect(url: &str) -> Result<Trust, Error> {
        Ok(Trust(connect(url, 1).await?))
    }

    /// Trusts a machine again, so that it gets work.
    ///
    /// # Errors
    /// When no machine has that name, or the database fails.
    pub async fn give_back(&self, machine: &str) -> Result<(), Error> {
        let changed = sqlx::query(TRUST).bind(machine).execute(&self.0).await?;
        match changed.rows_affected() {
            0 => Err(Error::NoMachine(machine.to_owned())),
            _ => Ok(()),
        }
    }
}

async fn status(db: &PgPool, fingerprint: &str) -> Result<Status, Error> {
    let row = sqlx::query(WAITING).fetch_one(db).await?;
    let machines = sqlx::query(MACHINES).fetch_all(db).await?;
    let machine = |row: &PgRow| -> Result<MachineStatus, Error> {
        Ok(MachineStatus {
            name: row.try_get("name")?,
            is_ours: row.try_get::<String, _>("fingerprint")? == fingerprint,
            slots: row.try_get("slots")?,
            silent_seconds: row.try_get("silent")?,
            lease_seconds: row.try_get("lease")?,
            distrusted: row.try_get("distrusted")?,
        })
    };
    Ok(Status {
        waiting: row.try_get("depth")?,
        oldest_seconds: row.try_get("oldest")?,
        playing: sqlx::query_scalar(PLAYING).fetch_one(db).await?,
        machines: machines.iter().map(machine).collect::<Result<_, Error>>()?,
        alarms: alarms(db).await?,
    })
}

async fn alarms(db: &PgPool) -> Result<Vec<Alarm>, Error> {
    let mut alarms = Vec::new();
    for row in sqlx::query(ALARMS).fetch_all(db).await? {
        let machine: String = row.try_get("machine")?;
        let played_for = sqlx::query_scalar(PARTS).bind(&machine).fetch_all(db).await?;
        alarms.push(Alarm {
            id: row.try_get("id")?,
            what: row.try_get("what")?,
            at: row.try_get("at")?,
            machine,
            played_for,
        });
    }
    Ok(alarms)
}
