//! A pool with failing workers: every failure is the judge's.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_arena::{Entrant, Job, Pool, Run, Stop, grade};
use judge_core::{
    BotIdentity, Event, Explanation, Fault, Fingerprint, Limits, Options, Refused, RoundSpec,
    SeatSpec, Seed, Verdict, digest,
};
use judge_grading::Suite;
use judge_sandbox::worker::WorkerCommand;

fn run(program: &str, arguments: &[&str]) -> Run {
    let command = WorkerCommand {
        program: program.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        identity: String::new(),
    };
    let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
    Run::new(Pool::new(command, 2, fingerprint))
}

fn job(game: &str) -> Job {
    let spec = RoundSpec {
        game: game.to_owned(),
        options: Options::new(),
        seed: Seed(1),
        seats: [
            SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(b"bot") },
            SeatSpec::Reference { name: "random".to_owned() },
        ],
        limits: Limits::COURSE,
    };
    Job { spec, modules: [Some(0), None].into() }
}

fn fault_with(program: &str, arguments: &[&str]) -> Fault {
    let played = run(program, arguments).play(&[b"module"], &job("mahjong")).unwrap();
    played.record.trailer.fault.expect("no worker, no match")
}

#[test]
#[cfg_attr(not(unix), ignore = "runs shell scripts")]
fn a_worker_that_does_not_start_or_work_is_a_judge_error() {
    let cases: [(&str, &[&str], &str); 4] = [
        ("/no/such/program", &[], "cannot start the worker process `/no/such/program`"),
        ("/bin/sh", &["-c", "exit 1"], "the worker process ended: exit status: 1"),
        ("/bin/sh", &["-c", "echo broken >&2; exit 7"], "exit status: 7: broken"),
        ("/bin/sh", &["-c", "printf 'xxxxxxxxx'; cat >/dev/null"], "sent an invalid message"),
    ];
    for (program, arguments, expected) in cases {
        let fault = fault_with(program, arguments);
        assert_eq!((fault.seat, fault.verdict), (None, Verdict::JudgeError), "{program}");
        assert!(fault.detail.as_str().contains(expected), "{}", fault.detail);
    }
}

#[test]
fn every_match_gets_the_same_reason_for_missing_workers() {
    let run = run("/no/such/program", &[]).with_workers(1);
    let mut said = Vec::new();
    run.play_all(&[b"module"], &vec![job("mahjong"); 5], &|_| false, &mut |finished| {
        said.push(finished.played.unwrap().record.trailer.fault.unwrap().detail);
    })
    .unwrap();
    assert_eq!(said.len(), 5);
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
}

#[test]
fn a_match_that_cannot_begin_is_an_error_and_not_a_record() {
    let error = run("/bin/false", &[]).play(&[b"module"], &job("chess")).unwrap_err();
    assert!(error.to_string().starts_with("unknown game `chess`: the games are "), "{error}");
}

#[test]
fn a_pool_refuses_a_match_with_a_person() {
    let mut job = job("mahjong");
    job.spec.seats[1] = SeatSpec::Human { name: "Ada".to_owned() };
    let error = run("/bin/false", &[]).play(&[b"module"], &job).unwrap_err();
    assert_eq!(error.to_string(), "a person sits in seat `2`: only `judge play` can ask one");
}

#[test]
fn unneeded_jobs_are_skipped() {
    let jobs = vec![job("mahjong"); 4];
    let mut done = Vec::new();
    let needless = |job: usize| job % 2 == 1;
    run("/bin/false", &[])
        .play_all(&[b"module"], &jobs, &needless, &mut |finished| {
            done.push((finished.job, finished.played.is_some()));
        })
        .unwrap();
    done.sort_unstable();
    assert_eq!(done, [(0, true), (1, false), (2, true), (3, false)]);
}

#[test]
fn a_stopped_run_starts_no_round_and_has_no_result() {
    let stop = Stop::default();
    let run = run("/bin/false", &[]).with_stop(stop.clone());
    let jobs = vec![job("mahjong"); 40];
    let mut done = 0;
    // The second half begins only after the listener saw the first job and stopped the run.
    let needless = |job: usize| {
        while job >= 20 && !stop.is_asked() {
            std::thread::yield_now();
        }
        false
    };
    let outcome = run.play_all(&[b"module"], &jobs, &needless, &mut |_| {
        done += 1;
        stop.now();
    });
    assert!(matches!(outcome, Err(judge_arena::ArenaError::Stopped)), "{outcome:?}");
    // The first one, those that the two workers had begun, and those in the channel.
    assert!(done < 40, "{done} of 40 were played");
    assert!(run.play(&[b"module"], &job("mahjong")).is_err());
}

#[test]
fn events_come_in_the_order_of_bots_and_testcases() {
    let case = "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = [1, 2]\n\
                min_score = 1\npoints = 1";
    let files = [("suite.toml", "title = 'x'"), ("b.toml", case), ("a.toml", case)];
    let suite = Suite::from_files("suite", files).unwrap();
    let submission = |name: &str, refused| Entrant {
        bot: BotIdentity { name: name.to_owned(), sha256: digest(b""), author: None },
        module: Vec::new(),
        refused,
    };
    let refused = Some(Refused::new(Explanation::without_hint("no")));
    let submissions =
        [submission("one", refused.clone()), submission("two", None), submission("three", refused)];
    let mut events = Vec::new();
    let report = grade(&run("/bin/false", &[]), &suite, &submissions, &mut |event: &Event| {
        match event {
            Event::Started { total, .. } => events.push(format!("{total:?} rounds")),
            Event::TestcaseDecided { submission, report } => {
                events.push(format!("{submission} {}", report.name));
            }
            Event::SubmissionDecided { report } => events.push(report.bot.name.clone()),
            _ => {}
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(events, ["Some(4) rounds", "one", "two a", "two b", "two", "three"]);
    assert_eq!(report.bots.len(), 3);
    assert_eq!(report.bots[1].testcases[0].verdict, Verdict::JudgeError);
}

/// Grades a bot with a worker that never starts, and a listener that fails at the event `fails`.
fn heard_until(fails: &dyn Fn(&Event) -> bool) -> (Vec<Event>, String) {
    let seeds: Vec<u32> = (1..=50).collect();
    let case = format!(
        "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = {seeds:?}\nmin_score = 1\n\
         points = 1"
    );
    let suite = Suite::from_files("suite", [("suite.toml", "title = 'x'"), ("a.toml", &case)]);
    let bot = BotIdentity { name: "one".to_owned(), sha256: digest(b""), author: None };
    let submission = Entrant { bot, module: Vec::new(), refused: None };
    let mut events = Vec::new();
    let graded =
        grade(&run("/bin/false", &[]), &suite.unwrap(), &[submission], &mut |event: &Event| {
            events.push(event.clone());
            if fails(event) { Err(std::io::Error::other("no room")) } else { Ok(()) }
        });
    (events, graded.unwrap_err().to_string())
}

#[test]
fn a_run_whose_events_cannot_be_delivered_ends_at_once() {
    let (events, error) = heard_until(&|event| matches!(event, Event::RoundFinished { .. }));
    assert_eq!(error, "an event cannot be delivered: no room");
    assert!(matches!(events.last(), Some(Event::RoundFinished { .. })), "{events:?}");
    let (events, _) = heard_until(&|event| matches!(event, Event::Started { .. }));
    assert_eq!(events.len(), 1, "{events:?}");
}

#[test]
fn events_go_through_json_unchanged() {
    let (events, _) = heard_until(&|event| matches!(event, Event::Graded { .. }));
    assert!(events.iter().any(|event| matches!(event, Event::RoundStarted { .. })));
    for event in events {
        let json = serde_json::to_string(&event).unwrap();
        assert_eq!(serde_json::from_str::<Event>(&json).unwrap(), event, "{json}");
    }
}
