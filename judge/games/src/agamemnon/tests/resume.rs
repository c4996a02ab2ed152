//! Displays of a round, and a round resumed from another one's state.

use judge_core::{Options, Seat, Seed};
use proptest::prelude::*;

use crate::agamemnon::tests::games::set;
use crate::agamemnon::{GAME, STANDARD_EDGES};
use crate::conformance::{play_visiting, text_of_legal_answers_are_taken};
use crate::{Game as _, GameState, Step, View};
