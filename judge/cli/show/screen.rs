//! Standard error as a terminal: a bar that takes one line, is never wider than the window, even
//! after the window shrinks, and leaves nothing behind.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, TermLike};

/// Maximum redraws of a bar per second.
const DRAWS: u8 = 20;

/// Columns to assume for a window of unknown width.
const WIDTH: usize = 80;

/// Creates a bar of that length on standard error, hidden if that is not a terminal.
pub(crate) fn progress_bar(length: Option<u64>) -> ProgressBar {
    let is_shown = io::stderr().is_terminal() && !is_dumb();
    let target = match is_shown {
        // On Windows the library drives consoles, which do not use escape sequences.
        true if cfg!(windows) => ProgressDrawTarget::stderr(),
        true => ProgressDrawTarget::term_like_with_hz(Box::new(Screen::default()), DRAWS),
        false => ProgressDrawTarget::hidden(),
    };
    ProgressBar::with_draw_target(length, target)
}

/// True if the terminal only shows plain text (`TERM=dumb`).
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}

/// One terminal line that is redrawn in place.
///
/// The library counts drawn lines by the width at the time of drawing. In a window that has shrunk
/// since, they wrap into more lines, which would stay above the bar. So this type keeps track of
/// the drawn text.
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
    /// Clears the current line in a window of this width.
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

    /// Appends the text to the line, cut at this many columns.
    fn add(&mut self, text: &str, width: usize) {
        // The library pads with spaces to overwrite an old line. Here the line is cleared instead.
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

/// Columns available for the line. The window's last column stays free, because some terminals wrap
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
        // A line that was cut never wraps, whatever the library computes from its length.
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
        // The window is one column wider than the line may be.
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
    fn lines_wrapped_by_a_smaller_window_are_erased() {
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
