//! The specification's assertions about running modules, as questions to bots: results bit by bit,
//! traps as runtime errors.

use judge_core::{Limits, MAX_MEMORY_BYTES, Player, PlayerFault, Verdict};
use judge_sandbox::intake::{IntakeRefusal, inspect};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};
use judge_test_support::specification::{Case, Ends, RIGHT, Script, bot, line, scripts};

/// Number of modules and cases of each kind.
#[derive(Debug, Default)]
struct AssertedCounts {
    modules: u32,
    returns: u32,
    traps: u32,
    /// Assertions that a bot cannot test.
    left_out: u32,
    /// Modules with features that are off.
    unsupported: u32,
    /// Modules with imports that intake refuses.
    importing: u32,
    /// Modules beyond a limit of intake, or without room for a line.
    beyond: u32,
}

/// Trap messages of the specification, and those of the judge.
const WORDS: [(&str, &str); 12] = [
    ("integer divide by zero", "integer division by zero"),
    ("integer overflow", "integer overflow"),
    ("invalid conversion to integer", "conversion of a float"),
    ("unreachable", "`unreachable` reached"),
    ("out of bounds memory access", "outside of the memory"),
    ("out of bounds table access", "outside of its elements"),
    ("undefined element", "outside of its elements"),
    ("undefined", "outside of its elements"),
    ("uninitialized element", "null function pointer"),
    ("uninitialized", "null function pointer"),
    ("indirect call type mismatch", "another type"),
    ("call stack exhausted", "stack overflow"),
];

fn ask(player: &mut BotPlayer<'_>, case: usize) -> Result<String, PlayerFault> {
    let mut answer = String::new();
    player.ask(&line(case), &mut answer).map(|_| answer)
}

/// A new player that has run all returning cases before `case`.
fn player<'a>(compiled: &'a Compiled, cases: &[Case], case: usize) -> BotPlayer<'a> {
    // The engine charges for a copy before it checks its bounds, so four billion bytes must be
    // affordable.
    let limits = Limits { fuel: 1 << 40, memory_bytes: MAX_MEMORY_BYTES, ..Limits::COURSE };
    let mut player = BotPlayer::new(compiled, limits);
    for earlier in (0..case).filter(|case| matches!(cases[*case].ends, Ends::Returns(_))) {
        ask(&mut player, earlier).unwrap();
    }
    player
}

impl AssertedCounts {
    fn script(&mut self, sandbox: &Sandbox, script: &Script) {
        match inspect(&script.module) {
            Ok(_) | Err(IntakeRefusal::MissingExports { .. }) => {}
            Err(IntakeRefusal::Malformed { .. } | IntakeRefusal::SwitchedOff { .. }) => {
                assert!(sandbox.validate(&script.module).is_err(), "{}", script.name);
                self.unsupported += 1;
                return;
            }
            Err(IntakeRefusal::ForbiddenImports { .. }) => {
                self.importing += 1;
                return;
            }
            Err(_) => {
                self.beyond += 1;
                return;
            }
        }
        let Some(bot) = bot(&script.module, &script.cases) else {
            self.beyond += 1;
            return;
        };
        match Compiled::new(sandbox, &bot) {
            Ok(compiled) => self.run(&compiled, script),
            Err(error) => panic!("{}: {error}", script.name),
        }
    }

    fn run(&mut self, compiled: &Compiled, script: &Script) {
        self.modules += 1;
        self.left_out += script.left_out;
        let mut running = player(compiled, &script.cases, 0);
        for (number, case) in script.cases.iter().enumerate() {
            let result = ask(&mut running, number);
            let name = || format!("{}, case {number}: {case:?}: {result:?}", script.name);
            match &case.ends {
                Ends::Returns(_) => {
                    assert_eq!(result.as_deref(), Ok(RIGHT), "{}", name());
                    self.returns += 1;
                }
                Ends::Traps(words) => {
                    let fault = result.as_ref().expect_err(&name());
                    assert_eq!(fault.verdict, Verdict::RuntimeError, "{}", name());
                    assert!(says(fault.detail.as_str(), words), "{}", name());
                    self.traps += 1;
                    running = player(compiled, &script.cases, number);
                }
            }
        }
        if script.cases.is_empty() {
            assert_eq!(ask(&mut running, 0).as_deref(), Ok("0"), "{}", script.name);
        }
    }
}

/// True if the judge's message is the one for the specification's trap message.
fn says(detail: &str, words: &str) -> bool {
    WORDS.iter().any(|(theirs, ours)| words.starts_with(theirs) && detail.contains(ours))
}

#[test]
fn assertions_of_the_specification_pass() {
    let sandbox = Sandbox::new().unwrap();
    let mut count = AssertedCounts::default();
    for script in scripts() {
        count.script(&sandbox, &script);
    }
    assert!(count.modules > 1_500 && count.returns > 50_000 && count.traps > 1_500, "{count:?}");
    assert!(count.left_out < 100, "{count:?}");
}
