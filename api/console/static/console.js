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
    if (minutes >= 48 * 60) return `${Math.floor(minutes / 1440)} days left`;
    if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
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

  // ── long parts: opened before a yes ──
  const readable = (question) => {
    for (const seen of $$("[data-seen]", question)) $("button", seen.form).disabled = !seen.checked;
  };
  document.addEventListener("toggle", ({ target }) => {
    const question = target.matches("[data-long][open]") && target.closest("[data-question]");
    if (!question) return;
    target.dataset.opened = "";
    if ($("[data-long]:not([data-opened])", question)) return;
    for (const seen of $$("[data-seen]", question)) seen.checked = true;
    readable(question);
  }, true);  // it does not bubble
  document.addEventListener("change", ({ target }) => { if (target.matches("[data-seen]")) readable(target.form); });
  document.addEventListener("htmx:afterSettle", () => readable(document));
  readable(document);

  // ── the stream ──
  const MOST_ROWS = 200;
  const list = $("[data-live]");
  const talk = $("[data-turns]");
  let source = null;
  let after = (list || talk)?.dataset.after || "";
  let paused = false;
  let kept = [];
  let since = 0;
  let wait = 5_000;
  const say = (words) => $$("[data-live-state]").forEach((one) => { one.textContent = words; });
  const address = () => {
    if (talk) return `${body.dataset.stream}&rows=1&session=${encodeURIComponent(talk.dataset.session)}&after=${encodeURIComponent(after)}`;
    if (!list) return body.dataset.stream;
    return `${body.dataset.stream}&${list.dataset.query}&after=${encodeURIComponent(after)}`;
  };
  const put = (html) => {
    const held = document.createElement("template");
    held.innerHTML = html;  // drawn by our own templates, every value escaped
    const row = held.content.querySelector("li");
    document.getElementById(row.id)?.remove();
    row.classList.add("fresh");
    list.prepend(row);
    while (list.children.length > MOST_ROWS) list.lastElementChild.remove();
    $("[data-until-said]")?.remove();
  };
  const said = (html) => {  // what is said here by itself, or by somebody else
    const id = html.match(/id="d-([^"]+)"/)?.[1];
    if (!id || document.getElementById(`turn-${id}`)) return;
    htmx.ajax("GET", talk.dataset.turns + encodeURIComponent(id), { target: "#turns", swap: "beforeend" })
      .then(() => { if ($(".turn")) $("[data-until-said]")?.remove(); });
  };
  // ── the connection ──
  const alarm = $("[data-lost]");
  let failed = 0;
  let before = null;  // where somebody was before they went into the alarm
  const found = () => {
    const within = alarm?.contains(document.activeElement);
    alarm?.replaceChildren();
    if (within) (before?.isConnected ? before : $("#main")).focus();
  };
  const lose = (unsent) => {
    if (!alarm) return;
    if (!alarm.hasChildNodes()) alarm.append($("[data-lost-words]").content.cloneNode(true));
    if (unsent) $("[data-unsent]", alarm).hidden = false;
  };
  alarm?.addEventListener("focusin", (event) => { before = event.relatedTarget || before; });
  alarm?.addEventListener("click", (event) => {
    if (!event.target.closest("button")) return;
    source?.close();
    source = null;
    listen();
    htmx.trigger(body, "approvals");
  });
  document.addEventListener("htmx:sendError", (event) => lose(event.detail.requestConfig.verb !== "get"));
  document.addEventListener("htmx:beforeOnLoad", found);  // whatever it says: somebody answers
  const listen = () => {
    if (!body.dataset.stream || source || document.hidden) return;
    source = new EventSource(address());
    source.addEventListener("open", () => {
      if (failed) htmx.trigger(body, "approvals");  // what was asked meanwhile was told to nobody
      failed = 0;
      wait = 5_000;
      say("live");
      found();
    });
    source.addEventListener("approvals", () => htmx.trigger(body, "approvals"));
    source.addEventListener("decision", (event) => {
      after = event.lastEventId || after;
      if (talk) { said(event.data); return; }
      if (!paused) { put(event.data); return; }
      kept = [...kept.slice(1 - MOST_ROWS), event.data];
      since += 1;
      $("[data-kept]").textContent = `${since} new`;
    });
    source.addEventListener("error", () => {
      failed += 1;
      const isRefused = source?.readyState === EventSource.CLOSED;  // signed out, of another's session, too many
      say(isRefused ? "not live, trying again" : "connection lost, trying again");
      if (failed > 1 && !isRefused) lose(false);  // once may be a restart that nobody has to know of
      if (isRefused) {
        source = null;
        htmx.trigger(body, "approvals");
        setTimeout(listen, wait);
        wait = Math.min(2 * wait, 60_000);
      }
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
    if (!paused) { kept.forEach(put); kept = []; since = 0; }
    $("[data-kept]").textContent = paused ? "0 new" : "";
  };
  $("[data-pause]")?.addEventListener("click", pause);

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
  const typing = (element) => element.closest("input, textarea, select, [contenteditable]");
  const heard = () => {  // what is typed next is said, wherever the last press was
    if (!typing(document.activeElement)) $("#say")?.focus({ preventScroll: true });
    // To the end, but not past the beginning of what was answered last.
    const last = $("#turns > li:last-child");
    const top = last ? last.getBoundingClientRect().top + scrollY - 12 : Infinity;
    scrollTo(0, Math.min(body.scrollHeight, top));
  };
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target.id !== "turns") return;
    // What comes by itself moves nobody who reads something further up.
    const isAtEnd = innerHeight + scrollY > body.scrollHeight - 400;
    if (event.detail.requestConfig?.verb !== "get" || isAtEnd) heard();
  });
  if (talk) heard();

  // ── several together ──
  const count = () => {
    const form = $("[data-together]");
    if (!form) return;
    const chosen = $$("input[type=checkbox]:checked", form).length;
    $("[data-phrase-now]", form).textContent = `approve ${chosen}`;
    $("[data-phrase-hint]", form).textContent = chosen ? "" : "(choose first)";
  };
  document.addEventListener("change", (event) => { if (event.target.closest("[data-together]")) count(); });
  document.addEventListener("htmx:afterSettle", count);
  count();

  // ── keys ──
  // A letter is a key only where somebody has gone to use it: in a list, in a question, on Live.
  const KEYED = "[data-rows], [data-question], #panel, .live";
  const rows = () => $$("[data-rows] a.row");
  const step = (by) => {
    const all = rows();
    if (!all.length) return;
    const focused = all.indexOf(document.activeElement);
    const at = focused >= 0 ? focused : all.findIndex((row) => row.classList.contains("current"));
    all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))].focus();
  };
  const question = () => document.activeElement.closest("[data-question]") || $("#panel [data-question]");
  const unfold = (key) => {
    const details = question() && $(`details[data-key="${key}"]`, question());
    if (!details) return;
    details.open = true;
    // In a field of an edit Enter may say yes: nobody is put there by a letter.
    (key === "e" ? $("summary", details) : $("textarea", details)).focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      const back = document.activeElement.closest("#turns [data-question]");
      document.activeElement.blur();
      (back ? $("[data-title]", back) : $("a.row.current") || rows()[0])?.focus();
      return;
    }
    if (typing(event.target) || !event.target.closest(KEYED)) return;
    const does = {
      j: () => step(1), k: () => step(-1),
      r: () => unfold("r"), w: () => unfold("w"), e: () => unfold("e"),
      a: () => question() && $(".answers", question())?.focus(), p: pause,
    }[event.key];
    if (does) { event.preventDefault(); does(); }
  });

  // ── after a part of a page has come ──
  const mark = () => {
    const open = location.pathname.split("/").pop();
    for (const row of $$("#queue a.row")) {
      const current = row.id === `row-${open}`;
      row.classList.toggle("current", current);
      current ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current");
    }
  };
  // What somebody is writing is not drawn over: they are told, and the answer to it decides.
  const written = (part) => $$("textarea, input:not([type=hidden])", part).some((one) => one.value !== one.defaultValue);
  const KEPT = "The question stands otherwise meanwhile. What you are writing stays; open the question again to see it.";
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, requestConfig, xhr } = event.detail;
    if (xhr.status !== 200 || !$("[data-question]", target) || !requestConfig.path.includes("/standing?") || !written(target)) return;
    event.detail.shouldSwap = false;
    if ($("#told").textContent === KEPT) return;
    const told = document.createElement("p");
    told.className = "told";
    told.textContent = KEPT;
    $("#told").replaceChildren(told);
  });
  // Who does not see the number is told when something new waits.
  let waiting = null;
  document.addEventListener("htmx:afterSwap", (event) => {
    if (!event.detail.target.matches(".rail .count")) return;
    const now = parseInt($(".badge", event.detail.target)?.textContent || "0", 10);
    const words = now === 1 ? "A question waits for a yes" : `${now} questions wait for a yes`;
    if (waiting !== null && now !== waiting) $("[data-announced]").textContent = now > waiting ? words : "";
    waiting = now;
  });
  // A part that is drawn anew keeps the focus where it was, or as near as there is. What was pressed
  // may be gone, or was not to be pressed twice meanwhile: either takes the focus away.
  let focused = null;
  let within = false;
  let pressed = null;
  let hasLeft = false;  // by themselves, since it was pressed: nobody is put back then
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!event.detail.elt.contains(document.activeElement)) return;
    pressed = document.activeElement;
    hasLeft = false;
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (!relatedTarget && target.isConnected && !target.disabled && document.hasFocus()) hasLeft = true;
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    focused = document.activeElement?.id;
    within = event.detail.target.contains(document.activeElement);
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const part = event.detail.target;
    if (part.id === "panel") {
      $(".split")?.classList.add("opened");
      $("#told")?.replaceChildren();
      $("[data-title]", part)?.focus({ preventScroll: innerWidth > 800 });
    }
    tick();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const part = event.detail.target;
    // Not before: htmx gives what has an id its attributes as they were sent only now.
    if (part.id === "panel" || part.id === "queue") mark();
    if (document.activeElement === body && (within || (pressed && !hasLeft))) restore(part);
    pressed = null;
  });
  const restore = (part) => {
    const words = pressed?.textContent.trim();
    const near = () => words && $$("button, a", part).find((one) => one.textContent.trim() === words);
    const usable = (one) => one?.isConnected && !one.disabled && one;
    const back = usable(pressed) || usable(focused && document.getElementById(focused)) || near()
      || (part.id === "queue" && rows()[0]) || $("[data-title]", part);
    if (!back && part.isConnected) part.tabIndex = -1;
    (back || part).focus();
  };
  document.addEventListener("htmx:afterRequest", () => {  // where nothing is drawn anew
    if (document.activeElement === body && !hasLeft && pressed?.isConnected && !pressed.disabled) pressed.focus();
  });
  // A refusal is told until the next try.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.requestConfig.verb !== "get") $("#told")?.replaceChildren();
  });
  if ($("#queue") && innerWidth > 800) ($("a.row.current") || rows()[0])?.focus({ preventScroll: true });

  tick();
  setInterval(tick, 1000);
  listen();
})();
