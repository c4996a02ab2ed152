//! Games per second and core of every game: random moves natively, and its sample bots in the
//! sandbox; and the judge's own share of that time.
//!
//! `cargo bench -p judge-bench --bench games [-- GAME…]`

use std::path::PathBuf;
use std::time::{Duration, Instant};

use comfy_table::{Table, presets};
use judge_bench::root;
use judge_core::{
    Limits, Options, Player, PlayerFault, RoundSpec, Seat, SeatSpec, Seed, Usage, digest,
};
use judge_games::Game;
use judge_referee::TranscriptObserver;
use judge_sandbox::{BotPlayer, Compiled, Sandbox};

/// Duration of each row's measurement.
const TIME: Duration = Duration::from_secs(3);

/// A bot's thinking time per answer for the measurement of the judge's share.
const THOUGHT: Duration = Duration::from_micros(10);

/// Gives the same answer to everything, as fast as a module can.
const ECHO: &str = r#"(module
  (memory (export "memory") 1)
  (func (export "judge_buffer") (result i32) (i32.const 1024))
  (func (export "judge_line") (param i32) (result i32)
    (i32.store8 (i32.const 1024) (i32.const 49)) (i32.const 1)))"#;

fn main() {
    let games: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let sandbox = Sandbox::new().expect("an engine");
    let line = transport(&sandbox);
    println!("a line into the sandbox and its answer: {:.2} µs\n", 1e6 * line.as_secs_f64());
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header([
        "game",
        "seat 1",
        "games a second",
        "answers a game",
        "rules, µs an answer",
        "judge's share, %",
        "with 10 µs of thought, %",
    ]);
    let bots = sample_bots();
    for game in judge_games::all().iter().map(|game| game.name()) {
        if games.is_empty() || games.iter().any(|name| name == game) {
            let random = measure(game, &|seat, seed| reference(game, seat, seed));
            table.add_row(random.row(game, "random", Duration::ZERO));
            for (_, bot) in bots.iter().filter(|(of, _)| of == game) {
                table.add_row(sandboxed(&sandbox, game, bot).row(game, bot, line));
            }
        }
    }
    println!("{table}");
}

/// Game and name of every sample bot, by name.
fn sample_bots() -> Vec<(String, String)> {
    let folders = std::fs::read_dir(root().join("sample-bots")).expect("the sample bots");
    let bot = |folder: PathBuf| {
        let text = std::fs::read_to_string(folder.join("bot.toml")).ok()?;
        let table: toml::Table = text.parse().expect("TOML");
        let name = folder.file_name()?.to_str()?.to_owned();
        Some((table["game"].as_str()?.to_owned(), name))
    };
    let mut bots: Vec<(String, String)> =
        folders.filter_map(|folder| bot(folder.ok()?.path())).collect();
    bots.sort();
    bots
}

fn sandboxed(sandbox: &Sandbox, game: &str, bot: &str) -> Measured {
    let module = root().join("sample-bots/prebuilt").join(bot).with_extension("wasm");
    let module = std::fs::read(module).expect("the sample bots are in the repository");
    let compiled = Compiled::new(sandbox, &module).expect("a sample bot");
    measure(game, &|seat, seed| match seat {
        Seat::One => Box::new(BotPlayer::new(&compiled, Limits::COURSE)),
        Seat::Two => reference(game, seat, seed),
    })
}

/// The cost of sending a line to a bot and reading its answer, without the bot's own time.
fn transport(sandbox: &Sandbox) -> Duration {
    const LINES: u32 = 200_000;
    let module = wat::parse_str(ECHO).expect("a module");
    let compiled = Compiled::new(sandbox, &module).expect("a module that is taken");
    let mut bot = BotPlayer::new(&compiled, Limits::COURSE);
    let mut answer = String::new();
    let begin = Instant::now();
    for _ in 0..LINES {
        answer.clear();
        bot.ask("discard? 122367c1478b1389d", &mut answer).expect("an answer");
    }
    begin.elapsed() / LINES
}

fn reference(game: &str, seat: Seat, seed: Seed) -> Box<dyn Player> {
    let game = judge_games::find(game).expect("a game");
    judge_referee::reference(game, "random", seat, seed).expect("every game has this opponent")
}

/// The measurement of one pair of players.
#[derive(Default)]
struct Measured {
    games: u32,
    answers: u32,
    total: Duration,
    /// Time inside the two players.
    players: Duration,
}

impl Measured {
    /// Time outside the players: rules, record and lines.
    fn own(&self) -> Duration {
        self.total.saturating_sub(self.players)
    }

    fn row(&self, game: &str, player: &str, line: Duration) -> [String; 7] {
        let (games, answers) = (f64::from(self.games), f64::from(self.answers));
        let own = self.own().as_secs_f64();
        let an_answer = own / answers + line.as_secs_f64();
        let with_thought = an_answer / (an_answer + THOUGHT.as_secs_f64());
        [
            game.to_owned(),
            player.to_owned(),
            format!("{:.0}", games / self.total.as_secs_f64()),
            format!("{:.1}", answers / games),
            format!("{:.2}", 1e6 * own / answers),
            format!("{:.0}", 100.0 * own / self.total.as_secs_f64()),
            format!("{:.0}", 100.0 * with_thought),
        ]
    }
}

/// Plays games one after the other.
fn measure<'a>(game: &str, player: &dyn Fn(Seat, Seed) -> Box<dyn Player + 'a>) -> Measured {
    let mut measured = Measured::default();
    let begin = Instant::now();
    while begin.elapsed() < TIME {
        let seed = Seed(u64::from(measured.games));
        let spec = spec(game, seed);
        let (game, mut state): (&'static dyn Game, _) =
            judge_referee::start(&spec).expect("a match that can begin");
        let mut watches = Seat::BOTH.map(|seat| Watch::new(player(seat, seed)));
        let [one, two] = &mut watches;
        let mut observer = TranscriptObserver::default();
        let conclusion = judge_referee::play(game, state.as_mut(), [one, two], &mut observer);
        assert!(conclusion.fault.is_none(), "{:?}", conclusion.fault);
        measured.games += 1;
        for watch in &watches {
            measured.answers += watch.answers;
            measured.players += watch.elapsed;
        }
    }
    measured.total = begin.elapsed();
    measured
}

fn spec(game: &str, seed: Seed) -> RoundSpec {
    let bot = SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(b"") };
    RoundSpec {
        game: game.to_owned(),
        options: Options::new(),
        seed,
        seats: [bot, SeatSpec::Reference { name: "random".to_owned() }],
        limits: Limits::COURSE,
    }
}

/// A player that measures its time.
struct Watch<'a> {
    player: Box<dyn Player + 'a>,
    elapsed: Duration,
    answers: u32,
}

impl<'a> Watch<'a> {
    fn new(player: Box<dyn Player + 'a>) -> Watch<'a> {
        Watch { player, elapsed: Duration::ZERO, answers: 0 }
    }
}

impl Player for Watch<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        let begin = Instant::now();
        let result = self.player.notice(line);
        self.elapsed += begin.elapsed();
        result
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let begin = Instant::now();
        let result = self.player.ask(line, answer);
        self.elapsed += begin.elapsed();
        self.answers += 1;
        result
    }

    fn usage(&mut self) -> Usage {
        self.player.usage()
    }
}
