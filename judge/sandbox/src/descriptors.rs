//! Keeps files and pipes that this program has inherited to itself.

/// Closes the files, pipes and sockets that this process has inherited in every program that it
/// starts: a player, a compiler and what a student's source makes a compiler open get none of them.
/// Standard input and output stay.
///
/// Call it before the first program is started.
#[cfg(unix)]
pub fn keep_to_this_process() {
    // The system lists them here; without the list, nothing is known to be open.
    for entry in std::fs::read_dir("/dev/fd").into_iter().flatten().flatten() {
        let number = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok());
        if let Some(number) = number.filter(|number| *number > 2) {
            // The one for this list may be gone.
            let _ = crate::unchecked::close_on_exec(number);
        }
    }
}

/// Does nothing: programs inherit only what they are given.
#[cfg(not(unix))]
pub fn keep_to_this_process() {}
