//! The state of a game as a picture: both quilts with the offer between them, the time track below,
//! and the patches that come next. Every view shows all of it, since nothing is hidden.

mod cloth;
mod offer;
mod quilt;
#[cfg(feature = "pointing")]
pub(super) mod targets;
mod track;

use judge_core::Seat;

use super::{Position, Round, render};
use crate::picture::{Anchor, document, finish, text};
use crate::text::capitalized;

/// Width and height of the whole picture.
const SIZE: [i32; 2] = [960, 732];

/// Free space at the left and right.
const MARGIN: i32 = 24;

/// This game's own colours: eleven cloths, leather, buttons, thread. They contrast with both light
/// and dark paper, so most need no second value. On a phone, where the picture has 0.4 of its size,
/// letters are larger, and text that repeats other parts is left out.
const STYLE: &str = "\
.j-patchwork-0{fill:#e58a7b}.j-patchwork-1{fill:#86b4e0}.j-patchwork-2{fill:#f0d37a}\
.j-patchwork-3{fill:#7fbf8f}.j-patchwork-4{fill:#c69ad6}.j-patchwork-5{fill:#f2b56b}\
.j-patchwork-6{fill:#79c3c0}.j-patchwork-7{fill:#e79cc0}.j-patchwork-8{fill:#b5cf7c}\
.j-patchwork-9{fill:#9d9be0}.j-patchwork-10{fill:#cdb59b}.j-patchwork-leather{fill:#9a643a}\
.j-patchwork-letter{fill:#2a2a31}.j-patchwork-thread{fill:#fff}.j-patchwork-button{fill:#fff;stroke:#2464b4;stroke-width:2}\
.j-patchwork-hem{fill:none;stroke:#2a2a31;stroke-width:2;stroke-linecap:round}\
.j-patchwork-new{fill:none;stroke:#2a2a31;stroke-width:5;stroke-linecap:round}\
.j-patchwork-seam{fill:none;stroke:#2a2a31;stroke-opacity:.35;stroke-width:1;stroke-dasharray:3 3}\
.j-patchwork-income{fill:#d6e4f4}.j-patchwork-gone{fill:none;stroke:#9a643a;stroke-dasharray:3 2}\
.j-patchwork-dear{opacity:.45}\
@media(prefers-color-scheme:dark){.j-patchwork-income{fill:#2b3e57}\
.j-patchwork-new{stroke:#fff;stroke-width:3}}\
@media(max-width:30rem){text[font-size='9'],text[font-size='13']{font-size:20px}text[font-size='12']{font-size:21px}\
text[font-size='14']{font-size:20px}text[font-size='15'],text[font-size='16']{font-size:23px}\
text[font-size='17']{font-size:24px}text[font-size='20']{font-size:29px}.j-patchwork-aside{display:none}\
.j-patchwork-word{transform:translateX(-28px)}.j-patchwork-tick{transform:translateY(6px)}}";

/// The picture of a game.
pub(super) fn picture(round: &Round) -> String {
    let position = round.position();
    let scores = Seat::BOTH.map(|seat| signed(position.score(seat)));
    let title = format!("Patchwork: seat 1 has {}, seat 2 has {}", scores[0], scores[1]);
    let news = capitalized(&render::news(round));
    let [width, height] = SIZE;
    let picture = document(width, height, &title, STYLE)
        .add(quilt::quilt(round, Seat::One, MARGIN))
        .add(quilt::quilt(round, Seat::Two, width - MARGIN - quilt::WIDTH))
        .add(offer::cards(position, [quilt::WIDTH + 2 * MARGIN, quilt::TOP]))
        .add(track::track(position, 426))
        .add(offer::rest(position, 542))
        .add(text("j-ink", [width / 2, height - 16], 15, Anchor::Middle, news));
    finish(&picture)
}

/// A number with a typographic minus sign, not the hyphen of a keyboard.
fn signed(number: i64) -> String {
    number.to_string().replace('-', "−")
}

/// True if the player can do anything at all now.
fn is_on_move(position: &Position, seat: Seat) -> bool {
    !position.is_over() && position.turn() == seat
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::Rules;
    use crate::patchwork::tests::games::CIRCLE;
    use crate::{GameState as _, View};

    /// The picture after these moves.
    fn after(moves: &str) -> String {
        let round = Round::resume(Rules::default(), &format!("{CIRCLE} {moves}"));
        round.expect("a state").svg(View::Everything)
    }

    #[test]
    fn the_picture_of_the_start_is_unchanged() {
        insta::assert_snapshot!(after("-"));
    }

    #[test]
    fn a_special_patch_is_due() {
        insta::assert_snapshot!(after(&format!("BDCAQAAH{}", ".".repeat(14))));
    }

    #[test]
    fn pictures_have_whole_numbers_and_no_external_files() {
        let picture = after(&format!("BDCAQAAH{}", ".".repeat(14)));
        assert!(!picture.contains("href") && !picture.contains("url("));
        let body = picture.split("</style>").last().expect("a body");
        let point = |pair: &[u8]| pair[0].is_ascii_digit() && pair[1] == b'.';
        assert!(!body.as_bytes().windows(2).any(point), "a fraction");
    }
}
