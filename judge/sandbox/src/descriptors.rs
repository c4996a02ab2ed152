//! Keeps files and pipes that this program has inherited from others.

/// Closes the files, pipes and sockets that this process has inherited in every program that it
/// starts: a player, a compiler and what a student's source makes a compiler open get none of them.
/// Standard input and output stay.
///
/// Call it before the first program is started.
pub fn keep_to_this_process() {
    #[cfg(unix)]
    for number in inherited() {
        // The one for the list is gone.
        let _ = crate::unchecked::close_on_exec(number);
    }
}

/// Closes the files, pipes and sockets that a worker process has inherited, because the compilers that
/// it starts can look into it. Standard input and output stay.
///
/// Call it first of all: nothing that this process has opened itself may be open.
pub fn close_inherited() {
    #[cfg(unix)]
    inherited().into_iter().for_each(crate::unchecked::close);
}

/// Numbers of open descriptors but for standard input and outputs, as the system lists them.
#[cfg(unix)]
fn inherited() -> Vec<i32> {
    let entries = std::fs::read_dir("/dev/fd").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|number| *number > 2).collect()
}
