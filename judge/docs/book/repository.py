#!/usr/bin/env python3
"""A preprocessor for mdBook that knows where pages come from.

It handles `{{#include FILE.md:LINE:}}` for Markdown: links in the included file are relative to its folder,
and are changed to be relative to the page. `{{#corpus}}` becomes the tables of the hostile corpus. Then it
checks every link of every page. A link to a file that some page includes leads to that page. A link to a
file outside the book becomes its text with the file's path, because readers of the built book may have no
repository.
"""

import json
import os
import posixpath
import re
import sys
import tomllib

# Folder of the pages. All paths below begin at the repository's root.
PAGES = "judge/docs"
CORPUS = "judge/hostile-corpus"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")

INCLUDE = re.compile(r"\{\{#include ([^}:\s]+\.md)(?::(\d+):)?\}\}")
PICTURE = re.compile(r'(<img src=")([^"]+)"')
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
CODE = re.compile(r"(^```.*?^```[^\n]*$)", re.M | re.S)

# Subjects of the hostile cases, by the letter before the number in their names.
SUBJECTS = {
    "a": "Intake",
    "b": "Compiling",
    "c": "Time",
    "d": "Memory",
    "e": "Lines, log, and system calls",
    "f": "Fairness",
    "g": "Building",
    "": "Further cases",
}


def path_from(folder, target):
    """The path of a file that something in a folder names."""
    return posixpath.normpath(posixpath.join(folder, target))


def with_links(text, change):
    """`text` with `change` made to the target of each link into the repository, but in code.

    It gets a link's words and target, and gives both back; without a target the words are left."""

    def link(match):
        mark, words, target = match.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return match.group(0)
        words, target = change(words, target)
        return f"{mark}[{words}]({target})" if target else words

    parts = CODE.split(text)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def with_includes(text, folder, found):
    """A page with its Markdown included; `found` collects what was."""

    def include(match):
        file = path_from(folder, match.group(1))
        found.append(file)
        with open(os.path.join(ROOT, file), encoding="utf-8") as lines:
            kept = "".join(lines.readlines()[int(match.group(2) or 1) - 1 :])
        there = posixpath.dirname(file)

        def moved(target):
            return posixpath.relpath(path_from(there, target), folder)

        kept = PICTURE.sub(lambda picture: f'{picture[1]}{moved(picture[2])}"', kept)
        return with_links(kept, lambda words, target: (words, moved(target)))

    return INCLUDE.sub(include, text)


def within_book(text, folder, pages, homes):
    """A page whose links stay in the book."""

    def link(words, target):
        path, mark, place = target.partition("#")
        file = path_from(folder, path)
        file = homes.get(file, file)
        is_picture = not file.endswith(".md") and file.startswith(PAGES + "/")
        if file in pages or (is_picture and os.path.isfile(os.path.join(ROOT, file))):
            return words, posixpath.relpath(file, folder) + mark + place
        return (words if file in words else f"{words} (`{file}`)"), None

    return with_links(text, link)


def corpus_row(name):
    """A hostile case as a row: its name, what it tries, the verdict, and who is to blame."""
    with open(os.path.join(ROOT, CORPUS, name, "case.toml"), "rb") as file:
        case = tomllib.load(file)
    verdict = f"`{case['verdict']}`" if "verdict" in case else "any"
    return f"| {name} | {case['about']} | {verdict} | {case.get('blame', '–')} |\n"


def corpus_tables():
    """A table for each subject of the hostile corpus."""
    rows = {letter: "" for letter in SUBJECTS}
    for name in sorted(os.listdir(os.path.join(ROOT, CORPUS))):
        numbered = re.match(r"([a-z])\d\d", name)
        rows[numbered[1] if numbered else ""] += corpus_row(name)
    head = "| case | what it tries | verdict | blame |\n|---|---|---|---|\n"
    return "\n".join(f"### {title}\n\n{head}{rows[key]}" for key, title in SUBJECTS.items())


def chapters(items):
    """Every chapter with a page, at any depth."""
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            if chapter["path"]:
                yield chapter
            yield from chapters(chapter["sub_items"])


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    _, book = json.load(sys.stdin)
    every = [(path_from(PAGES, chapter["path"]), chapter) for chapter in chapters(book["items"])]
    pages = {path for path, _ in every}
    homes = {}
    for path, chapter in every:
        found = []
        chapter["content"] = with_includes(chapter["content"], posixpath.dirname(path), found)
        if "{{#corpus}}" in chapter["content"]:
            chapter["content"] = chapter["content"].replace("{{#corpus}}", corpus_tables())
        homes.update((file, path) for file in found if file not in pages)
    for path, chapter in every:
        folder = posixpath.dirname(path)
        chapter["content"] = within_book(chapter["content"], folder, pages, homes)
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
