//! Checks whether the database answers, without the connections of requests.

use sqlx::{AnyConnection, Connection as _};

use crate::address::Address;
use crate::store::Store;

/// A separate connection to PostgreSQL. With the requests' connections, a busy server would seem to
/// have lost its database.
#[derive(Debug)]
pub struct Probe {
    url: String,
    connection: Option<AnyConnection>,
}

impl Store {
    /// A probe of the database; none for a file, which does not go away.
    pub fn probe(&self) -> Option<Probe> {
        match self.address() {
            Address::Sqlite(_) => None,
            Address::Postgres(url) => Some(Probe { url: url.clone(), connection: None }),
        }
    }
}

impl Probe {
    /// True if the database answers. It may never return if the database hangs; a dropped call
    /// begins with a new connection.
    pub async fn answers(&mut self) -> bool {
        let connection = match self.connection.take() {
            Some(connection) => Ok(connection),
            None => AnyConnection::connect(&self.url).await,
        };
        let Ok(mut connection) = connection else { return false };
        let answers = sqlx::query("SELECT 1").execute(&mut connection).await.is_ok();
        self.connection = Some(connection).filter(|_| answers);
        answers
    }
}
