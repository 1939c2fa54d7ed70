// The charts, and what each of them needs.
import { html } from "lit-html";
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
  new Chart("Memory by kind", bytes, [["records", "records"], ["index", "index"], ["large values", "blocks"], ["collections", "trees"], ["connections", "connections"], ["managed", "managed"]]),
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

export const charts = [...ofInfo, ...ofLatency];

export const overview = (columns, missing) => html`<div class="grid">
  ${ofInfo.map(chart => chart.render(columns, missing.info))}
  ${ofLatency.map(chart => chart.render(columns, missing.latency))}
</div>`;
