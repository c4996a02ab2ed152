"use strict";
// Follows a grading and loads the page again once there is a result.
(() => {
  const live = document.getElementById("live");
  if (live === null) return;
  const [state, bar, cases] = ["state", "bar", "cases"].map((id) => document.getElementById(id));
  const source = new EventSource(live.dataset.events);
  source.addEventListener("message", (event) => {
    const progress = JSON.parse(event.data);
    if (progress.finished) {
      source.close();
      state.textContent = live.dataset.done;
      location.reload();
      return;
    }
    if (progress.total === 0) return;
    bar.max = progress.total;
    bar.value = progress.done;
    state.textContent = live.dataset.rounds
      .replace("{0}", progress.done).replace("{1}", progress.total);
    cases.replaceChildren(...progress.cases.map(({ name, verdict, passed }) => {
      const item = document.createElement("li");
      item.className = passed ? "a" : "b";
      item.textContent = `${name}: ${verdict}`;
      return item;
    }));
  });
})();
