"use strict";
// Reloads the page again and again, so that it shows the last result. What is open stays open.
(() => {
  // A testcase with another verdict has another class, and is opened as on a new page.
  const parts = [...document.querySelectorAll("details")].map((part, at) => [`${at} ${part.id} ${part.className}`, part]);
  const opened = new Map(history.state?.opened);
  for (const [key, part] of parts) part.open = opened.get(key) ?? part.open;
  setInterval(() => {
    // A reload would end a selection and move the focus, and nobody sees a page in the background.
    const isUsed = String(getSelection()) || document.querySelector(":focus-visible");
    if (document.hidden || isUsed) return;
    history.replaceState({ opened: parts.map(([key, part]) => [key, part.open]) }, "");
    location.reload();
  }, 2000);
})();
