//! Rebuilds the library when a header or source of the kit for C++ changes.

fn main() {
    println!("cargo:rerun-if-changed=../../sdk/cpp/include");
    println!("cargo:rerun-if-changed=../../sdk/cpp/prelude");
    println!("cargo:rerun-if-changed=../../sdk/cpp/src");
}
