"""The crates and other parts in the programs of a release: their licences, and a bill of materials.

Both depend only on Cargo.lock, the compiler, the target and the programs. The bill is CycloneDX 1.5 without
a time, and its serial number is made from its content.
"""

import json
import pathlib
import re
import subprocess
import uuid

import parts

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Packages of the programs.
PACKAGES = {"judge": "judge", "judge-server": "judge-server", "judge-worker": "judge-fleet"}

TEXT = re.compile(r"(un)?licen[cs]e|copying|notice|copyright", re.IGNORECASE)


def cargo(*arguments):
    """The output of a command of Cargo in the repository."""
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def crates(target, programs):
    """Cargo's descriptions of all crates that these programs have inside, by name and version, and edges."""
    chosen = [word for program in programs for word in ("--package", PACKAGES[program])]
    lines = cargo(
        "tree", "--locked", "--edges", "normal", "--target", target, "--prefix", "none", "--format", "{p}", *chosen
    )
    inside = {tuple(line.split(" ")[:2]) for line in lines.splitlines() if line}
    about = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", target))
    found = {}
    for package in about["packages"]:
        if (package["name"], f"v{package['version']}") in inside:
            found[package["id"]] = package
    edges = {}
    for node in about["resolve"]["nodes"]:
        normal = [edge["pkg"] for edge in node["deps"] if any(kind["kind"] is None for kind in edge["dep_kinds"])]
        edges[node["id"]] = [found[crate] for crate in normal if crate in found]
    ordered = sorted(found.values(), key=lambda crate: (crate["name"], crate["version"]))
    return ordered, {reference(crate): edges[crate["id"]] for crate in ordered}


def reference(crate):
    """The name of a crate in the bill: its address, or for our own its path."""
    if crate["source"] is None:
        return f"{crate['name']}@{crate['version']}"
    return f"pkg:cargo/{crate['name']}@{crate['version'].replace('+', '%2B')}"


def expression(crate):
    """The licence as SPDX writes it. A slash is an older way to write OR."""
    return re.sub(r"\s*/\s*", " OR ", crate["license"] or "NOASSERTION")


def bill(target, version, programs):
    """The bill of materials, as bytes."""
    inside, edges = crates(target, programs)
    lock = (ROOT / "Cargo.lock").read_text()
    sums = re.findall(r'^name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"$', lock, re.MULTILINE)
    sums = {(name, number): digest for name, number, digest in sums}
    main = {"type": "application", "bom-ref": "release", "name": "judge", "version": version}
    tops = sorted(reference(crate) for crate in inside if crate["name"] in [PACKAGES[name] for name in programs])
    others = [part_component(part) for part in parts.inside(target, programs)]
    tops += [part["bom-ref"] for part in others]
    lists = [{"ref": "release", "dependsOn": tops}]
    lists += [{"ref": name, "dependsOn": sorted(map(reference, edges[name]))} for name in sorted(edges)]
    content = {
        "metadata": {
            "component": main,
            "properties": [{"name": "judge:target", "value": target}],
        },
        "components": [component(crate, sums) for crate in inside] + others,
        "dependencies": lists,
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    whole = {"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{serial}", "version": 1}
    return json.dumps({**whole, **content}, indent=1).encode() + b"\n"


def component(crate, sums):
    """A crate in the bill."""
    about = {
        "type": "library",
        "bom-ref": reference(crate),
        "name": crate["name"],
        "version": crate["version"],
        "licenses": [{"expression": expression(crate)}],
    }
    if crate["source"] is not None:
        digest = sums[crate["name"], crate["version"]]
        about["hashes"] = [{"alg": "SHA-256", "content": digest}]
        about["purl"] = reference(crate)
    if crate["source"] is not None and (crate["repository"] or "").startswith("https://"):
        about["externalReferences"] = [{"type": "vcs", "url": crate["repository"]}]
    return about


def part_component(part):
    """A part that is not a crate in the bill."""
    about = {"type": "library", "bom-ref": f"part:{part['name']}", "name": part["name"]}
    if part["version"]:
        about["version"] = part["version"]
    about["licenses"] = [{"expression": part["licence"]}]
    about["externalReferences"] = [{"type": "website", "url": part["url"]}]
    return about


def texts(crate):
    """The texts of licences in a crate's package."""
    folder = pathlib.Path(crate["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if TEXT.match(path.name))
    files = [inner for path in files for inner in (sorted(path.iterdir()) if path.is_dir() else [path])]
    return [file.read_text(errors="replace").replace("\r\n", "\n").strip() for file in files if file.is_file()]


def licences(target, programs):
    """One file with the licences of all crates and parts; those with the same text share it."""
    inside = [crate for crate in crates(target, programs)[0] if crate["source"] is not None]
    # Crates of one repository have one licence, which some of their packages do not bring.
    siblings = {}
    for crate in inside:
        siblings.setdefault(crate["repository"], texts(crate))
        siblings[crate["repository"]] = siblings[crate["repository"]] or texts(crate)
    lines, shared = ["Licences of the crates and other parts in these programs.\n"], {}
    for crate in inside:
        lines.append(f"{crate['name']} {crate['version']}: {expression(crate)}, {crate['repository'] or ''}".rstrip(", "))
        for text in texts(crate) or siblings[crate["repository"]]:
            shared.setdefault(text, []).append(crate["name"])
    for part in parts.inside(target, programs):
        name = f"{part['name']} {part['version'] or ''}".strip()
        lines.append(f"{name}: {part['licence']}, {part['url']}")
        shared.setdefault(part["text"], []).append(part["name"])
    for text, names in sorted(shared.items(), key=lambda pair: (pair[1], pair[0])):
        lines.append(f"\n{'=' * 80}\n{', '.join(dict.fromkeys(names))}\n\n{text}")
    return "\n".join(lines).encode() + b"\n"
