//! Learning by self-play: the searches of a game add to the knowledge about a board.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use judge_core::{Options, Player, Purpose, Seat, Seed};

use super::knowledge::{Knows, Place, Table, body};
use super::opponents;
use super::opponents::mcts::Tree;
use super::options::{self, Setup};
use super::{Side, opening};
use crate::learning::file;
use crate::{BodyError, Header, Learned, Learner, Plan};

/// The entry of the game.
pub(super) static LEARNER: Amazons = Amazons;

/// Learns the boards with usual squares.
pub(super) struct Amazons;

impl Learner for Amazons {
    fn boards(&self) -> Vec<String> {
        options::standard_sizes().map(board).collect()
    }

    fn begin(&self, plan: &Plan) -> Option<Box<dyn Learned>> {
        let setup = setup(&plan.board)?;
        let table = Table::new(setup.start.size());
        Some(Box::new(Knowledge { plan: plan.clone(), setup, games: 0, table }))
    }

    fn read(&self, header: &Header, bytes: &[u8]) -> Result<Box<dyn Learned>, BodyError> {
        let Header { plan, games, states, .. } = header;
        let setup = setup(&plan.board).ok_or_else(|| BodyError {
            state: 0,
            at: 0,
            what: "no such board".to_owned(),
        })?;
        let table = body::read(&setup.start, *states, bytes)?;
        Ok(Box::new(Knowledge { plan: plan.clone(), setup, games: *games, table }))
    }
}

/// The name of a board.
fn board(size: u8) -> String {
    format!("{size}x{size}")
}

/// The set-up of a round on the board of that name, with default values otherwise.
fn setup(name: &str) -> Option<Setup> {
    let size = options::standard_sizes().find(|size| board(*size) == name)?;
    options::parse(&Options::from([("size".to_owned(), size.to_string())])).ok()
}

/// The results of self-play on a board.
struct Knowledge {
    plan: Plan,
    setup: Setup,
    games: u64,
    table: Table,
}

impl Knows for Knowledge {
    fn table(&self) -> &Table {
        &self.table
    }
}

impl Learned for Knowledge {
    fn header(&self) -> Header {
        Header {
            game: "amazons".to_owned(),
            plan: self.plan.clone(),
            games: self.games,
            states: self.table.states(),
        }
    }

    /// Both sides search with the present knowledge, and each search adds to it at once. A move is
    /// drawn by its number of visits, so that games differ. The game ends when its end is certain;
    /// proofs are learned from its end to its beginning.
    fn play_game(&mut self) -> usize {
        let seed = self.plan.seed_of(self.games);
        let mut position = opening::opened(&self.setup.start, self.setup.opening, seed);
        let mut random = seed.random(Purpose::Opponent(Seat::One));
        let mut played = Vec::new();
        loop {
            let key = Place::new(&position).key;
            if self.table.prove(key) {
                break;
            }
            played.push(key);
            let table = Some(&self.table);
            let tree = Tree::grow(&position, self.plan.playouts, table, &mut random);
            let (chosen, lessons) = (tree.drawn(&mut random), tree.lessons());
            self.table.learn(lessons);
            let Some(chosen) = chosen else { break };
            position.play_unchecked(chosen);
        }
        played.into_iter().rev().all(|key| self.table.prove(key));
        self.games += 1;
        self.table.make_room()
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.header().begin();
        body::write(&self.table, &mut bytes);
        file::seal(bytes)
    }

    fn fits(&self, options: &Options) -> Result<(), String> {
        let played = options::parse(options).map_err(|error| error.to_string())?;
        let own = &self.setup.start;
        if played.start == *own {
            return Ok(());
        }
        let (trained, size) = (&self.plan.board, played.start.size());
        if size != own.size() {
            return Err(format!("trained for {trained}, this match is {}", board(size)));
        }
        let [white, black] = Side::BOTH.map(|side| options::squares(own.amazons(side)));
        Err(format!(
            "trained for {trained} with White on {white} and Black on {black}, which this match \
             changes"
        ))
    }

    fn player(self: Arc<Self>, seat: Seat, seed: Seed) -> Box<dyn Player> {
        opponents::trained(self, seat, seed)
    }
}
