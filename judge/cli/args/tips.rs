//! Tips for arguments that a command does not have.

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// The error, with a tip that names the right argument if there is one.
pub(crate) fn with_tip(mut error: Error, commands: &Command, name: Option<&str>) -> Error {
    let command = name.and_then(|name| commands.find_subcommand(name));
    let tip = command.and_then(|command| tip(&error, command));
    if let Some(tip) = tip {
        let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

fn tip(error: &Error, command: &Command) -> Option<String> {
    let given =
        error.get(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument);
    let Some(ContextValue::String(given)) = given else { return None };
    let has = |id: &str| command.get_arguments().any(|argument| argument.get_id() == id);
    let mut opponents = judge_games::all().iter().flat_map(|game| game.opponents());
    match given.as_str() {
        "--game" if has("suite") => Some("this command takes a suite: '--suite <GAME>'".to_owned()),
        name if has("against") && opponents.any(|one| one.name == name) => {
            Some(format!("the opponent is an option: '--against {name}'"))
        }
        _ => None,
    }
}
