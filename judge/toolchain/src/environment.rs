//! The environment of compilers. It starts empty, so that a module depends only on the source and
//! the compiler. Of the user's variables it includes only those that give locations.

use std::path::Path;
use std::process::Command;

/// Variables for locations of files and access to the network.
const PASSED: &[&str] = &[
    "HOME",
    "XDG_CACHE_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOPATH",
    "GOCACHE",
    "GOMODCACHE",
    "GOPROXY",
    "GONOPROXY",
    "GOSUMDB",
    "GONOSUMDB",
    "GOPRIVATE",
    "GOINSECURE",
    "GOVCS",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    // Windows needs some of these to start a program.
    "APPDATA",
    "ComSpec",
    "LOCALAPPDATA",
    "PATHEXT",
    "ProgramData",
    "SystemDrive",
    "SystemRoot",
    "USERPROFILE",
];

/// Variables with the same value on every machine: the language of messages, and the date in
/// `__DATE__`, `__TIME__` and `__TIMESTAMP__`.
const FIXED: &[(&str, &str)] = &[("LANG", "C.UTF-8"), ("TZ", "UTC0"), ("SOURCE_DATE_EPOCH", "0")];

/// Variables for the folder of temporary files.
const TEMPORARY: &[&str] = &["TMPDIR", "TMP", "TEMP", "GOTMPDIR"];

/// Gives a command this environment, plus its own variables.
pub(crate) fn apply(to: &mut Command, own: &Command, temporary: &Path) {
    to.env_clear();
    for name in PASSED {
        if let Some(value) = std::env::var_os(name) {
            to.env(name, value);
        }
    }
    to.envs(FIXED.iter().copied());
    to.envs(TEMPORARY.iter().map(|name| (name, temporary)));
    // A relative folder would belong to the source if the current folder does.
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&folders).filter(|folder| folder.is_absolute());
    if let Ok(path) = std::env::join_paths(folders) {
        to.env("PATH", path);
    }
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => to.env(name, value),
            None => to.env_remove(name),
        };
    }
}
