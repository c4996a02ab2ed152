//! Rights of the role of machines.

use std::process::Command;

use crate::need;
use crate::scene::{PROGRAM, Scene, graded_here};

/// Creates a role and sets it up with the program's command.
pub(crate) fn role(scene: &Scene, name: &str) -> String {
    scene.sql(&format!("CREATE ROLE {name} LOGIN"));
    let mut command = Command::new(PROGRAM);
    command.env("JUDGE_DATABASE", &scene.database).args(["setup", "--role", name]);
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    scene.database.replace("judge@", &format!("{name}@"))
}

#[test]
fn machines_play_with_few_rights() {
    let scene = need!(Scene::new());
    let database = role(&scene, "player_a");
    let _machine = scene.machine_at(&database, 1);
    assert_eq!(scene.graded_elsewhere(), graded_here());
}

#[test]
fn machines_see_only_the_rounds_that_they_play() {
    let scene = need!(Scene::new());
    let database = role(&scene, "player_b");
    // Like the server's tables: created by the owner, without grants to others.
    scene.sql("CREATE TABLE person (name TEXT); INSERT INTO person VALUES ('Ada')");
    let allowed = ["SELECT rounds FROM judge_fleet.batch", "SELECT batch FROM judge_fleet.outcome"];
    for sql in allowed {
        assert_eq!(scene.try_sql(&database, sql), Ok(()), "{sql}");
    }
    let denied = [
        "SELECT name FROM public.person",
        "SELECT told FROM judge_fleet.outcome",
        "SELECT told FROM judge_fleet.afterthought",
        "SELECT * FROM judge_fleet.alarm",
        "UPDATE judge_fleet.outcome SET told = ''",
        "DELETE FROM judge_fleet.outcome",
        "UPDATE judge_fleet.batch SET rounds = ''",
        "INSERT INTO judge_fleet.batch (id, run) VALUES ('a', 'a')",
        "UPDATE judge_fleet.machine SET distrusted = NULL",
        "INSERT INTO judge_fleet.blob (hash, bytes) VALUES ('a', '')",
        "INSERT INTO judge_fleet.part (machine, purpose) VALUES ('a', 'b')",
        "CREATE TABLE judge_fleet.mine (x INT)",
        "CREATE TABLE public.mine (x INT)",
    ];
    for sql in denied {
        let told = scene.try_sql(&database, sql).expect_err(sql);
        assert!(told.contains("permission denied"), "{sql}: {told}");
    }
}

#[test]
fn locks_of_a_machines_role_delay_others_for_a_limited_time() {
    let scene = need!(Scene::new());
    let database = role(&scene, "player_c");
    role(&scene, "player_d");
    let honest = scene.database.replace("judge@", "player_d@");
    // Without the timeouts that the programs set for themselves. PostgreSQL allows all of this.
    let begin = "SET lock_timeout = 0; SET statement_timeout = 0; \
                 SET idle_in_transaction_session_timeout = 0; ";
    let tables = "SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') FROM pg_tables \
                  WHERE schemaname LIKE 'judge_queue_%'";
    let tables = scene.text(tables);
    let malicious = [
        format!("{begin} BEGIN; LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE"),
        format!("{begin} SELECT pg_advisory_lock({})", migration_lock(&scene)),
    ];
    let _held = malicious.map(|sql| scene.hold(&database, &sql));
    let _machine = scene.machine_at(&honest, 1);
    assert_eq!(scene.graded_elsewhere(), graded_here());
    let left = "SELECT COUNT(*) FROM pg_stat_activity WHERE usename = 'player_c'";
    assert_eq!(scene.number(left), 0, "both sessions were ended");
    // A session that holds locks and waits itself, again and again.
    let _awaited = scene.hold(&database, "SELECT pg_advisory_lock(778)");
    let waits = format!(
        "SET statement_timeout = '120s'; BEGIN; LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE; \
         DO $$ BEGIN LOOP BEGIN SET LOCAL lock_timeout = '4s'; \
         PERFORM pg_advisory_xact_lock(778); \
         EXCEPTION WHEN lock_not_available THEN NULL; END; END LOOP; END $$"
    );
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| scene.try_sql(&database, &waits));
        scene.wait_for(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE usename = 'player_c' \
             AND wait_event = 'advisory'",
        );
        assert_eq!(scene.graded_elsewhere(), graded_here());
        let told = waiting.join().unwrap().unwrap_err();
        assert!(told.contains("terminating connection"), "{told}");
    });
}

#[test]
fn an_extreme_number_of_tries_does_not_stall_a_run() {
    let scene = need!(Scene::new());
    scene.sql(
        "CREATE FUNCTION judge_fleet.lie() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         NEW.tries := 100; NEW.lease_until := 'infinity'; RETURN NEW; END $$; \
         CREATE TRIGGER lie BEFORE UPDATE ON judge_fleet.batch \
         FOR EACH ROW WHEN (OLD.tries = 0) EXECUTE FUNCTION judge_fleet.lie();",
    );
    let _machines = [scene.machine(1), scene.machine(2)];
    assert_eq!(scene.graded_elsewhere(), graded_here());
}

/// The advisory lock that is taken to bring tables up to date: by the CRC-32 of the database's
/// name.
fn migration_lock(scene: &Scene) -> i64 {
    let name = scene.text("SELECT current_database()::text");
    let step = |crc: u32, byte: u8| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    };
    let crc = !name.bytes().fold(u32::MAX, step);
    0x3d32_ad9e * i64::from(crc)
}

#[test]
fn control_characters_in_the_database_do_not_reach_the_terminal() {
    let scene = need!(Scene::new());
    let evil = "E'\\u001b]0;owned\\u0007\\u009b31m\\u202e\\nx'";
    scene.sql(&format!(
        "INSERT INTO judge_fleet.machine (name, fingerprint, slots, distrusted) \
         VALUES ({evil}, {evil}, 1, {evil}); \
         INSERT INTO judge_fleet.part (machine, purpose) VALUES ({evil}, {evil}); \
         INSERT INTO judge_fleet.alarm (machine, what, rounds, told, truth) \
         VALUES ({evil}, {evil}, '', '', '')"
    ));
    let run = |arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.env("JUDGE_DATABASE", &scene.database).args(arguments).output().unwrap()
    };
    for arguments in [&["status"][..], &["status", "--json"], &["trust", "\u{1b}[31mx"]] {
        let output = run(arguments);
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.contains("owned") || text.contains("31mx"), "{text:?}");
        let steers = |c: char| c != '\n' && judge_core::steers(c);
        assert!(!text.contains(steers), "{arguments:?}: {text:?}");
    }
    let json: serde_json::Value =
        serde_json::from_slice(&run(&["status", "--json"]).stdout).unwrap();
    assert_eq!(json["machines"][0]["name"], "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\nx");
}

#[test]
fn malformed_input_is_reported() {
    let scene = need!(Scene::new());
    let cases: [(&[&str], &str, i32); 5] = [
        (&["setup", "--role", "x; DROP TABLE y"], "is not a valid role name", 3),
        (&["trust", "nobody"], "no machine is named `nobody`", 3),
        (&["--jobs", "0"], "0 is not in 1..=1024", 2),
        (&["--database", "mysql://me:secret@host/x"], "`…@host/x` is not the address", 3),
        (&["--database", "postgres://nobody@localhost:1/x", "status"], "database fails", 4),
    ];
    for (arguments, message, code) in cases {
        let mut command = Command::new(PROGRAM);
        let told = command.env("JUDGE_DATABASE", &scene.database).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&told.stderr).into_owned();
        assert!(said.contains(message) && !said.contains("secret"), "{arguments:?}: {said}");
        assert_eq!(told.status.code(), Some(code), "{arguments:?}: {said}");
    }
    let told = Command::new(PROGRAM).env_remove("JUDGE_DATABASE").output().unwrap();
    let said = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(said.contains("set `JUDGE_DATABASE`"), "{said}");
}
