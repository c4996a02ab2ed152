//! The list of games. `games!` in `lib.rs` is the one line to touch for a new one.

use crate::Game;

/// Declares a module per game, the list of all of them and a test of conformance for each; each
/// module offers `GAME`.
macro_rules! games {
    ($($name:ident),* $(,)?) => {
        $(pub mod $name;)*

        /// Every registered game, in the order of the registry line.
        static GAMES: &[&dyn $crate::Game] = &[$(&$name::GAME),*];

        /// The page of a game's rules in Markdown: the README in its folder, without the list of the
        /// folder's files. None for a name that is not a game's.
        pub fn rules_page(game: &str) -> Option<&'static str> {
            let page = match game {
                $(stringify!($name) => include_str!(concat!(stringify!($name), "/README.md")),)*
                _ => return None,
            };
            Some(page.split_once("\n## The files of this folder").map_or(page, |(rules, _)| rules))
        }

        #[cfg(test)]
        mod conforms {
            $(
                #[test]
                fn $name() {
                    let checked = $crate::conformance::check(&crate::$name::GAME);
                    checked.unwrap_or_else(|violation| panic!("{violation}"));
                }
            )*
        }
    };
}
pub(crate) use games;

/// Every game that this judge referees.
pub fn all() -> &'static [&'static dyn Game] {
    crate::GAMES
}

/// The game of that name.
pub fn find(name: &str) -> Option<&'static dyn Game> {
    all().iter().copied().find(|game| game.name() == name)
}
