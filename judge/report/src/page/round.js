"use strict";
// Shows a round step by step. Every text comes from the page's own data and is put in as text;
// only the pictures are markup, and those are read as SVG.
(() => {
  const round = JSON.parse(document.getElementById("round").textContent);
  const last = round.steps.length - 1;
  const [picture, slider, play, status, list, said, cursor, cost, here, note] = [
    "picture", "slider", "play", "status", "moves", "said", "cursor", "cost", "here",
    "note",
  ].map((id) => document.getElementById(id));
  const items = [...list.querySelectorAll("button")];
  const pictures = [];
  // Lines of the protocol before each step.
  const linesBefore = [0];
  for (const { calls } of round.steps) linesBefore.push(linesBefore.at(-1) + calls.length);
  let step = 0;
  let view = 0;
  let timer = null;

  // Each frame is a list of changes to the frame before: how many lines are kept, how many are
  // then left out, and the numbers of the lines that come in their place.
  function unpack(frames) {
    let shown = [];
    return frames.map((changes) => {
      let at = 0;
      const next = [];
      for (const [kept, skipped, ...put] of changes) {
        next.push(...shown.slice(at, at + kept), ...put);
        at += kept + skipped;
      }
      shown = next;
      return next;
    });
  }

  function drawPicture() {
    pictures[view] ??= unpack(round.pictures[view]);
    const markup = pictures[view][step].map((number) => round.lines[number]).join("\n");
    if (markup === "") return picture.replaceChildren();
    const parsed = new DOMParser().parseFromString(markup, "image/svg+xml");
    picture.replaceChildren(document.importNode(parsed.documentElement, true));
  }

  // The text of the bot that is asked next, unless another seat looks.
  function drawNote() {
    if (!note) return;
    const said = round.steps[step].note;
    const seat = round.seats[view];
    const shown = said && (seat === null || said.seat === seat);
    note.textContent = shown ? `${said.seat}: ${said.text}` : "";
  }

  function element(name, className, text) {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  // A seat's view has the lines of that seat only.
  function drawLines() {
    const seat = round.seats[view];
    const numbered = round.steps[step].calls.map((call, at) => [call, linesBefore[step] + at + 1]);
    const calls = numbered.filter(([call]) => seat === null || call.seat === seat);
    said.replaceChildren(...calls.map(([call, number]) => {
      const line = element("p", `seat-${call.seat}`, "");
      line.append(element("span", "", `${number}: judge → ${call.seat}`), element("bdi", "", call.line));
      if (call.answer !== undefined || call.failed) {
        const answer = element("bdi", call.failed ? "answer failed" : "answer", call.answer ?? "failed");
        line.append(element("span", "", `${call.seat} → judge`), answer);
      }
      if (call.log) line.append(element("span", "", `${call.seat} logged`), element("bdi", "log", call.log));
      if (call.cost) line.append(element("span", "note cost", call.cost));
      return line;
    }));
    if (calls.length === 0) said.replaceChildren(element("div", "note", "No lines were exchanged."));
    said.scrollTop = 0;
  }

  function markItem() {
    const had = list.contains(document.activeElement);
    for (const item of items) {
      const here = item === items[step];
      item.tabIndex = here ? 0 : -1;
      if (here) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    }
    const item = items[step];
    if (had) item.focus({ preventScroll: true });
    // Not scrollIntoView: that would move the page, too.
    const [top, bottom] = [item.offsetTop, item.offsetTop + item.offsetHeight];
    const outside = top < list.scrollTop || bottom > list.scrollTop + list.clientHeight;
    if (outside) list.scrollTop = top - list.clientHeight / 2;
  }

  function tellCost(of) {
    if (cost) cost.textContent = `${describe(of)}: ${round.steps[of].cost || "no cost"}`;
  }

  function describe(of) {
    return [...items[of].children]
      .filter((part) => !part.classList.contains("cost"))
      .map((part) => part.getAttribute("aria-label") ?? part.textContent)
      .join(", ");
  }

  function show(wanted) {
    step = Math.max(0, Math.min(last, wanted));
    drawPicture();
    drawNote();
    drawLines();
    markItem();
    slider.value = step;
    slider.setAttribute("aria-valuetext", describe(step));
    // A link that shows this move.
    here.textContent = `${step} / ${last}`;
    here.href = `#${step}`;
    status.textContent = describe(step);
    if (cursor) cursor.setAttribute("x", step * Number(cursor.getAttribute("width")));
    tellCost(step);
  }

  function pause() {
    clearTimeout(timer);
    timer = null;
    delete play.dataset.playing;
    play.setAttribute("aria-label", "Play");
    status.setAttribute("aria-live", "polite");
  }

  function tick() {
    show(step + 1);
    if (step === last) pause();
    else wait();
  }

  function wait() {
    timer = setTimeout(tick, 800 / Number(document.getElementById("speed").value));
  }

  function start() {
    if (step === last) show(0);
    play.dataset.playing = "";
    play.setAttribute("aria-label", "Pause");
    // A reader who hears the page would be flooded.
    status.setAttribute("aria-live", "off");
    wait();
  }

  function toggle() {
    if (timer === null) start();
    else pause();
  }

  function jump(wanted) {
    pause();
    show(wanted);
  }

  const ways = {
    first: () => jump(0),
    back: () => jump(step - 1),
    play: toggle,
    forward: () => jump(step + 1),
    last: () => jump(last),
  };
  for (const [id, go] of Object.entries(ways)) {
    document.getElementById(id).addEventListener("click", go);
  }
  slider.addEventListener("input", () => jump(Number(slider.value)));
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-step]");
    if (target) jump(Number(target.dataset.step));
  });
  for (const radio of document.querySelectorAll("[name=view]")) {
    // A browser may remember another choice than the page begins with.
    radio.checked = radio.value === "0";
    radio.addEventListener("change", () => {
      view = Number(radio.value);
      show(step);
    });
  }

  const chart = document.getElementById("fuel");
  function pointed(event) {
    const box = chart.getBoundingClientRect();
    const steps = chart.viewBox.baseVal.width / Number(cursor.getAttribute("width"));
    const at = Math.floor(((event.clientX - box.left) / box.width) * steps);
    return Math.max(0, Math.min(last, at));
  }
  if (chart) {
    chart.addEventListener("click", (event) => jump(pointed(event)));
    chart.addEventListener("pointermove", (event) => tellCost(pointed(event)));
    chart.addEventListener("pointerleave", () => tellCost(step));
  }

  // On a phone, where small letters of a wide picture cannot be read.
  const zoom = document.getElementById("zoom");
  zoom.addEventListener("click", () => {
    const large = picture.classList.toggle("large");
    zoom.setAttribute("aria-pressed", large);
  });

  const keys = {
    ArrowLeft: ways.back,
    ArrowRight: ways.forward,
    Home: ways.first,
    End: ways.last,
    " ": toggle,
  };
  const keysInList = { ...keys, ArrowUp: ways.back, ArrowDown: ways.forward };
  // What has the focus may have a use of its own for a key.
  function isTaken(key, target) {
    if (target.matches("select, [type=radio]")) return true;
    if (target === slider) return key !== " ";
    return key === " " && target.matches("button, summary");
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const go = (list.contains(event.target) ? keysInList : keys)[event.key];
    if (!go || isTaken(event.key, event.target)) return;
    event.preventDefault();
    go();
  });

  // `round.html#12` begins at that step, `round.html#line-9` at the step with that line of the
  // protocol, and a round that broke at its fault.
  function follow() {
    const wanted = /^#(line-)?(\d{1,6})$/.exec(location.hash);
    if (!wanted) return;
    const number = Number(wanted[2]);
    jump(wanted[1] ? linesBefore.findLastIndex((before) => before < number) : number);
  }
  addEventListener("hashchange", follow);
  show(round.fault ?? 0);
  follow();
})();
