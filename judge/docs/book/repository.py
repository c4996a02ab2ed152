#!/usr/bin/env python3
"""A preprocessor for mdBook that knows where pages come from.

It takes the place of `{{#include FILE.md:LINE:}}` for Markdown: links in that file start from its own
folder, and are changed to start from the page. Then it looks at every link of every page. One to a file
that some page includes leads to that page. One to a file that is not in the book becomes its text with
the file's path, as the built book can stand where there is no repository.
"""

import json
import os
import posixpath
import re
import sys

# Where the pages lie. All paths below begin at the repository's root.
PAGES = "judge/docs"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")

INCLUDE = re.compile(r"\{\{#include ([^}:\s]+\.md)(?::(\d+):)?\}\}")
PICTURE = re.compile(r'(<img src=")([^"]+)"')
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
CODE = re.compile(r"(^```.*?^```[^\n]*$)", re.M | re.S)


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
        homes.update((file, path) for file in found if file not in pages)
    for path, chapter in every:
        folder = posixpath.dirname(path)
        chapter["content"] = within_book(chapter["content"], folder, pages, homes)
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
