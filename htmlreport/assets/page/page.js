"use strict";
// What all of the page shares: its data, and what the reader has chosen.

// Long tables wait until the first charts are drawn: see the style sheet.
function layOutTables() {
  for (const table of document.querySelectorAll(".scroll table")) {
    if (table.rows.length > 60) table.parentElement.classList.add("long");
  }
  document.body.classList.remove("loading");
}
if (globalThis.requestIdleCallback) requestIdleCallback(layOutTables, { timeout: 2000 }); else setTimeout(layOutTables, 300);
addEventListener("beforeprint", layOutTables);

const report = JSON.parse(document.getElementById("report-data").textContent);

const chosen = {
  zone: "file", // file, utc or viewer
  zoom: null,   // [from, to] in epoch ms, of all charts over time
  label: null,  // index of the one label to show
};

// Parts of the page that follow a choice.
const followers = { theme: [], zone: [], zoom: [], label: [] };
function changed(what) { for (const f of followers[what]) f(); }

// el makes an element; text is always text.
function el(name, attributes = {}, ...children) {
  const svg = name === "svg" || name === "rect";
  const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children);
  return e;
}

const exactNumber = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });
const shortNumber = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

// zoneShift is what to add to a moment so that UTC functions show the chosen zone.
function zoneShift() {
  if (chosen.zone === "file") return report.offset * 60e3;
  if (chosen.zone === "viewer") return -new Date(report.begin).getTimezoneOffset() * 60e3;
  return 0;
}

function clock(ms) {
  return new Date(ms + zoneShift()).toISOString().replace("T", " ").replace(/(\.000)?Z$/, "");
}

// Zones

const zone = document.getElementById("zone");
zone.addEventListener("change", () => { chosen.zone = zone.value; changed("zone"); });
followers.zone.push(() => {
  for (const t of document.querySelectorAll("time[data-ms]")) {
    t.textContent = clock(Number(t.dataset.ms)).slice(0, 19);
  }
});

// Light and dark

const dark = matchMedia("(prefers-color-scheme: dark)");
function remember(key, value) {
  try { if (value === undefined) return localStorage.getItem(key); localStorage.setItem(key, value); } catch { /* not for files */ }
  return null;
}
if (["light", "dark"].includes(remember("gojm-theme"))) document.documentElement.dataset.theme = remember("gojm-theme");
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  root.dataset.theme = (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark";
  remember("gojm-theme", root.dataset.theme);
  changed("theme");
});
dark.addEventListener("change", () => changed("theme"));

// One label in all charts

const focusOff = document.getElementById("focus-off");
focusOff.addEventListener("click", () => showLabel(null));
function showLabel(index) {
  chosen.label = index === chosen.label ? null : index;
  focusOff.hidden = chosen.label === null;
  focusOff.querySelector("b").textContent = chosen.label === null ? "" : report.labels[chosen.label];
  changed("label");
}

// A part of the run

const zoomOff = document.getElementById("zoom-off");
zoomOff.addEventListener("click", () => zoom(null));
function zoom(range) {
  chosen.zoom = range;
  zoomOff.hidden = range === null;
  changed("zoom");
}

document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape") return;
  for (const d of document.querySelectorAll("details.menu[open]")) d.open = false;
  if (chosen.label !== null) showLabel(null);
  if (chosen.zoom !== null) zoom(null);
  document.dispatchEvent(new Event("gojm-reset"));
});
document.addEventListener("click", (e) => {
  for (const d of document.querySelectorAll("details.menu[open]")) if (!d.contains(e.target)) d.open = false;
});

// Contents: where the reader is

const links = new Map();
for (const a of document.querySelectorAll("nav ul ul a")) links.set(a.hash.slice(1), a);
const inView = new Set();
const seen = new IntersectionObserver((entries) => {
  for (const e of entries) if (e.isIntersecting) inView.add(e.target.id); else inView.delete(e.target.id);
  let first = true;
  for (const [id, a] of links) {
    if (first && inView.has(id)) { a.setAttribute("aria-current", "true"); first = false; } else a.removeAttribute("aria-current");
  }
}, { rootMargin: "-70px 0px -40% 0px" });
for (const id of links.keys()) {
  const target = document.getElementById(id);
  if (target) seen.observe(target);
}
const contents = document.querySelector("nav details");
if (matchMedia("(max-width: 62rem)").matches) contents.open = false;

async function copy(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch { // no clipboard for this page
    const area = el("textarea", {});
    area.value = text;
    document.body.append(area);
    area.select();
    button.textContent = document.execCommand("copy") ? "Copied" : "Could not copy";
    area.remove();
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}

function csvLine(fields) {
  return fields.map((f) => (/[",\n\r]/.test(f) ? `"${String(f).replaceAll('"', '""')}"` : f)).join(",");
}
