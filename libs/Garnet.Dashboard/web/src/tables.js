// Panels that are tables; each asks for itself while it is seen.
import { html } from "lit-html";
import { bytes, count, micros } from "./format.js";
import { fromBase64, printable, shown } from "./bytes.js";

export const PANELS = [
  ["clients", "Clients, by memory"],
  ["slow", "Slow commands"],
  ["replication", "Replication"],
  ["saving", "Saving"],
  ["tier", "Values on disk"],
  ["server", "Server"],
  ["log", "Log"],
];

// Fields of CLIENT LIST have no spaces, and names in them neither.
const fieldsOf = line => Object.fromEntries(line.split(" ").map(field => [field.slice(0, field.indexOf("=")), field.slice(field.indexOf("=") + 1)]));

const clients = lines => html`<table>
  <thead><tr><th scope="col">Client</th><th scope="col">Name</th><th scope="col">User</th><th scope="col">Command</th><th scope="col">Memory</th><th scope="col">Idle</th></tr></thead>
  <tbody>${lines.map(fieldsOf).map(
    each => html`<tr><td class="bytes">${shown(each.addr ?? "")}</td><td class="bytes">${shown(each.name ?? "")}</td><td class="bytes">${shown(each.user ?? "")}</td><td class="bytes">${shown(each.cmd ?? "")}</td><td>${bytes(Number(each["tot-mem"]))}</td><td>${count(Number(each.idle))} s</td></tr>`,
  )}</tbody>
</table>`;

const argument = part => (part?.b === undefined ? "" : printable(fromBase64(part.b)));

const slow = reply => html`<table>
  <thead><tr><th scope="col">When</th><th scope="col">Took</th><th scope="col">Command</th><th scope="col">Client</th></tr></thead>
  <tbody>${(reply.a ?? []).map(
    ({ a: [, when, took, words, address] }) =>
      html`<tr><td>${new Date(1000 * Number(when.i)).toLocaleTimeString()}</td><td>${micros(Number(took.i))}</td><td class="bytes">${words.a.map(argument).join(" ")}</td><td>${argument(address)}</td></tr>`,
  )}</tbody>
</table>`;

const fields = lines => html`<table><tbody>${lines
  .filter(line => !line.startsWith("#"))
  .map(line => html`<tr><th scope="row">${shown(line.slice(0, line.indexOf(":")))}</th><td class="bytes">${shown(line.slice(line.indexOf(":") + 1))}</td></tr>`)}</tbody></table>`;

// How far each replica is behind the history that this server sends.
function replication(lines) {
  const known = Object.fromEntries(lines.map(line => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]));
  const replicas = Object.keys(known).filter(name => /^slave\d+$/.test(name)).map(name => Object.fromEntries(known[name].split(",").map(part => part.split("="))));
  const table = html`<table>
    <thead><tr><th scope="col">Replica</th><th scope="col">State</th><th scope="col">Offset</th><th scope="col">Behind</th><th scope="col">Heard</th></tr></thead>
    <tbody>${replicas.map(
      each => html`<tr><td class="bytes">${shown(`${each.ip}:${each.port}`)}</td><td>${shown(each.state ?? "")}</td><td>${shown(each.offset ?? "")}</td><td>${bytes(Number(known.master_repl_offset) - Number(each.offset))}</td><td>${count(Number(each.lag))} s ago</td></tr>`,
    )}</tbody>
  </table>`;
  return html`${replicas.length === 0 ? "" : table}${fields(lines.filter(line => !/^slave\d+:/.test(line)))}`;
}

const log = lines => html`<div class="bytes" role="log">${lines.map(line => html`<div>${shown(line)}</div>`)}</div>`;

function content(name, table) {
  if (!table) return html`<p class="soft">…</p>`;
  if (table.missing) return html`<p class="missing">${shown(table.missing)}</p>`;
  if (table.error) return html`<p class="problem" role="alert">${shown(table.error)}</p>`;
  if (name === "slow") return slow(table.reply);
  return { clients, log, replication }[name]?.(table.lines) ?? fields(table.lines);
}

// Of the tier there is nothing to say where it is off; which right INFO needs, the other panels say.
const isShown = (name, table) => name !== "tier" || table?.error || table?.lines?.includes("tier_enabled:1");

export const tables = (latest, sample) => html`<div class="grid">${PANELS.filter(([name]) => isShown(name, latest[name])).map(
  ([name, title]) => html`<section class="card" aria-labelledby="table-${name}">
    <h2 id="table-${name}">${title}</h2>
    <div class="scroll" tabindex="0" role="group" aria-labelledby="table-${name}">${content(name, latest[name])}</div>
  </section>`,
)}${sample.render()}</div>`;
