// The charts, and what each of them needs.
import { html } from "lit-html";
import { shown } from "./bytes.js";
import { Chart } from "./charts.js";
import { bytes, count, micros, percent } from "./format.js";

export const FAMILIES = ["strings", "hashes", "lists", "sets", "sorted sets", "streams", "keys", "messages", "scripts", "other"];

const ratio = at => {
  const asked = at("hits") + at("misses");
  return asked > 0 ? at("hits") / asked : null;
};

const family = part => FAMILIES.map(name => [name, `${name}/${part}`]);

const ofInfo = [
  new Chart("Commands a second", count, [["commands", "commands"], ["errors", "errors"]]),
  new Chart("Memory", bytes, [["used", "used"], ["limit", at => at("limit") || null], ["resident", "resident"]]),
  new Chart("Memory by kind", bytes, [["records", "records"], ["index", "index"], ["large values", "blocks"], ["collections", "trees"], ["connections", "connections"], ["managed", "managed"], ["tier", "tier"]]),
  new Chart("Hit ratio", percent, [["hits", ratio]]),
  new Chart("Reads a second", count, [["hits", "hits"], ["misses", "misses"]]),
  new Chart("Evictions and expiries a second", count, [["evicted", "evicted"], ["expired", "expired"]]),
  new Chart("Keys", count, [["keys", "keys"]]),
  new Chart("Clients", count, [["connected", "clients"], ["blocked", "blocked"], ["new a second", "connects"], ["rejected a second", "rejected"]]),
  new Chart("Network", value => `${bytes(value)}/s`, [["in", "bytesIn"], ["out", "bytesOut"], ["to the log and replicas", "replicated"]]),
  new Chart("Processor", percent, [["of a core", "processor"]]),
  new Chart("Saving", count, [["unsaved changes", "unsaved"]]),
  new Chart("Copied while saving", bytes, [["images", "copied"]]),
];

const ofLatency = [
  new Chart("Latency while saving", micros, [["99th percentile", "p99"], ["while saving", at => (at("saving") ? at("p99") : null)]]),
  new Chart("Calls a second by family", count, family("calls")),
  new Chart("Median latency by family", micros, family("p50")),
  new Chart("99th percentile by family", micros, family("p99")),
  new Chart("99.9th percentile by family", micros, family("p999")),
];

const ofTier = [
  new Chart("Keys with values on disk", count, [["keys", "cold"]]),
  new Chart("Disk used for values", bytes, [["used", "diskUsed"], ["live", "diskLive"], ["limit", "diskLimit"]]),
  new Chart("Values moved a second", count, [["to disk", "movedOut"], ["to memory", "movedIn"]]),
  new Chart("Reads from disk a second", count, [["reads", "diskReads"], ["waiting", "diskWaiting"], ["errors", "diskErrors"]]),
];

export const charts = [...ofInfo, ...ofTier, ...ofLatency];

// Where no values are moved to disk there is nothing to say of it.
const hasTier = columns => columns.list("cold").some(value => value !== null);

const MEASURES = [
  ["99th percentile of latency", "p99", micros],
  ["Commands a second", "commands", count],
  ["Processor", "processor", percent],
  ["Network out", "bytesOut", value => `${bytes(value)}/s`],
];

const mean = values => (values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length);

const change = (one, other) => (other > 0 && Number.isFinite(one) ? `${one < other ? "−" : "+"}${Math.abs((100 * (one - other)) / other).toFixed(0)} %` : "–");

// The means of the seconds with a save beside those of the seconds without one, as far as they are shown.
function effectOfSaving(columns, missing) {
  const saving = columns.list("saving");
  const rows = MEASURES.map(([label, name, format]) => {
    const values = columns.list(name);
    const means = [true, false].map(isSaving => mean(values.filter((value, row) => value !== null && saving[row] !== null && saving[row] > 0 === isSaving)));
    return [label, ...means.map(format), change(...means)];
  });
  const table = html`<table id="effect">
    <thead><tr><th scope="col">Mean of</th><th scope="col">while saving</th><th scope="col">otherwise</th><th scope="col">change</th></tr></thead>
    <tbody>${rows.map(([label, ...cells]) => html`<tr><th scope="row">${label}</th>${cells.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table>`;
  const hasSaved = saving.some(value => value > 0);
  return html`<section class="card" aria-labelledby="effect-title">
    <h2 id="effect-title">Effect of saving on clients</h2>
    ${missing.info ? html`<p class="missing">${shown(missing.info)}</p>` : hasSaved ? table : html`<p class="soft">Nothing was saved in this time.</p>`}
    ${!missing.info && missing.latency ? html`<p class="missing">${shown(missing.latency)}</p>` : ""}
  </section>`;
}

export const overview = (columns, missing) => html`<div class="grid">
  ${ofInfo.map(chart => chart.render(columns, missing.info))}
  ${hasTier(columns) ? ofTier.map(chart => chart.render(columns, missing.info)) : ""}
  ${effectOfSaving(columns, missing)}
  ${ofLatency.map(chart => chart.render(columns, missing.latency))}
</div>`;
