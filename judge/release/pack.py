#!/usr/bin/env python3
"""Packs built programs for a release: an archive, and `judge` as a wheel and as npm packages.

usage: pack.py TARGET FOLDER BINARY... [--suffix .exe]

TARGET is a target of Rust, BINARY a program without its suffix; the first is `judge`. FOLDER gets
`judge-VERSION-TARGET.tar.gz` (`.zip` for Windows), `judge_referee-VERSION-*.whl`, two `.tgz` for npm, and
SHA256SUMS over all its files. The bytes depend only on the files and on SOURCE_DATE_EPOCH.
"""

import argparse
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import time
import zipfile

import npm

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "judge/docs/CHANGELOG.md"]
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))

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


def zipped(path, entries):
    """Writes a zip file of names, bytes and modes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, content, mode in entries:
            entry = zipfile.ZipInfo(name, time.gmtime(EPOCH)[:6])
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, content)


def tarred(path, entries):
    """Writes a compressed tar file of names, bytes and modes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as file:
        for name, content, mode in entries:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, EPOCH
            file.addfile(entry, io.BytesIO(content))
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=EPOCH))


def archive(target, folder, binaries, suffix):
    """The archive with all programs."""
    name = f"judge-{version()}-{target}"
    programs = [(binary.name + suffix, pathlib.Path(str(binary) + suffix)) for binary in binaries]
    entries = [(f"{name}/{file}", path.read_bytes(), 0o755) for file, path in programs]
    entries += [(f"{name}/{pathlib.Path(text).name}", (ROOT / text).read_bytes(), 0o644) for text in TEXTS]
    entries.sort()
    if suffix:
        zipped(folder / f"{name}.zip", entries)
    else:
        tarred(folder / f"{name}.tar.gz", entries)


def wheel(target, folder, binary, suffix):
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
    entries += [(f"{info}/{text}", (ROOT / text).read_bytes(), 0o644) for text in TEXTS[:2]]
    record = "".join(f"{entry},{hashed(content)},{len(content)}\n" for entry, content, _ in entries)
    entries.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    zipped(folder / f"{name}-{tags}.whl", entries)


def npm_packages(target, folder, binary, suffix):
    """The package for the target's system, and the one that starts it."""
    licences = [(f"package/{text}", (ROOT / text).read_bytes(), 0o644) for text in TEXTS[:2]]
    program = pathlib.Path(str(binary) + suffix).read_bytes()
    for name, entries in (
        npm.of_system(target, version(), program, suffix, licences),
        npm.launcher(version(), licences),
    ):
        tarred(folder / name, entries)


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
    arguments = parser.parse_args()
    folder, suffix = arguments.folder, arguments.suffix
    folder.mkdir(parents=True, exist_ok=True)
    archive(arguments.target, folder, arguments.binaries, suffix)
    wheel(arguments.target, folder, arguments.binaries[0], suffix)
    npm_packages(arguments.target, folder, arguments.binaries[0], suffix)
    files = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(sums))
    return 0


if __name__ == "__main__":
    sys.exit(main())
