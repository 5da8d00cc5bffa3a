// News of matches and runs: one stream of events for all pages of a browser, held by a visible one,
// because browsers allow only six connections to a site.
//
// events.listen(topic, changed) calls changed(version) when a topic has changed, and changed("")
// when the page is seen again and may have missed something.
"use strict";

const events = (() => {
  const LOCK = "quandary-events";
  const WAIT = 60; // milliseconds in which other pages name their topics
  const own = new Map(); // topic -> handlers
  const others = new Map(); // page -> its topics
  const page = Math.random().toString(36).slice(2);
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(LOCK) : null;
  let source = null;
  let open = ""; // the topics of the stream
  let isLeader = false;
  let giveUp = null;

  function listen(topic, changed) {
    if (!own.has(topic)) own.set(topic, []);
    own.get(topic).push(changed);
    if (document.visibilityState === "visible") {
      announce();
      enter();
    }
  }

  const announce = () => channel?.postMessage({ page, topics: document.visibilityState === "visible" ? [...own.keys()] : [] });

  function deliver({ topic, version }) {
    for (const changed of own.get(topic) || []) changed(version);
  }

  // The page that holds the lock holds the stream.
  function enter() {
    if (isLeader) return later();
    if (giveUp) return null;
    if (!navigator.locks) {
      isLeader = true; // without a secure address every visible page has its own
      return later();
    }
    const control = new AbortController();
    giveUp = () => control.abort();
    navigator.locks
      .request(LOCK, { signal: control.signal }, () =>
        new Promise((done) => {
          isLeader = true;
          giveUp = done;
          channel?.postMessage({ who: true });
          later();
        })
      )
      .catch(() => {});
    return null;
  }

  let timer = null;
  function later() {
    clearTimeout(timer);
    timer = setTimeout(stream, WAIT);
  }

  function stream() {
    if (!isLeader) return;
    const topics = [...new Set([...own.keys(), ...[...others.values()].flat()])].sort();
    const wanted = new URLSearchParams(topics.map((topic) => ["on", topic])).toString();
    if (source && wanted === open) return;
    source?.close();
    open = wanted;
    source = new EventSource(`/events?${wanted}`);
    source.onmessage = (event) => {
      const change = JSON.parse(event.data);
      deliver(change);
      channel?.postMessage({ change });
    };
  }

  function leave() {
    isLeader = false;
    clearTimeout(timer);
    source?.close();
    source = null;
    giveUp?.();
    giveUp = null;
  }

  channel?.addEventListener("message", ({ data }) => {
    if (data.change) deliver(data.change);
    if (data.who) announce();
    if (data.topics) {
      if (data.topics.length) others.set(data.page, data.topics);
      else others.delete(data.page);
      if (isLeader) later();
    }
  });

  document.addEventListener("visibilitychange", () => {
    announce();
    if (document.visibilityState !== "visible") return leave();
    for (const handlers of own.values()) for (const changed of handlers) changed("");
    return own.size ? enter() : null;
  });
  window.addEventListener("pagehide", leave);

  return { listen };
})();
