"use strict";
// Shows one tab at a time, and finds names. Without it all tabs stand below each other.
(() => {
  const links = [...document.querySelectorAll("#tabs a")];
  const tabs = links.map((link) => document.getElementById(link.hash.slice(1)));
  const filter = document.getElementById("filter");
  const rows = [...document.querySelectorAll("tbody tr")];

  function show() {
    const wanted = Math.max(0, tabs.findIndex((tab) => `#${tab.id}` === location.hash));
    tabs.forEach((tab, at) => { tab.hidden = at !== wanted; });
    links.forEach((link, at) => {
      if (at === wanted) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
    scrollTo(0, 0);
  }

  // Spellings of one name are one text.
  const folded = (text) => text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");

  filter.addEventListener("input", () => {
    const wanted = folded(filter.value.trim());
    for (const row of rows) {
      row.hidden = !folded(row.cells[1].textContent).includes(wanted);
    }
  });
  addEventListener("hashchange", show);
  document.getElementById("filter-label").hidden = false;
  show();
})();
