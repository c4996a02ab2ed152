#!/usr/bin/env python3
"""Writes a Go module in the layout of a module proxy: `go-proxy.py FOLDER MODULE VERSION PROXY`."""

import json
import pathlib
import sys
import zipfile

FOLDER, MODULE, VERSION, PROXY = sys.argv[1:]

# The zip format has no earlier time; the compiler does not look at it.
TIME = (1980, 1, 1, 0, 0, 0)


def main():
    folder, versions = pathlib.Path(FOLDER), pathlib.Path(PROXY, MODULE, "@v")
    versions.mkdir(parents=True, exist_ok=True)
    (versions / "list").write_text(VERSION + "\n")
    (versions / f"{VERSION}.info").write_text(json.dumps({"Version": VERSION}) + "\n")
    (versions / f"{VERSION}.mod").write_bytes((folder / "go.mod").read_bytes())
    with zipfile.ZipFile(versions / f"{VERSION}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = f"{MODULE}@{VERSION}/{path.relative_to(folder).as_posix()}"
            archive.writestr(zipfile.ZipInfo(name, TIME), path.read_bytes(), zipfile.ZIP_DEFLATED)


main()
