//! Builds the binary anew when a bundled suite changes: the folder as a whole is watched, so that
//! a new file in it is noticed too.

fn main() {
    println!("cargo:rerun-if-changed=testcases");
}
