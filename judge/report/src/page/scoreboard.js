"use strict";
// Sorts, finds and explains. The table is complete without it; every text comes from the table
// and is put in as text.
(() => {
  const table = document.getElementById("board");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows];
  const [filter, count, told] = ["filter", "count", "told"].map((id) => document.getElementById(id));
  const labels = new Map([...document.querySelectorAll("#legend .key")].map((key) =>
    [key.textContent, key.nextSibling.textContent.trim()]));
  const inOrder = new Intl.Collator(undefined, { numeric: true });

  // The number that a cell begins with, after its sign; none where nothing was played.
  function figure(cell) {
    const found = /-?\d+(\.\d+)?/.exec(cell.textContent);
    return found && Number(found[0]);
  }

  function sort(column) {
    const head = heads[column];
    const text = "text" in head.dataset;
    const first = text || "up" in head.dataset ? "ascending" : "descending";
    const other = first === "ascending" ? "descending" : "ascending";
    const order = head.getAttribute("aria-sort") === first ? other : first;
    const sign = order === "ascending" ? 1 : -1;
    const keys = new Map(rows.map((row) => {
      const cell = row.cells[column];
      return [row, text ? cell.textContent.trim() : figure(cell)];
    }));
    const compare = (a, b) => {
      const [one, two] = [keys.get(a), keys.get(b)];
      if (one === null || two === null) return (one === null) - (two === null);
      return sign * (text ? inOrder.compare(one, two) : one - two);
    };
    body.append(...[...rows].sort(compare));
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
  }

  // Spellings of one name are one text.
  const folded = (text) => text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");

  function find() {
    const wanted = folded(filter.value.trim());
    let shown = 0;
    for (const row of rows) {
      row.hidden = !folded(row.cells[1].textContent).includes(wanted);
      shown += !row.hidden;
    }
    count.textContent = wanted ? `${shown} of ${rows.length}` : "";
  }

  function explain(cell) {
    const head = heads[cell?.cellIndex];
    if (!head?.classList.contains("c") || cell.closest("thead")) return;
    const sign = cell.querySelector("b")?.textContent ?? "–";
    const margin = /[+-]\d+$/.exec(cell.textContent);
    const name = cell.parentElement.cells[1].textContent.trim();
    const testcase = head.querySelector("bdi").textContent;
    const { needed, points } = head.dataset;
    const earned = cell.dataset.earned ?? (sign === "✓" ? points : 0);
    told.textContent = `${name}, ${testcase}: ${labels.get(sign)}` + (margin
      ? `, ${figure(cell)} of ${needed} needed (${margin[0]}), ${earned} of ${points} points`
      : "");
  }

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(column));
  });
  filter.addEventListener("input", find);
  body.addEventListener("pointerover", (event) => explain(event.target.closest("td")));
  const signs = document.getElementById("signs");
  document.getElementById("shape").addEventListener("change", () =>
    table.classList.toggle("signs", signs.checked));
  // On a phone the signs of all testcases fit beside the names.
  if (matchMedia("(max-width: 30rem)").matches) signs.click();
  for (const id of ["filter-label", "shape"]) document.getElementById(id).hidden = false;
})();
