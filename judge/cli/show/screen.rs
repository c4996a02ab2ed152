//! Standard error as a terminal shows it: a bar that takes one line, is never wider than the window,
//! also after that was made smaller, and leaves nothing behind.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, TermLike};

/// Maximum redraws of a bar per second.
const DRAWS: u8 = 20;

/// Columns of a window of unknown width.
const WIDTH: usize = 80;

/// A bar of that length on standard error, or a hidden one if standard error is not a terminal.
pub(crate) fn progress_bar(length: Option<u64>) -> ProgressBar {
    let is_shown = io::stderr().is_terminal() && !is_dumb();
    let target = match is_shown {
        // The library handles consoles, which do not use escape sequences.
        true if cfg!(windows) => ProgressDrawTarget::stderr(),
        true => ProgressDrawTarget::term_like_with_hz(Box::new(Screen::default()), DRAWS),
        false => ProgressDrawTarget::hidden(),
    };
    ProgressBar::with_draw_target(length, target)
}

/// True if the terminal says that it shows text and no more.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}

/// One line of a terminal that is drawn over.
///
/// The library counts drawn lines by the width at that time. A smaller window now wraps them into
/// more lines, which would stay above the bar; so the text that was drawn is counted here.
#[derive(Debug, Default)]
struct Screen(Mutex<Drawing>);

/// Content of the line, and text to write.
#[derive(Debug, Default)]
struct Drawing {
    /// Columns of the current line.
    columns: usize,
    /// Text to write at the next flush.
    text: String,
}

impl Drawing {
    /// Clears the current line, in a window that now has this width.
    fn clear(&mut self, width: usize) {
        let above = self.columns.saturating_sub(1) / width.max(1);
        self.text.push('\r');
        if above > 0 {
            // Writing to a string cannot fail.
            let _ = write!(self.text, "\u{1b}[{above}A");
        }
        self.text += "\u{1b}[J";
        self.columns = 0;
    }

    /// Adds to the line what fits into this many columns.
    fn add(&mut self, text: &str, width: usize) {
        // Spaces up to the edge are there for those who draw over a line without clearing it.
        if text.trim().is_empty() {
            return;
        }
        let fits: String = text.chars().take(width.saturating_sub(self.columns)).collect();
        self.columns += fits.chars().count();
        self.text += &fits;
    }
}

impl Screen {
    fn drawing(&self) -> MutexGuard<'_, Drawing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Number of columns of a line: the last one of the window stays free, because some terminals wrap
/// when it is used.
fn width() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(WIDTH, |(width, _)| usize::from(width.0)).saturating_sub(1).max(1)
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        u16::try_from(width()).unwrap_or(u16::MAX)
    }

    fn height(&self) -> u16 {
        // A line that is cut takes no second one, whatever the library makes of its length.
        u16::MAX
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        let mut drawing = self.drawing();
        drawing.text += text;
        drawing.text.push('\n');
        drawing.columns = 0;
        Ok(())
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.drawing().add(text, width());
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        // One column more than a line may have: that is where the window ends.
        self.drawing().clear(width() + 1);
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        let text = std::mem::take(&mut self.drawing().text);
        io::stderr().write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_the_edge_and_not_filled_up_to_it() {
        let mut drawing = Drawing::default();
        drawing.add("███░ 3/4 games", 8);
        drawing.add("      ", 8);
        assert_eq!((drawing.text.as_str(), drawing.columns), ("███░ 3/4", 8));
        drawing.add("more", 8);
        assert_eq!(drawing.columns, 8);
    }

    #[test]
    fn as_many_lines_are_taken_away_as_a_smaller_window_has_made_of_one() {
        for (columns, width, expected) in [
            (0, 80, "\r\u{1b}[J"),
            (79, 80, "\r\u{1b}[J"),
            (40, 40, "\r\u{1b}[J"),
            (41, 40, "\r\u{1b}[1A\u{1b}[J"),
            (79, 20, "\r\u{1b}[3A\u{1b}[J"),
            (79, 0, "\r\u{1b}[78A\u{1b}[J"),
        ] {
            let mut drawing = Drawing { columns, text: String::new() };
            drawing.clear(width);
            assert_eq!(drawing.text, expected, "{columns} columns in {width}");
            drawing.text.clear();
            drawing.clear(width);
            assert_eq!(drawing.text, "\r\u{1b}[J", "there is nothing left");
        }
    }
}
