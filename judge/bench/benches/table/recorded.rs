//! Rounds as the lines that two programs exchange with a referee, for the referee in C.

use std::io::Write;
use std::path::Path;

use judge_bench::PipePlayer;
use judge_core::{Limits, Options, Player, PlayerFault, RoundSpec, SeatSpec, Seed};

/// A program that records its lines in the form of `judge/bench/compare/referee.c`.
struct RecordedPlayer<'a> {
    seat: usize,
    player: &'a mut PipePlayer,
    lines: std::rc::Rc<std::cell::RefCell<String>>,
}

impl RecordedPlayer<'_> {
    fn write(&self, sign: char, line: &str) {
        let mut lines = self.lines.borrow_mut();
        lines.push_str(&format!("{}{sign}{line}\n", self.seat));
    }
}

impl Player for RecordedPlayer<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.write(' ', line);
        self.player.notice(line)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.write('?', line);
        let fuel = self.player.ask(line, answer)?;
        self.write('=', answer);
        Ok(fuel)
    }
}

/// Plays Mahjong rounds between two processes of a program, and writes their lines to a file.
pub(crate) fn record(program: &Path, rounds: u64, file: &Path) -> Result<(), String> {
    let start = || PipePlayer::start(program).map_err(super::text);
    let mut players = [start()?, start()?];
    let lines = std::rc::Rc::new(std::cell::RefCell::new(String::new()));
    let mut out = std::io::BufWriter::new(std::fs::File::create(file).map_err(super::text)?);
    let bot = SeatSpec::Reference { name: "random".to_owned() };
    for seed in 0..rounds {
        let (game, options) = ("mahjong".to_owned(), Options::new());
        let seats = [bot.clone(), bot.clone()];
        let spec = RoundSpec { game, options, seed: Seed(seed), seats, limits: Limits::COURSE };
        let [first, second] = &mut players;
        let mut first = RecordedPlayer { seat: 0, player: first, lines: lines.clone() };
        let mut second = RecordedPlayer { seat: 1, player: second, lines: lines.clone() };
        judge_referee::sit_down(&spec, [&mut first, &mut second], None).map_err(super::text)?;
        out.write_all(lines.borrow().as_bytes()).map_err(super::text)?;
        lines.borrow_mut().clear();
    }
    out.flush().map_err(super::text)
}
