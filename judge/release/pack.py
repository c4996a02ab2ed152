#!/usr/bin/env python3
"""Packs built programs for a release: an archive, and `judge` as a wheel, Debian and npm packages.

usage: pack.py TARGET FOLDER BINARY... [--suffix .exe] [--native JUDGE] [--only-wheel]

TARGET is a target of Rust, BINARY a program without its suffix; the first is `judge`. JUDGE is the same
version for this machine, which writes manual pages and completions where BINARY cannot run. FOLDER gets
`judge-VERSION-TARGET.tar.gz` (`.zip` for Windows), its bill of materials (`.cdx.json`) and licences of
dependencies, `judge_referee-VERSION-*.whl`, a `.deb` for Linux, two `.tgz` for npm, and SHA256SUMS over all
its files. With --only-wheel it gets the wheel and SHA256SUMS. The bytes depend only on the files and on
SOURCE_DATE_EPOCH.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

import debian
import dependencies
import npm
from packing import tarred, zipped

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "judge/docs/CHANGELOG.md"]

# Files of completions, as the shells call them.
SHELLS = {"bash": "judge.bash", "zsh": "_judge", "fish": "judge.fish", "powershell": "_judge.ps1"}

# Platforms of wheels. A static program needs no C library.
TAGS = {
    "x86_64-unknown-linux-musl": "manylinux2014_x86_64.musllinux_1_1_x86_64",
    "aarch64-unknown-linux-musl": "manylinux2014_aarch64.musllinux_1_1_aarch64",
    "x86_64-pc-windows-gnu": "win_amd64",
    "aarch64-apple-darwin": "macosx_11_0_arm64",
    "x86_64-apple-darwin": "macosx_10_12_x86_64",
}


def version():
    """The version of the workspace."""
    return re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]


def platform(target, binary):
    """The platform of the wheel; with glibc the oldest one that has all the symbols."""
    if target in TAGS:
        return TAGS[target]
    symbols = subprocess.run(["objdump", "-T", binary], check=True, capture_output=True, text=True)
    needed = [tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols.stdout)]
    major, minor = max(needed)
    return f"manylinux_{major}_{minor}_{target.split('-')[0]}"


def documents(judge):
    """Entries of manual pages and completions, as a judge of this machine writes them."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([judge, "completions", "--man", folder], check=True)
        pages = [(f"man/{page.name}", page.read_bytes(), 0o644) for page in pathlib.Path(folder).iterdir()]
    for shell, name in SHELLS.items():
        script = subprocess.run([judge, "completions", shell], check=True, stdout=subprocess.PIPE).stdout
        pages.append((f"completions/{name}", script, 0o644))
    return sorted(pages)


def archive(target, folder, contents, suffix):
    """The archive with all programs and texts."""
    name = f"judge-{version()}-{target}"
    entries = sorted((f"{name}/{file}", content, mode) for file, content, mode in contents)
    if suffix:
        zipped(folder / f"{name}.zip", entries)
    else:
        (folder / f"{name}.tar.gz").write_bytes(tarred(entries))


def debian_package(target, folder, programs, pages, licences, binary):
    """The package for Debian, with the C library that the program needs."""
    tag = platform(target, binary)
    glibc = None if target.endswith("-musl") else ".".join(tag.split("_")[1:3])
    name, content = debian.package(target, version(), programs, pages, licences, glibc)
    (folder / name).write_bytes(content)


def wheel(target, folder, binary, suffix, licences):
    """The wheel with `judge`, which `pip` puts on the path."""
    name, info = f"judge_referee-{version()}", f"judge_referee-{version()}.dist-info"
    path = pathlib.Path(str(binary) + suffix)
    tags = f"py3-none-{platform(target, path)}"
    python, abi, systems = tags.split("-")
    lines = "".join(f"Tag: {python}-{abi}-{system}\n" for system in systems.split("."))
    about = (
        f"Metadata-Version: 2.1\nName: judge-referee\nVersion: {version()}\n"
        "Summary: A headless referee for game-playing bots compiled to WebAssembly\n"
        "License: Apache-2.0 OR MIT\nRequires-Python: >=3.7\n"
    )
    entries = [
        (f"{name}.data/scripts/judge{suffix}", path.read_bytes(), 0o755),
        (f"{info}/METADATA", about.encode(), 0o644),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: judge\nRoot-Is-Purelib: false\n{lines}".encode(), 0o644),
    ]
    entries += [(f"{info}/{text}", content, mode) for text, content, mode in licences]
    record = "".join(f"{entry},{hashed(content)},{len(content)}\n" for entry, content, _ in entries)
    entries.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    zipped(folder / f"{name}-{tags}.whl", entries)


def npm_packages(target, folder, binary, suffix, licences):
    """The package for the target's system, and the one that starts it."""
    licences = [(f"package/{text}", content, mode) for text, content, mode in licences]
    program = pathlib.Path(str(binary) + suffix).read_bytes()
    for name, entries in (
        npm.of_system(target, version(), program, suffix, licences),
        npm.launcher(version(), licences[:2]),
    ):
        (folder / name).write_bytes(tarred(entries))


def hashed(content):
    """A hash as wheels have it."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return "sha256=" + digest.rstrip(b"=").decode()


def main():
    """See the usage above."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("target")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("binaries", nargs="+", type=pathlib.Path)
    parser.add_argument("--suffix", default="")
    parser.add_argument("--native", type=pathlib.Path)
    parser.add_argument("--only-wheel", action="store_true")
    arguments = parser.parse_args()
    target, folder, suffix = arguments.target, arguments.folder, arguments.suffix
    folder.mkdir(parents=True, exist_ok=True)
    if arguments.only_wheel:
        wheel(target, folder, arguments.binaries[0], suffix, licences_of(target, arguments.binaries)[1])
    else:
        pack(target, folder, arguments.binaries, suffix, arguments.native)
    files = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(sums))
    return 0


def licences_of(target, binaries):
    """Texts of every archive, and of these the licences, with those of the binaries' parts."""
    third = dependencies.licences(target, [binary.name for binary in binaries])
    texts = [(pathlib.Path(text).name, (ROOT / text).read_bytes(), 0o644) for text in TEXTS]
    return texts, texts[:2] + [("THIRD-PARTY-LICENSES", third, 0o644)]


def pack(target, folder, binaries, suffix, native):
    """Writes all packages of a target."""
    names = [binary.name for binary in binaries]
    paths = [pathlib.Path(str(binary) + suffix) for binary in binaries]
    programs = [(path.name, path.read_bytes(), 0o755) for path in paths]
    pages = documents(native or paths[0].resolve())
    texts, licences = licences_of(target, binaries)
    bill = dependencies.bill(target, version(), names)
    name = f"judge-{version()}-{target}"
    (folder / f"{name}.THIRD-PARTY-LICENSES").write_bytes(licences[2][1])
    (folder / f"{name}.cdx.json").write_bytes(bill)
    contents = programs + pages + texts + licences[2:] + [("judge.cdx.json", bill, 0o644)]
    archive(target, folder, contents, suffix)
    wheel(target, folder, binaries[0], suffix, licences)
    npm_packages(target, folder, binaries[0], suffix, licences)
    if "-linux-" in target:
        debian_package(target, folder, programs, pages, licences, paths[0])


if __name__ == "__main__":
    sys.exit(main())
