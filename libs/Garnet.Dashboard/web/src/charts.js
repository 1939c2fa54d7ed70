// Charts of the last hour: uPlot on a canvas, with a legend of text that carries the latest values.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { html } from "lit-html";
import { shown } from "./bytes.js";
import { bytes } from "./format.js";

// A canvas knows no light-dark(): what the style sheet has made of it is asked of elements that have the colours.
const colours = element => ({
  axis: getComputedStyle(element).color,
  grid: getComputedStyle(element.parentElement).borderTopColor,
  lines: [...element.parentElement.querySelectorAll(".legend i")].map(mark => getComputedStyle(mark).backgroundColor),
});

// As the server takes it.
const MAX_STEP_BACK = 5;

const POWERS_OF_TWO = Array.from({ length: 50 }, (_, power) => 2 ** power);

// The latest values, oldest first: seconds, and each column.
export class Columns {
  names = [];
  seconds = [];
  values = [];
  step = 1;

  load(buffer) {
    const view = new DataView(buffer);
    const rows = view.getInt32(0, true);
    const columns = view.getInt32(4, true);
    const first = Number(view.getBigInt64(8, true));
    this.step = Number(view.getBigInt64(16, true));
    this.seconds = Array.from({ length: rows }, (_, row) => first + row * this.step);
    const at = (row, column) => view.getFloat32(24 + 4 * (row * columns + column), true);
    this.values = Array.from({ length: columns }, (_, column) => Array.from({ length: rows }, (_, row) => finite(at(row, column))));
  }

  // Whether the server's clock has been set back, so that it has begun a new history.
  isAhead(event) {
    return this.seconds.length > 0 && event.second < this.seconds.at(-1) - MAX_STEP_BACK;
  }

  // Between two rows events change the last one only.
  add(event, maxRows) {
    const last = this.seconds.length - 1;
    const isNew = last < 0 || event.second >= this.seconds[last] + this.step;
    if (isNew) this.seconds.push(event.second);
    event.values.forEach((value, column) => {
      const list = (this.values[column] ??= []);
      if (isNew) list.push(value);
      else list[last] = value;
    });
    while (this.seconds.length > maxRows) {
      this.seconds.shift();
      this.values.forEach(list => list.shift());
    }
  }

  list(name) {
    return this.values[this.names.indexOf(name)] ?? [];
  }

  latest(name) {
    return this.list(name).at(-1) ?? NaN;
  }
}

const finite = value => (Number.isFinite(value) ? value : null);

export class Chart {
  constructor(title, format, lines) {
    Object.assign(this, { title, format, lines, seconds: 300 });
  }

  // Lines are pairs of a label and a column, or of a label and a function of all columns.
  data(columns) {
    const list = source => (typeof source === "string" ? columns.list(source) : columns.seconds.map((_, row) => source(name => columns.list(name)[row])));
    return [columns.seconds, ...this.lines.map(([, source]) => list(source))];
  }

  // The axis of time has the whole range from the start, so that a chart of few rows does not stretch them.
  draw(element, columns, seconds) {
    if (!element) return;
    this.seconds = seconds;
    const data = this.data(columns);
    const theme = getComputedStyle(document.documentElement).colorScheme + document.documentElement.dataset.theme + matchMedia("(prefers-color-scheme: dark)").matches;
    if (this.plot && (this.theme !== theme || this.plot.root.parentNode !== element)) {
      this.plot.destroy();
      this.plot = null;
    }
    const width = element.clientWidth;
    if (this.plot) {
      if (this.plot.width !== width) this.plot.setSize({ width, height: 170 });
      this.plot.setData(data);
      return;
    }
    this.theme = theme;
    const { axis: stroke, grid, lines } = colours(element);
    const axis = { stroke, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
    const ofBytes = this.format === bytes ? { incrs: POWERS_OF_TWO } : {};
    this.plot = new uPlot(
      {
        width,
        height: 170,
        legend: { show: false },
        cursor: { drag: { x: false, y: false } },
        scales: { x: { range: (_, low, high) => [high - this.seconds, high] }, y: { range: (_, low, high) => [0, high > 0 ? high * 1.1 : 1] } },
        axes: [axis, { ...axis, ...ofBytes, size: 70, values: (_, ticks) => ticks.map(this.format) }],
        series: [{}, ...this.lines.map(([label], index) => ({ label, stroke: lines[index], width: 1.5, spanGaps: false, points: { show: false } }))],
      },
      data,
      element,
    );
  }

  latest(columns) {
    return this.lines.map(([label, source]) => [label, typeof source === "string" ? columns.latest(source) : source(name => columns.latest(name))]);
  }

  render(columns, missing) {
    const id = "chart-" + this.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    if (missing) return html`<section class="card" aria-labelledby=${id}><h2 id=${id}>${this.title}</h2><p class="missing">${shown(missing)}</p></section>`;
    const values = this.latest(columns).map(([label, value]) => [label, this.format(value ?? NaN)]);
    return html`<section class="card" aria-labelledby=${id}>
      <h2 id=${id}>${this.title}</h2>
      <div class="chart" role="img" data-chart=${this.title} aria-label="${this.title} over time: ${values.map(([label, value]) => `${label} ${value}`).join(", ")}"></div>
      <ul class="legend">${values.map(([label, value], index) => html`<li><i class="c${index % 10}"></i>${label} <b>${value}</b></li>`)}</ul>
    </section>`;
  }
}
