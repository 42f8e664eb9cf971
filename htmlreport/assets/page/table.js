// Tables: sort, filter, choose columns, copy.

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((th, column) => {
    if (th.classList.contains("plain")) return;
    const button = el("button", { type: "button" }, ...th.childNodes);
    th.append(button);
    button.addEventListener("click", () => sortTable(table, heads, column));
  });
}

const byName = new Intl.Collator("en", { numeric: true });

function sortTable(table, heads, column) {
  const th = heads[column];
  const isText = th.classList.contains("text");
  const before = th.getAttribute("aria-sort");
  const up = before ? before === "descending" : isText; // numbers: the largest first
  for (const h of heads) h.removeAttribute("aria-sort");
  th.setAttribute("aria-sort", up ? "ascending" : "descending");
  const key = (row) => {
    const cell = row.cells[column];
    if (isText) return cell.textContent.trim();
    return cell.dataset.v === "" || cell.dataset.v === undefined ? NaN : Number(cell.dataset.v);
  };
  const body = table.tBodies[table.tBodies.length - 1];
  const rows = [...body.rows].map((row) => ({ row, k: key(row) }));
  const compare = isText ? (a, b) => byName.compare(a.k, b.k) : (a, b) => a.k - b.k;
  rows.sort((a, b) => {
    if (Number.isNaN(a.k) || Number.isNaN(b.k)) return Number.isNaN(a.k) - Number.isNaN(b.k);
    return up ? compare(a, b) : compare(b, a);
  });
  body.append(...rows.map((r) => r.row));
}

// Every other table gets a bar, too: a search where it is long, and a copy.

const longTable = 10; // rows

for (const table of document.querySelectorAll("table.sortable:not(#statistics-table)")) {
  const scroll = table.closest(".scroll");
  const body = table.tBodies[table.tBodies.length - 1];
  const bar = el("div", { class: "bar small" });
  if (body.rows.length > longTable) {
    const input = el("input", { type: "search", placeholder: "Filter", autocomplete: "off", spellcheck: "false", "aria-label": `Filter: ${scroll.getAttribute("aria-label")}` });
    const count = el("output", { class: "count" });
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of body.rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((w) => text.includes(w));
        if (!row.hidden) shown++;
      }
      count.textContent = shown === body.rows.length ? "" : `${shown} of ${body.rows.length}`;
    });
    bar.append(el("label", { class: "search" }, input), count);
  }
  bar.append(el("button", { type: "button", "data-copy": "csv", onclick: (e) => copy(e.currentTarget, tableCSV(table)) }, "Copy as CSV"));
  scroll.before(bar);
}

// tableCSV are the rows of a table that are shown, with exact values.
function tableCSV(table) {
  const rows = [...table.rows].filter((row) => !row.hidden);
  return rows.map((row) => csvLine([...row.cells].map((cell) => {
    if (cell.dataset.v === undefined || cell.querySelector("time")) return cellText(cell);
    return cell.dataset.v;
  }))).join("\n") + "\n";
}

// cellText is what a cell says, with its lines.
function cellText(cell) {
  const copied = cell.cloneNode(true);
  for (const br of copied.querySelectorAll("br")) br.replaceWith("\n");
  return copied.textContent.trim();
}

(function statistics() {
  const table = document.getElementById("statistics-table");
  const bar = document.querySelector('.bar[data-for="statistics-table"]');
  const body = table.tBodies[1];
  const search = bar.querySelector("input[type=search]");
  const count = bar.querySelector(".count");

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kind = bar.querySelector("input[name=kind]:checked")?.value ?? "all";
    let shown = 0;
    for (const row of body.rows) {
      const label = row.dataset.label.toLowerCase();
      row.hidden = !(words.every((w) => label.includes(w)) && (kind === "all" || row.dataset.kind === kind));
      if (!row.hidden) shown++;
    }
    count.textContent = shown === body.rows.length ? "" : `${shown} of ${body.rows.length} labels`;
  }
  search.addEventListener("input", filter);
  for (const radio of bar.querySelectorAll("input[name=kind]")) radio.addEventListener("change", filter);

  // Columns

  const heads = [...table.tHead.rows[1].cells];
  const groups = [...table.tHead.rows[0].cells].map((th) => ({ th, size: th.colSpan }));
  const off = new Set();
  function columns() {
    for (const row of [table.tHead.rows[1], ...table.tBodies[0].rows, ...body.rows]) {
      [...row.cells].forEach((cell, i) => { cell.hidden = off.has(i); });
    }
    let i = 0;
    for (const g of groups) {
      let left = 0;
      for (let j = 0; j < g.size; j++, i++) if (!off.has(i)) left++;
      g.th.hidden = left === 0;
      if (left) g.th.colSpan = left;
    }
  }
  const choices = bar.querySelector(".choices");
  heads.forEach((th, i) => {
    if (i === 0) return;
    const box = el("input", { type: "checkbox", checked: true, onchange: () => { if (box.checked) off.delete(i); else off.add(i); columns(); } });
    choices.append(el("label", {}, box, th.classList.contains("plain") ? "Trend" : th.textContent));
  });

  // Copies have the exact values of what is shown.

  function shownCells() {
    const rows = [heads, ...[...table.tBodies[0].rows, ...body.rows].filter((r) => !r.hidden).map((r) => [...r.cells])];
    return rows.map((cells, line) => cells.filter((c, i) => !c.hidden && i < 14).map((c, i) => {
      if (i === 0) return line === 0 ? c.textContent : c.parentElement.dataset.name ?? "Total";
      return c.dataset.v ?? c.textContent;
    }));
  }
  bar.querySelector("[data-copy=csv]").addEventListener("click", (e) => {
    copy(e.currentTarget, shownCells().map(csvLine).join("\n") + "\n");
  });
  bar.querySelector("[data-copy=markdown]").addEventListener("click", (e) => {
    const lines = shownCells().map((cells, line) => cells.map((c, i) => {
      const n = Number(c);
      const text = line > 0 && i > 0 && c !== "" && Number.isFinite(n) ? String(Math.round(n * 100) / 100) : c;
      return text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
    }));
    const rule = lines[0].map((_, i) => (i === 0 ? "---" : "---:"));
    copy(e.currentTarget, [lines[0], rule, ...lines.slice(1)].map((l) => `| ${l.join(" | ")} |`).join("\n") + "\n");
  });

  // A click on a label shows it alone in all charts.

  body.addEventListener("click", (e) => {
    if (String(getSelection())) return; // somebody copies text
    const row = e.target.closest("tr");
    const index = report.labels.indexOf(row?.dataset.label);
    if (index >= 0) showLabel(index);
  });
  followers.label.push(() => {
    for (const row of body.rows) {
      row.classList.toggle("chosen", chosen.label !== null && row.dataset.label === report.labels[chosen.label]);
    }
  });
})();
