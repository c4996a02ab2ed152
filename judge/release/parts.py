"""Parts of the programs that are not crates: interpreters, the editor of the pages, and run-time libraries.

A part is a dictionary of name, version, licence, address, and the text of its licence. Libraries of the
building machine have no version.
"""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = pathlib.Path(__file__).resolve().parent / "licences"
BROWSER = ROOT / "judge/browser"

# Licence and address of what an interpreter's name begins with.
INTERPRETERS = {
    "QuickJS-ng": ("MIT", "https://github.com/quickjs-ng/quickjs", "quickjs.txt"),
    "MicroPython": ("MIT", "https://github.com/micropython/micropython", "micropython.txt"),
}


def part(name, version, licence, url, text):
    """A part whose licence has a file here."""
    return {
        "name": name,
        "version": version,
        "licence": licence,
        "url": url,
        "text": (TEXTS / text).read_text().strip(),
    }


def interpreters():
    """The interpreters for scripts, by the names that the judge has for them, and their C library."""
    source = (ROOT / "judge/interpreters/src/lib.rs").read_text()
    found = [name.rsplit(" ", 1) for name in re.findall(r'^    name: "(.+)",$', source, re.MULTILINE)]
    if len(found) != source.count("include_bytes!"):
        raise ValueError("an interpreter in judge/interpreters/src/lib.rs has no name")
    toolchain = (ROOT / "judge/interpreters/prebuilt/javascript.toolchain").read_text()
    library = re.search(r"^wasi-libc (.+)$", toolchain, re.MULTILINE)[1]
    libc = "Apache-2.0 WITH LLVM-exception AND BSD-2-Clause AND CC0-1.0"
    address = "https://github.com/WebAssembly/wasi-libc"
    return [part(name, version, *INTERPRETERS[name]) for name, version in found] + [
        part("wasi-libc", library, libc, address, "wasi-libc.txt")
    ]


def editor():
    """The packages of the editor, which the bundle of `judge/browser/build.sh` names in its licences."""
    text = (BROWSER / "prebuilt/codemirror.licences.txt").read_text()
    packages = json.loads((BROWSER / "editor/package-lock.json").read_text())["packages"]
    # An entry begins with the name of the package.
    heads = list(re.finditer(r"^(@?[\w/-]+)\n\n(?=MIT License|Copyright)", text, re.MULTILINE))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        {
            "name": head[1],
            "version": packages[f"node_modules/{head[1]}"]["version"],
            "licence": packages[f"node_modules/{head[1]}"]["license"],
            "url": f"https://www.npmjs.com/package/{head[1]}",
            "text": text[head.end() : end].strip(),
        }
        for head, end in zip(heads, ends)
    ]


def libraries(target):
    """Libraries that the compiler and the linker add."""
    rust = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.split(" ")[1]
    found = [
        part(
            "Rust standard library",
            rust,
            "(Apache-2.0 OR MIT) AND Unicode-3.0 AND Zlib",
            "https://github.com/rust-lang/rust",
            "rust.txt",
        ),
        part("LLVM", None, "Apache-2.0 WITH LLVM-exception", "https://github.com/llvm/llvm-project", "llvm.txt"),
        # In programs for musl, and in the C library of the interpreters.
        part("musl", None, "MIT", "https://musl.libc.org", "musl.txt"),
    ]
    if target.endswith("-windows-gnu"):
        exception = "GPL-3.0-or-later WITH GCC-exception-3.1"
        found.append(part("mingw-w64", None, "ZPL-2.1", "https://www.mingw-w64.org", "mingw-w64.txt"))
        found.append(part("libgcc", None, exception, "https://gcc.gnu.org", "libgcc.txt"))
    return found


def inside(target, programs):
    """All parts of these programs. Workers have no pages."""
    pages = editor() if {"judge", "judge-server"} & set(programs) else []
    return sorted(interpreters() + pages + libraries(target), key=lambda one: one["name"])
