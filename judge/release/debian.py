"""The Debian package: all programs of a Linux target with manual pages and completions."""

import hashlib
import pathlib

from packing import EPOCH, compressed, tarred

NAME = "judge-referee"
PROCESSORS = {"x86_64": "amd64", "aarch64": "arm64"}

# Folders of completions, as the shells of Debian look for them.
COMPLETIONS = {
    "judge.bash": "usr/share/bash-completion/completions/judge",
    "_judge": "usr/share/zsh/vendor-completions/_judge",
    "judge.fish": "usr/share/fish/vendor_completions.d/judge.fish",
}


def package(target, version, programs, documents, licences, glibc):
    """Name and bytes of the package. `glibc` is the oldest version that has all symbols, or nothing."""
    processor = PROCESSORS[target.split("-")[0]]
    files = {f"usr/bin/{name}": (content, mode) for name, content, mode in programs}
    for name, content, _ in documents:
        path = pathlib.PurePosixPath(name)
        if path.parent.name == "man":
            files[f"usr/share/man/man1/{path.name}.gz"] = (compressed(content), 0o644)
        elif path.name in COMPLETIONS:
            files[COMPLETIONS[path.name]] = (content, 0o644)
    for name, content, mode in licences:
        files[f"usr/share/doc/{NAME}/{name}"] = (content, mode)
    files[f"usr/share/doc/{NAME}/copyright"] = (copyright_of(licences), 0o644)
    size = sum(len(content) for content, _ in files.values())
    control = described(version, processor, size // 1024, glibc)
    sums = "".join(f"{hashlib.md5(files[path][0]).hexdigest()}  {path}\n" for path in sorted(files))
    inner = [("./control", control.encode(), 0o644), ("./md5sums", sums.encode(), 0o644)]
    members = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", tarred(inner)),
        ("data.tar.gz", tarred(tree(files))),
    ]
    return f"{NAME}_{version}_{processor}.deb", joined(members)


def described(version, processor, kilobytes, glibc):
    """The text of `control`."""
    needed = f"Depends: libc6 (>= {glibc})\n" if glibc else ""
    return (
        f"Package: {NAME}\nVersion: {version}\nArchitecture: {processor}\n"
        "Maintainer: The authors of judge <judge@localhost>\n"
        f"Installed-Size: {kilobytes}\n{needed}Section: devel\nPriority: optional\n"
        "Description: headless referee for game-playing bots compiled to WebAssembly\n"
        " Grades bots in a sandbox: the same bot and suite give the same result on\n"
        " every machine.\n"
    )


def copyright_of(licences):
    """Debian's file on licences: the shorter text, and the names of the others."""
    texts = {name: content for name, content, _ in licences}
    others = f"Apache-2.0 OR MIT. LICENSE-APACHE has the other text, and {', '.join(sorted(texts))} are here.\n\n"
    return others.encode() + texts["LICENSE-MIT"]


def tree(files):
    """Entries of all files and of the folders above them, which dpkg does not make by itself."""
    folders = {str(parent) for path in files for parent in pathlib.PurePosixPath(path).parents}
    entries = [(f"./{folder}/" if folder != "." else "./", b"", 0o755) for folder in folders]
    return sorted(entries + [(f"./{path}", *files[path]) for path in files])


def joined(members):
    """The members as `ar` joins them."""
    parts = [b"!<arch>\n"]
    for name, content in members:
        parts.append(f"{name:<16}{EPOCH:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode())
        parts.append(content + b"\n" * (len(content) % 2))
    return b"".join(parts)
