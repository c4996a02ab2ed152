//! Rights of the role of machines: the minimum that they need.

use judge_core::Fingerprint;

use crate::Error;
use crate::locks::may_end;
use crate::schema::{about, connect, queue_schema, ready};

/// Creates tables and queue, and gives an existing role the rights of a machine that plays. Returns
/// true if the current role can end sessions of that role that hold locks.
///
/// # Errors
/// When the database cannot be used, or the role's name needs quotes.
pub async fn set_up_role(url: &str, role: &str, fingerprint: &Fingerprint) -> Result<bool, Error> {
    if !is_plain(role) {
        return Err(Error::Role(role.to_owned()));
    }
    let db = connect(url, 2).await?;
    ready(&db, fingerprint).await?;
    about(grants(role, &queue_schema(fingerprint))).execute(&db).await?;
    may_end(&db, role).await
}

/// True for a name that needs no quotes.
fn is_plain(name: &str) -> bool {
    let may = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.bytes().all(may) && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

/// The statements that grant rights to machines. Machines see which batches have a result, but not
/// its content. Row policies restrict access to the queue's tables.
fn grants(role: &str, queue: &str) -> String {
    format!(
        "GRANT USAGE ON SCHEMA judge_fleet TO {role};
         GRANT SELECT ON judge_fleet.blob, judge_fleet.batch, judge_fleet.run TO {role};
         GRANT UPDATE (holder, lease_until, tries) ON judge_fleet.batch TO {role};
         GRANT SELECT (batch), INSERT ON judge_fleet.outcome TO {role};
         GRANT SELECT (batch, machine), INSERT ON judge_fleet.afterthought TO {role};
         GRANT SELECT, INSERT (name, fingerprint, slots, lease),
             UPDATE (fingerprint, slots, lease, seen_at) ON judge_fleet.machine TO {role};
         GRANT USAGE ON SCHEMA {queue} TO {role};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {queue} TO {role};
         GRANT USAGE ON ALL SEQUENCES IN SCHEMA {queue} TO {role};
         GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {queue} TO {role};
         DO $$ DECLARE one record; BEGIN
             -- Machines of earlier versions wrote there. The owner keeps its rights.
             IF current_user <> '{role}' THEN REVOKE ALL ON judge_fleet.part FROM {role}; END IF;
             FOR one IN SELECT c.relname FROM pg_class c
                 WHERE c.relnamespace = '{queue}'::regnamespace AND c.relrowsecurity LOOP
                 EXECUTE format('DROP POLICY IF EXISTS {role} ON {queue}.%I', one.relname);
                 EXECUTE format('CREATE POLICY {role} ON {queue}.%I FOR ALL TO {role}
                     USING (true) WITH CHECK (true)', one.relname);
             END LOOP;
         END $$;"
    )
}
