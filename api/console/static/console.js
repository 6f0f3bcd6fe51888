// What the pages do besides htmx: count down, listen, keys. No page needs it to be answered.
"use strict";
(() => {
  const body = document.body;
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

  // ── deadlines ──
  const left = (until) => {
    const seconds = Math.round((new Date(until) - Date.now()) / 1000);
    if (seconds <= 0) return "time is over";
    const minutes = Math.floor(seconds / 60);
    if (minutes >= 120) return `${Math.floor(minutes / 60)} h left`;
    const tail = String(seconds % 60).padStart(2, "0");
    return `${minutes}:${tail} left`;
  };
  const tick = () => {
    for (const time of $$("time[data-until]")) {
      const said = left(time.dataset.until);
      if (time.textContent !== said) time.textContent = said;
      const seconds = (new Date(time.dataset.until) - Date.now()) / 1000;
      time.classList.toggle("soon", seconds < 120);
      if (seconds <= 0 && "ends" in time.dataset) {
        delete time.dataset.ends;  // asked about once; the poll does the rest
        htmx.trigger(body, "ended");
      }
    }
  };

  // ── the stream ──
  const list = $("[data-live]");
  let source = null;
  let after = list ? list.dataset.after : "";
  let paused = false;
  let kept = [];
  const say = (words) => $$("[data-live-state]").forEach((one) => { one.textContent = words; });
  const address = () => {
    if (!list) return body.dataset.stream;
    return `${body.dataset.stream}?${list.dataset.query}&after=${encodeURIComponent(after)}`;
  };
  const put = (html) => {
    const held = document.createElement("template");
    held.innerHTML = html;  // drawn by our own templates, every value escaped
    const row = held.content.querySelector("li");
    document.getElementById(row.id)?.remove();
    row.classList.add("fresh");
    list.prepend(row);
    while (list.children.length > 200) list.lastElementChild.remove();
    $("[data-until-said]")?.remove();
  };
  const listen = () => {
    if (!body.dataset.stream || source || document.hidden) return;
    source = new EventSource(address());
    source.addEventListener("open", () => say("live"));
    source.addEventListener("approvals", () => htmx.trigger(body, "approvals"));
    source.addEventListener("decision", (event) => {
      after = event.lastEventId || after;
      if (!paused) { put(event.data); return; }
      kept.push(event.data);
      $("[data-kept]").textContent = `${kept.length} new`;
    });
    source.addEventListener("error", () => {
      say("connection lost, trying again");
      if (source && source.readyState === EventSource.CLOSED) { source = null; setTimeout(listen, 5000); }
    });
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && source) { source.close(); source = null; say("paused: this page is not seen"); }
    else if (!document.hidden) { listen(); htmx.trigger(body, "approvals"); }
  });
  const pause = () => {
    const button = $("[data-pause]");
    if (!button) return;
    paused = !paused;
    button.setAttribute("aria-pressed", String(paused));
    button.textContent = paused ? "Go on" : "Pause";
    if (!paused) { kept.forEach(put); kept = []; }
    $("[data-kept]").textContent = paused ? "0 new" : "";
  };
  $("[data-pause]")?.addEventListener("click", pause);
  $("[data-filters] select")?.addEventListener("change", (event) => event.target.form.submit());

  // ── talk ──
  document.addEventListener("click", (event) => {
    const tried = event.target.closest("[data-try]");
    if (!tried) return;
    $("#say").value = tried.dataset.try;
    $("#say").focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.target.matches("[data-enter-sends]")) {
      event.preventDefault();
      event.target.form.requestSubmit();
    }
  });
  // What was said goes at once: what is typed while the answer comes stays.
  document.addEventListener("htmx:beforeSend", (event) => {
    if (!event.target.matches("[data-says]")) return;
    event.target.dataset.said = $("#say").value;
    event.target.reset();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.target.matches("[data-says]")) {
      if (event.detail.successful) $("[data-until-said]")?.remove();
      else if (!$("#say").value) $("#say").value = event.target.dataset.said;
      $("#say").focus();
    }
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target.id === "turns") scrollTo(0, body.scrollHeight);
  });
  if ($("#turns")) scrollTo(0, body.scrollHeight);

  // ── keys ──
  const rows = () => $$("[data-rows] a.row");
  const step = (by) => {
    const all = rows();
    if (!all.length) return;
    const focused = all.indexOf(document.activeElement);
    const at = focused >= 0 ? focused : all.findIndex((row) => row.classList.contains("current"));
    all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))].focus();
  };
  const unfold = (key) => {
    const details = $(`details[data-key="${key}"]`);
    if (!details) return;
    details.open = true;
    ($("textarea, select, input:not([type=hidden])", details) || details).focus();
  };
  const typing = (element) => element.closest("input, textarea, select, [contenteditable]");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      document.activeElement.blur();
      ($("a.row.current") || rows()[0])?.focus();
      return;
    }
    if (typing(event.target)) return;
    const does = {
      j: () => step(1), k: () => step(-1),
      r: () => unfold("r"), w: () => unfold("w"), e: () => unfold("e"),
      a: () => $("[data-approve]")?.focus(), p: pause,
    }[event.key];
    if (does) { event.preventDefault(); does(); }
  });

  // ── after a part of a page has come ──
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id === "panel") {
      $(".split")?.classList.add("opened");
      const open = location.pathname.split("/").pop();
      for (const row of rows()) {
        const current = row.id === `row-${open}`;
        row.classList.toggle("current", current);
        current ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current");
      }
      $("#told")?.replaceChildren();
      $("[data-title]", event.detail.target)?.focus({ preventScroll: innerWidth > 800 });
    }
    tick();
  });
  // A list that is drawn anew keeps the focus where it was.
  let focused = null;
  document.addEventListener("htmx:beforeSwap", () => { focused = document.activeElement?.id; });
  document.addEventListener("htmx:afterSettle", () => {
    if (focused && document.activeElement === body) document.getElementById(focused)?.focus();
  });

  tick();
  setInterval(tick, 1000);
  listen();
})();
