// Charts: drawn when they come into view, by echarts from the options and series
// that the report holds.

const palette = 10;
const firstDrawn = 10; // labels drawn before the reader asks for more
const maxTip = 18;     // lines of a tooltip

// color resolves a colour of the style sheet in the theme in force.
const probe = el("span", { hidden: true });
document.body.append(probe);
function color(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}
function faded(c, alpha) {
  const m = c.match(/[\d.]+/g);
  return m ? `rgba(${m[0]},${m[1]},${m[2]},${alpha})` : c;
}

// mixer makes colours between two.
function mixer(a, b) {
  const [from, to] = [a, b].map((c) => c.match(/[\d.]+/g).slice(0, 3).map(Number));
  return (part) => `rgb(${from.map((v, i) => Math.round(v + (to[i] - v) * part)).join()})`;
}

function codeColor(code, i) {
  if (/^2\d\d$/.test(code)) return ["s2", "s0", "s6", "s8"][i % 4];
  if (/^3\d\d$/.test(code)) return "s3";
  if (/^4\d\d$/.test(code)) return ["s1", "s9", "s7"][i % 3];
  return ["fail", "fail2", "fail3"][i % 3];
}

class Chart {
  constructor(figure, data) {
    Object.assign(this, { figure, data, box: figure.querySelector(".canvas"), range: null });
    this.title = figure.querySelector("h3")?.textContent ?? "The run at a glance";
    this.series = data.series.map((s, i) => ({ ...s, i, x: s.x ?? data.x, color: this.seriesColor(s, i) }));
    this.listed = new Set();
    const labels = new Set();
    for (const s of this.series) {
      if (s.l === undefined) { if (this.listed.size < 40) this.listed.add(s.i); } else {
        if (labels.size < firstDrawn) labels.add(s.l);
        if (labels.has(s.l)) this.listed.add(s.i);
      }
    }
    this.on = new Set(this.listed);
    this.labelled = this.series.some((s) => s.l !== undefined);
  }

  seriesColor(s, i) {
    if (s.f && this.data.kind !== "bars") return "fail";
    if (this.data.id === "glance") return ["s0", "fail", "s6", "s2", "s1", "s3", "s8"][i];
    if (this.data.id === "codesPerSecond") return codeColor(s.n, i);
    if (this.data.id === "generatorLag") return ["s3", "s8"][i];
    if (this.data.id.startsWith("generator")) return ["s0", "s8"][i];
    if (this.data.id === "responseTimePercentilesOverTime") return ["s8", "s7", "s0", "s2", "s1", "s3"][i] ?? "s5";
    if (this.data.id === "syntheticResponseTimeDistribution") return ["pass", "s9", "s1", "fail"][i];
    return `s${(s.l ?? i) % palette}`;
  }

  // shown are the series to draw now.
  shown() {
    if (chosen.label !== null && this.labelled) return this.series.filter((s) => s.l === chosen.label);
    return this.series.filter((s) => this.on.has(s.i));
  }

  start() {
    this.chart = echarts.init(this.box, null, { renderer: "canvas" });
    this.draw();
    if (this.data.kind !== "heat" && this.data.id !== "syntheticResponseTimeDistribution") this.legend();
    this.acts();
    this.dragging();
    this.keys();
    new ResizeObserver(() => this.chart.resize()).observe(this.box);
    this.figure.dataset.drawn = "true";
  }

  // Range of x in view: of the run, or of this chart alone.
  get view() { return this.data.time ? chosen.zoom : this.range; }

  coordinates(s) {
    const shift = this.data.time ? zoneShift() : 0;
    const half = this.data.kind === "bars" ? this.data.step / 2 : 0;
    const view = this.view;
    const out = [];
    let last = null;
    for (let i = 0; i < s.x.length; i++) {
      const x = s.x[i];
      // One point beyond each edge, so that lines leave the picture.
      if (view && ((x < view[0] && !(s.x[i + 1] >= view[0])) || (x > view[1] && !(s.x[i - 1] <= view[1])))) continue;
      let y = s.y[i];
      if (y === null && this.data.kind === "stack") y = this.between(s, i);
      // As in JMeter, lines join neighbours; both panes of the glance reach the same ends.
      const end = this.data.kind === "glance" && (i === 0 || i === s.x.length - 1);
      if (y === null && !s.r && !end) continue;
      if (last !== null && this.paused(s, last, x)) out.push([(last + x) / 2 + shift + half, null]);
      out.push([x + shift + half, y]);
      last = x;
    }
    return out;
  }

  // paused tells whether the run pauses between two points of a line. Rates are 0 there.
  paused(s, a, b) {
    if (!this.data.time || s.r || !report.pauses || b - a <= this.data.step) return false;
    return report.pauses.some(([from, to]) => from >= a && to < b + this.data.step);
  }

  // between is the value of a line at a point it does not have: areas can only be
  // stacked where all have one.
  between(s, i) {
    let a = i;
    let b = i;
    while (a >= 0 && s.y[a] === null) a--;
    while (b < s.y.length && s.y[b] === null) b++;
    if (a < 0 || b >= s.y.length || this.paused(s, s.x[a], s.x[b])) return 0;
    return s.y[a] + (s.y[b] - s.y[a]) * (s.x[i] - s.x[a]) / (s.x[b] - s.x[a]);
  }

  draw() {
    const { data } = this;
    const option = structuredClone(data.option);
    const x = [option.xAxis].flat()[0];
    const y = [option.yAxis].flat()[0];
    const shown = this.shown();
    option.series = [];
    option.textStyle = { fontFamily: getComputedStyle(document.body).fontFamily };
    option.aria = { enabled: true, label: { description: this.describe(shown) } };
    this.axis(x, data.time);
    this.axis(y, false);
    if (this.figure.closest(".strip")) Object.assign(y, y.max === 100 ? { interval: 25 } : { splitNumber: 3 });
    y.nameTextStyle.align = "left";
    if (x.type === "value") { x.nameLocation = "middle"; x.nameGap = 26; x.scale = true; option.grid = [{ ...[option.grid].flat()[0], bottom: 26 }]; }
    option.tooltip = this.tooltip();
    const view = this.view;
    if (view) {
      const shift = data.time ? zoneShift() : 0;
      [x.min, x.max] = [view[0] + shift, view[1] + shift];
    }
    option.xAxis = [x];
    option.yAxis = [y];
    this[data.kind](option, shown);
    if (data.time) {
      option.useUTC = true;
      if (!view) this.around(option);
    }
    this.chart.setOption(option, { notMerge: true });
    this.box.setAttribute("aria-label", `${this.title}. ${this.describe(shown)}`);
  }

  // around gives the axes of a single moment a span, where echarts would take days.
  around(option) {
    const all = option.series.flatMap((s) => s.data.map((p) => p[0]));
    if (all.length === 0 || all.some((x) => x !== all[0])) return;
    const step = Math.max(1000, this.data.step);
    for (const x of option.xAxis) {
      [x.min, x.max] = [all[0] - step, all[0] + step];
      x.axisLabel = { ...x.axisLabel, alignMinLabel: "left", alignMaxLabel: "right" };
    }
  }

  axis(a, time) {
    const dim = color("dim");
    a.nameTextStyle = { color: dim, fontSize: 11 };
    a.axisLabel = { ...a.axisLabel, color: dim, fontSize: 11, hideOverlap: true };
    a.axisLine = { show: false, lineStyle: { color: color("line") } };
    a.axisTick = { show: false };
    a.splitLine = { show: a.type === "value" && !time, lineStyle: { color: color("faint") } };
    if (time) {
      a.axisLabel.formatter = { year: "{yyyy}", month: "{MMM} {yyyy}", day: "{MMM} {d}", hour: "{HH}:{mm}", minute: "{HH}:{mm}", second: "{HH}:{mm}:{ss}", millisecond: "{HH}:{mm}:{ss}" };
      a.axisLine.show = true;
    } else if (a.type === "value") {
      a.axisLabel.formatter = (v) => (Math.abs(v) >= 1e4 ? shortNumber : exactNumber).format(v);
    }
  }

  // The kinds of charts

  line(option, shown) {
    for (const s of shown) {
      const points = this.coordinates(s);
      option.series.push({
        type: "line", name: s.n, data: points, color: color(s.color), id: String(s.i), ...dots(points),
        ...(s.a ? { showSymbol: true, symbol: "diamond", symbolSize: 9 } : {}),
        lineStyle: { width: 1.7, type: s.f && this.labelled ? "dashed" : "solid" }, emphasis: { focus: "series" }, animation: false,
      });
    }
  }

  stack(option, shown) {
    this.line(option, shown);
    for (const s of option.series) Object.assign(s, { stack: "all", areaStyle: { opacity: 0.35 }, sampling: undefined });
  }

  points(option, shown) {
    for (const s of shown) {
      option.series.push({ type: "scatter", name: s.n, id: String(s.i), data: this.coordinates(s), color: color(s.color), symbolSize: 7, itemStyle: { opacity: 0.75 } });
    }
  }

  bars(option, shown) {
    if (option.xAxis[0].type === "category") return this.overview(option);
    // Bars are stacked by their index, so that all series need the same places.
    const columns = shown.map((s) => new Map(this.coordinates(s)));
    const places = [...new Set(columns.flatMap((c) => [...c.keys()]))].sort((a, b) => a - b);
    if (!this.view) Object.assign(option.xAxis[0], { scale: false, max: option.xAxis[0].max ?? places[places.length - 1] + this.data.step / 2 });
    shown.forEach((s, i) => option.series.push({
      type: "bar", name: s.n, id: String(s.i), stack: "all", data: places.map((x) => [x, columns[i].get(x) ?? 0]),
      color: color(s.color), barMaxWidth: 28, barMinWidth: 1.5,
    }));
    return undefined;
  }

  overview(option) {
    const all = this.series.reduce((sum, s) => sum + (s.y[0] ?? 0), 0);
    option.xAxis[0].data = this.series.map((s) => s.n.replace("Requests having \nresponse time ", "")
      .replace(/^<= (.*)ms$/, "≤ $1 ms").replace(/^> (.*)ms and <= (.*)ms$/, "$1 – $2 ms").replace(/^> (.*)ms$/, "> $1 ms").replace("Requests in", "In"));
    option.yAxis[0].boundaryGap = [0, "14%"]; // room for the figures on top
    option.xAxis[0].name = "";
    Object.assign(option.xAxis[0].axisLabel, { interval: 0, hideOverlap: false, width: 120, overflow: "break", lineHeight: 14 });
    option.tooltip.trigger = "item";
    option.series.push({
      type: "bar", barMaxWidth: 90,
      data: this.series.map((s) => ({ name: s.n, value: s.y[0] ?? 0, itemStyle: { color: color(s.color), borderRadius: [5, 5, 0, 0] } })),
      label: { show: true, position: "top", color: color("ink"), fontSize: 11, formatter: (p) => `${exactNumber.format(p.value)}  (${(p.value * 100 / all).toFixed(2)}%)` },
    });
  }

  heat(option) {
    const { edges, x, step, series } = this.data;
    const cells = series[0].y;
    const shift = zoneShift();
    const view = this.view;
    let most = 1;
    const rows = [];
    for (let i = 0; i < cells.length; i += 3) {
      const t = x[cells[i]];
      if (view && (t + step < view[0] || t > view[1])) continue;
      most = Math.max(most, cells[i + 2]);
      rows.push([t + shift, cells[i + 1], cells[i + 2]]);
    }
    const shade = mixer(color("card"), color("accent")); // opaque, since cells meet
    option.yAxis[0] = { ...option.yAxis[0], type: "category", boundaryGap: true, data: edges.map((e) => exactNumber.format(e)) };
    option.yAxis[0].axisLabel.formatter = undefined;
    option.xAxis[0].max ??= x[x.length - 1] + step + shift;
    option.tooltip.trigger = "item";
    option.series.push({
      type: "custom", name: "Samples", data: rows, encode: { x: 0, y: 1 }, clip: true, progressive: 0,
      renderItem: (params, api) => {
        const at = api.coord([api.value(0), api.value(1)]);
        const [w, h] = api.size([step, 1]);
        return {
          type: "rect", shape: { x: at[0], y: at[1] - h / 2, width: Math.max(1, w + 0.5), height: h + 0.5 },
          style: { fill: shade(0.1 + 0.9 * Math.log1p(api.value(2)) / Math.log1p(most)) },
        };
      },
    });
  }

  glance(option, shown) {
    const [ok, failed, ...times] = this.series.slice(0, 6);
    const threads = this.series[6];
    const grid = { left: 52, right: threads ? 46 : 16, containLabel: false }; // so that both have one width
    option.grid = [{ ...grid, top: 26, height: "30%" }, { ...grid, top: "52%", bottom: 26 }];
    const x = option.xAxis[0];
    const y = option.yAxis[0];
    option.xAxis = [{ ...x, gridIndex: 0, axisLabel: { ...x.axisLabel, show: false } }, { ...x, gridIndex: 1 }];
    option.yAxis = [{ ...y, name: "Samples per second", gridIndex: 0, splitNumber: 3 }, { ...y, name: "Response time in ms", gridIndex: 1, splitNumber: 4 }];
    if (threads) {
      const { nameTextStyle } = y;
      option.yAxis.push({ ...y, name: threads.n, nameTextStyle: { ...nameTextStyle, align: "right" }, gridIndex: 0, splitNumber: 3, position: "right", minInterval: 1, min: 0, splitLine: { show: false } });
      const points = this.coordinates(threads);
      if (shown.includes(threads)) option.series.push({ type: "line", name: threads.n, data: points, ...dots(points), xAxisIndex: 0, yAxisIndex: 2, animation: false, color: color(threads.color), lineStyle: { width: 1.4, type: "dashed" } });
    }
    option.axisPointer = { link: [{ xAxisIndex: "all" }] };
    const rate = (s, c, opacity) => {
      const points = this.coordinates(s);
      if (shown.includes(s)) option.series.push({ type: "line", name: s.n, data: points, ...dots(points), step: "end", stack: "rate", xAxisIndex: 0, yAxisIndex: 0, sampling: undefined, lineStyle: { width: 1 }, animation: false, color: color(c), areaStyle: { opacity } });
    };
    rate(failed, "fail", 0.75);
    rate(ok, ok.color, 0.28);
    times.forEach((s, i) => {
      const points = this.coordinates(s);
      if (shown.includes(s)) option.series.push({
        type: "line", name: s.n, data: points, ...dots(points), xAxisIndex: 1, yAxisIndex: 1, animation: false,
        color: color(s.color), lineStyle: { width: i === 0 ? 2.2 : 1.4 }, areaStyle: i === times.length - 1 ? { opacity: 0.1 } : undefined, z: 5 - i,
      });
    });
  }

  // Tooltips are built of elements: the content policy allows no inline style,
  // and a name is never markup.

  tooltip() {
    return {
      trigger: this.data.kind === "points" ? "item" : "axis", appendTo: document.body, confine: true, transitionDuration: 0,
      axisPointer: { type: this.data.kind === "bars" ? "shadow" : "line", lineStyle: { color: color("dim"), type: "solid", opacity: 0.5 }, shadowStyle: { color: faded(color("dim"), 0.12) } },
      backgroundColor: color("card"), borderColor: color("line"), padding: [8, 11], extraCssText: "border-radius:10px; max-width:34rem",
      formatter: (p) => this.tip([p].flat()),
    };
  }

  tip(items) {
    const { data } = this;
    const value = (p) => (Array.isArray(p.value) ? p.value : [p.name, p.value]);
    let head = value(items[0])[0];
    let rows = items.map((p) => ({ name: p.seriesName, v: value(p)[1], color: p.color }));
    if (data.kind === "heat") {
      const [t, row, n] = items[0].value;
      head = clock(t - zoneShift());
      const upTo = data.edges[row + 1];
      rows = [{ name: upTo ? `${exactNumber.format(data.edges[row])} to ${exactNumber.format(upTo)} ms` : `from ${exactNumber.format(data.edges[row])} ms`, v: n }];
    } else if (data.time) {
      head = clock(head - zoneShift());
    } else if (data.id === "responseTimePercentiles") {
      head = `${exactNumber.format(head)}%`;
    } else if (data.id === "syntheticResponseTimeDistribution") {
      rows = [{ name: "Responses", v: items[0].value, color: items[0].color }];
      head = items[0].name;
    } else if (data.kind === "bars") {
      const from = head - data.step / 2;
      head = `${exactNumber.format(from)} to ${exactNumber.format(from + data.step)} ms`;
    } else {
      head = `${exactNumber.format(head)} ${[data.option.xAxis].flat()[0].name.toLowerCase()}`;
    }
    const total = rows.length;
    rows = rows.filter((r) => r.v !== null && !(data.kind === "bars" && r.v === 0)).sort((a, b) => b.v - a.v);
    const more = rows.length - maxTip;
    const table = el("table", {}, ...rows.slice(0, maxTip).map((r) => el("tr", {},
      el("td", {}, ...(r.color ? [swatch(r.color)] : []), r.name), el("td", {}, exactNumber.format(r.v)))));
    const tip = el("div", { class: "tip" }, el("strong", {}, head), table);
    if (more > 0) tip.append(el("div", { class: "dim" }, `and ${more} more of ${total}`));
    return tip;
  }

  describe(shown) {
    const names = shown.slice(0, 5).map((s) => s.n).join(", ");
    const rest = shown.length > 5 ? ` and ${shown.length - 5} more` : "";
    return shown.length ? `Series: ${names}${rest}. "Copy data" has the values.` : "Nothing is chosen.";
  }

  // Legend: a button a series, and a search for those not listed.

  legend() {
    this.list ??= el("div", { class: "legend", role: "group", "aria-label": `Series of ${this.title}` });
    this.figure.append(this.list);
    const items = this.series.filter((s) => this.listed.has(s.i) && !s.a);
    if (this.series.length < 2) return;
    this.list.replaceChildren(...items.map((s) => el("button", {
      type: "button", "aria-pressed": String(this.on.has(s.i)), title: s.n, onclick: (e) => this.toggle(s, e.currentTarget),
    }, swatch(color(s.color)), el("span", {}, s.n))));
    if (items.length > 2) {
      this.list.append(
        el("button", { type: "button", class: "plain", onclick: () => this.set(this.listed) }, "All"),
        el("button", { type: "button", class: "plain", onclick: () => this.set([]) }, "None"),
      );
    }
    const rest = this.series.filter((s) => !this.listed.has(s.i) && !s.a);
    if (rest.length === 0) return;
    const id = `more-${this.data.id}`;
    const input = el("input", { type: "search", list: id, placeholder: `${rest.length} more: add one`, "aria-label": `Add a series to ${this.title}` });
    input.addEventListener("change", () => {
      const found = rest.filter((s) => s.n === input.value);
      for (const s of found) this.add(s);
      if (found.length) { this.legend(); this.draw(); this.list.querySelector("input")?.focus(); }
    });
    this.list.append(input, el("datalist", { id }, ...rest.slice(0, 2000).map((s) => el("option", { value: s.n }))));
  }

  add(s) {
    for (const t of this.series) {
      if (t === s || (s.l !== undefined && t.l === s.l && t.a)) { this.listed.add(t.i); this.on.add(t.i); }
    }
  }

  toggle(s, button) {
    const on = !this.on.has(s.i);
    for (const t of this.series) {
      if (t === s || (t.a && t.l === s.l && s.l !== undefined)) { if (on) this.on.add(t.i); else this.on.delete(t.i); }
    }
    button.setAttribute("aria-pressed", String(on));
    this.draw();
  }

  set(all) {
    this.on = new Set(all);
    this.legend();
    this.draw();
  }

  // Copy and save

  acts() {
    const buttons = el("div", { class: "acts" },
      el("button", { type: "button", onclick: (e) => copy(e.currentTarget, this.csv()) }, "Copy data"),
      el("button", { type: "button", onclick: () => this.save() }, "Save PNG"));
    this.figure.querySelector("figcaption").append(buttons);
  }

  csv() {
    const { data } = this;
    if (data.kind === "heat") {
      const lines = ["time,from ms,samples"];
      const c = data.series[0].y;
      for (let i = 0; i < c.length; i += 3) lines.push([clock(data.x[c[i]]), data.edges[c[i + 1]], c[i + 2]].join(","));
      return lines.join("\n") + "\n";
    }
    const shown = this.shown();
    const rows = new Map();
    shown.forEach((s, column) => s.x.forEach((x, i) => {
      if (s.y[i] === null) return;
      if (!rows.has(x)) rows.set(x, new Array(shown.length).fill(""));
      rows.get(x)[column] = s.y[i];
    }));
    const head = csvLine([data.time ? "time" : [data.option.xAxis].flat()[0].name, ...shown.map((s) => s.n)]);
    const lines = [...rows].sort((a, b) => a[0] - b[0]).map(([x, v]) => csvLine([data.time ? clock(x) : x, ...v]));
    return [head, ...lines].join("\n") + "\n";
  }

  save() {
    const url = this.chart.getDataURL({ type: "png", pixelRatio: 2, backgroundColor: color("card") });
    el("a", { href: url, download: `${this.data.id}.png` }).click();
  }

  // Dragging chooses a range of x: of the run for charts over time.

  dragging() {
    if (this.data.id === "syntheticResponseTimeDistribution") return;
    let from = null;
    let mark = null;
    const at = (e) => e.clientX - this.box.getBoundingClientRect().left;
    const show = (a, b) => {
      mark ??= this.box.appendChild(el("div", { class: "picked" }));
      mark.style.left = `${Math.min(a, b)}px`;
      mark.style.width = `${Math.abs(b - a)}px`;
    };
    const stop = () => { mark?.remove(); mark = null; from = null; };
    this.box.addEventListener("pointerdown", (e) => {
      if (e.button !== 0 || e.pointerType === "touch") return;
      from = at(e);
      this.box.setPointerCapture(e.pointerId);
    });
    this.box.addEventListener("pointermove", (e) => { if (from !== null && Math.abs(at(e) - from) > 4) show(from, at(e)); });
    this.box.addEventListener("pointerup", (e) => {
      if (from === null || mark === null) { stop(); return; }
      const [a, b] = [from, at(e)].sort((p, q) => p - q).map((px) => this.chart.convertFromPixel({ xAxisIndex: 0 }, px));
      stop();
      this.choose(a, b);
    });
    this.box.addEventListener("pointercancel", stop);
    this.box.addEventListener("dblclick", () => { if (this.data.time) zoom(null); else this.reset(); });
    document.addEventListener("gojm-reset", () => this.reset());
  }

  choose(a, b) {
    if (!(b > a)) return;
    if (this.data.time) { zoom([a - zoneShift(), b - zoneShift()]); return; }
    this.range = [a, b];
    this.draw();
  }

  reset() {
    if (this.range === null) return;
    this.range = null;
    this.draw();
  }

  // Arrow keys walk from point to point.

  keys() {
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "img");
    let i = -1;
    this.box.addEventListener("keydown", (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!step || this.data.kind === "heat") return;
      e.preventDefault();
      const n = this.chart.getOption().series[0]?.data.length ?? 0;
      if (n === 0) return;
      i = Math.min(n - 1, Math.max(0, i + step));
      this.chart.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: i });
    });
    this.box.addEventListener("blur", () => this.chart.dispatchAction({ type: "hideTip" }));
  }
}

// dots are the settings of a line's points. Those that no line goes through are seen,
// and where there are breaks echarts is to draw all points, since sampling loses breaks.
function dots(points) {
  const gap = (i) => (points[i]?.[1] ?? null) === null;
  const lone = new Set(points.filter((p, i) => !gap(i) && gap(i - 1) && gap(i + 1)).map((p) => p[0]));
  const broken = points.some((p) => p[1] === null);
  return {
    showSymbol: lone.size > 0, showAllSymbol: true, symbol: "circle", symbolSize: lone.size > 0 ? (v) => (lone.has(v[0]) ? 5 : 0) : 5,
    sampling: broken ? undefined : "minmax",
  };
}

function swatch(c) {
  return el("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, el("rect", { width: 10, height: 10, rx: 3, fill: c }));
}

if (typeof echarts !== "undefined") {
  const byID = new Map(report.charts.map((c) => [c.id, c]));
  const waiting = new Map();
  const drawn = new Set();
  const start = (figure) => {
    const data = waiting.get(figure);
    if (!data) return;
    waiting.delete(figure);
    const chart = new Chart(figure, data);
    chart.start();
    drawn.add(chart);
  };
  const near = new IntersectionObserver((entries) => {
    for (const e of entries) if (e.isIntersecting) { near.unobserve(e.target); start(e.target); }
  }, { rootMargin: "300px" });
  for (const figure of document.querySelectorAll("[data-chart]")) {
    const data = byID.get(figure.dataset.chart);
    if (data) { waiting.set(figure, data); near.observe(figure); }
  }
  const redraw = (which) => () => { for (const c of drawn) if (which(c)) c.draw(); };
  followers.theme.push(() => { for (const c of drawn) { c.draw(); if (c.list) c.legend(); } });
  followers.zone.push(redraw((c) => c.data.time));
  followers.zoom.push(redraw((c) => c.data.time));
  followers.label.push(redraw((c) => c.labelled));
  // Paper is white, and has no scrolling.
  let before;
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    changed("theme");
    for (const figure of [...waiting.keys()]) start(figure);
  });
  addEventListener("afterprint", () => {
    if (before) document.documentElement.dataset.theme = before; else delete document.documentElement.dataset.theme;
    changed("theme");
  });
}
