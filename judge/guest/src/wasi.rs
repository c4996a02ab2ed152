//! All functions of WASI preview 1, with their replies. No other functions exist.

/// Module name of the imports.
pub const MODULE: &str = "wasi_snapshot_preview1";

/// One function. All but `proc_exit` return an error number.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// `i` for each 32-bit parameter, `I` for each 64-bit one.
    pub parameters: &'static str,
    /// Its reply.
    pub answer: HostReply,
}

/// The reply of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HostReply {
    /// The reply of our function of the same name.
    Served,
    /// Always this error, for all arguments.
    Always(Errno),
}

/// The error numbers of preview 1 that occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errno {
    /// No error.
    Success = 0,
    /// No such descriptor.
    Badf = 8,
    /// A wrong argument.
    Inval = 28,
    /// Not a folder.
    Notdir = 54,
    /// Not a socket.
    Notsock = 57,
    /// Not supported.
    Notsup = 58,
    /// Streams have no position.
    Spipe = 70,
}

impl Errno {
    /// The number that the guest sees.
    pub fn code(self) -> i32 {
        self as i32
    }
}

const fn served(name: &'static str, parameters: &'static str) -> Function {
    Function { name, parameters, answer: HostReply::Served }
}

const fn always(name: &'static str, parameters: &'static str, errno: Errno) -> Function {
    Function { name, parameters, answer: HostReply::Always(errno) }
}

/// All functions.
pub const FUNCTIONS: &[Function] = &[
    // No arguments and no environment: lists of length 0.
    served("args_get", "ii"),
    served("args_sizes_get", "ii"),
    served("environ_get", "ii"),
    served("environ_sizes_get", "ii"),
    // The clock shows fuel.
    served("clock_res_get", "ii"),
    served("clock_time_get", "iIi"),
    served("poll_oneoff", "iiii"),
    served("sched_yield", ""),
    // Standard input, output and error are terminals; there are no other descriptors.
    served("fd_close", "i"),
    served("fd_fdstat_get", "ii"),
    served("fd_filestat_get", "ii"),
    served("fd_read", "iiii"),
    served("fd_seek", "iIii"),
    served("fd_tell", "ii"),
    served("fd_write", "iiii"),
    always("fd_pread", "iiiIi", Errno::Spipe),
    always("fd_pwrite", "iiiIi", Errno::Spipe),
    always("fd_advise", "iIIi", Errno::Spipe),
    always("fd_allocate", "iII", Errno::Notsup),
    always("fd_datasync", "i", Errno::Notsup),
    always("fd_fdstat_set_flags", "ii", Errno::Notsup),
    always("fd_fdstat_set_rights", "iII", Errno::Notsup),
    always("fd_filestat_set_size", "iI", Errno::Notsup),
    always("fd_filestat_set_times", "iIIi", Errno::Notsup),
    always("fd_readdir", "iiiIi", Errno::Notdir),
    always("fd_renumber", "ii", Errno::Notsup),
    always("fd_sync", "i", Errno::Notsup),
    // No folder is open, so no path leads anywhere.
    always("fd_prestat_get", "ii", Errno::Badf),
    always("fd_prestat_dir_name", "iii", Errno::Badf),
    always("path_create_directory", "iii", Errno::Badf),
    always("path_filestat_get", "iiiii", Errno::Badf),
    always("path_filestat_set_times", "iiiiIIi", Errno::Badf),
    always("path_link", "iiiiiii", Errno::Badf),
    always("path_open", "iiiiiIIii", Errno::Badf),
    always("path_readlink", "iiiiii", Errno::Badf),
    always("path_remove_directory", "iii", Errno::Badf),
    always("path_rename", "iiiiii", Errno::Badf),
    always("path_symlink", "iiiii", Errno::Badf),
    always("path_unlink_file", "iii", Errno::Badf),
    // No network and no signals.
    always("sock_accept", "iii", Errno::Notsock),
    always("sock_recv", "iiiiii", Errno::Notsock),
    always("sock_send", "iiiii", Errno::Notsock),
    always("sock_shutdown", "ii", Errno::Notsock),
    always("proc_raise", "i", Errno::Notsup),
    served(PROC_EXIT, "i"),
    served("random_get", "ii"),
];

/// The one function without a result.
pub const PROC_EXIT: &str = "proc_exit";
