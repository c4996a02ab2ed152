//! The role of machines that play: it can use what they need, and nothing else.

use judge_core::Fingerprint;

use crate::Error;
use crate::schema::{about, connect, make, queue, queue_schema};

/// Makes tables and queue, and gives a role that there is the rights of a machine that plays.
///
/// # Errors
/// When the database cannot be used, or the role's name is not plain.
pub async fn set_up_role(url: &str, role: &str, fingerprint: &Fingerprint) -> Result<(), Error> {
    let plain = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    if !plain(role) {
        return Err(Error::Role(role.to_owned()));
    }
    let db = connect(url).await?;
    make(&db).await?;
    queue(&db, fingerprint).await?;
    let queue = queue_schema(fingerprint);
    let rights = format!(
        "GRANT USAGE ON SCHEMA judge_fleet TO {role};
         GRANT SELECT ON judge_fleet.blob, judge_fleet.batch, judge_fleet.outcome TO {role};
         GRANT UPDATE (holder, lease_until, tries) ON judge_fleet.batch TO {role};
         GRANT INSERT ON judge_fleet.outcome TO {role};
         GRANT INSERT ON judge_fleet.alarm TO {role};
         GRANT SELECT ON judge_fleet.machine TO {role};
         GRANT INSERT (name, fingerprint), UPDATE (fingerprint, seen_at) ON judge_fleet.machine TO {role};
         GRANT USAGE ON SCHEMA {queue} TO {role};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {queue} TO {role};
         GRANT USAGE ON ALL SEQUENCES IN SCHEMA {queue} TO {role};
         GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {queue} TO {role};"
    );
    about(rights).execute(&db).await?;
    Ok(())
}
