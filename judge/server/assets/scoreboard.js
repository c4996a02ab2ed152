"use strict";
// Fetches the rows of the scoreboard again two to four seconds after it moved, so that not all who have it
// open ask at once.
(() => {
  const board = document.getElementById("scoreboard");
  if (board === null) return;
  let timer = null;
  async function refresh() {
    timer = null;
    const answer = await fetch(board.dataset.self, { credentials: "same-origin" });
    if (!answer.ok) return;
    const read = new DOMParser().parseFromString(await answer.text(), "text/html");
    const active = board.contains(document.activeElement);
    board.replaceChildren(...[...read.body.childNodes].map((node) => document.importNode(node, true)));
    if (active) board.querySelector("[tabindex]")?.focus({ preventScroll: true });
  }
  new EventSource(board.dataset.events).addEventListener("message", () => {
    timer ??= setTimeout(refresh, 2000 + 2000 * Math.random());
  });
})();
