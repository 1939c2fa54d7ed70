// Large and hot keys, found by measuring a share of all keys; the reader says when to go on.
import { html } from "lit-html";
import { post } from "./api.js";
import { fromBase64, printable, shown, toBase64 } from "./bytes.js";
import { bytes, count, scanned } from "./format.js";

const TOP = 20;
const REQUESTS = 10;

export class Sample {
  db = 0;
  pattern = "*";
  cursor = "0";
  examined = 0;
  stopped = 0;
  skipped = false;
  keys = new Map();
  problems = {};
  busy = false;
  problem = "";

  constructor(changed) {
    this.changed = changed;
  }

  begin(db, pattern) {
    Object.assign(this, { db, pattern: pattern || "*", cursor: "0", examined: 0, stopped: 0, skipped: false, keys: new Map() });
    return this.more();
  }

  async more() {
    if (this.busy) return;
    Object.assign(this, { busy: true, problem: "" });
    this.changed();
    try {
      for (let request = 0; request < REQUESTS; request++) {
        await this.#measure();
        this.changed();
        if (this.cursor === "0") break;
      }
    } catch (refused) {
      this.problem = refused.message;
    }
    this.busy = false;
    this.changed();
  }

  async #measure() {
    const pattern = toBase64(new TextEncoder().encode(this.pattern));
    const page = await post("api/sample", { db: this.db, pattern, cursor: this.cursor });
    if (page.error) throw new Error(page.error);
    this.examined += page.examined;
    this.cursor = page.cursor;
    this.stopped = page.stopped ?? 0;
    this.skipped ||= page.skipped ?? false;
    this.problems = { memory: page.memoryProblem, frequency: page.frequencyProblem };
    for (const each of page.keys) this.keys.set(each.key, each);
    this.keys = new Map([...this.#first("memory"), ...this.#first("frequency")].map(each => [each.key, each]));
  }

  #first(measure) {
    return [...this.keys.values()].filter(each => each[measure] !== undefined).sort((one, other) => other[measure] - one[measure]).slice(0, TOP);
  }

  #table(measure, title, unit, format) {
    const found = this.#first(measure);
    const refusal = this.problems[measure];
    return html`<h3>${title}</h3>
      ${refusal ? html`<p class="missing">${shown(refusal)}</p>` : ""}
      ${found.length === 0 ? "" : html`<table>
        <thead><tr><th scope="col">Key</th><th scope="col">${unit}</th></tr></thead>
        <tbody>${found.map(each => html`<tr><td class="bytes">${printable(fromBase64(each.key)) || "(empty)"}</td><td>${format(each[measure])}</td></tr>`)}</tbody>
      </table>`}`;
  }

  render() {
    return html`<section class="card" aria-labelledby="sample-title">
      <h2 id="sample-title">Large and hot keys</h2>
      <form class="row" @submit=${event => this.#submit(event)}>
        <label>Database <input name="db" type="number" min="0" value="0" required></label>
        <label class="wide">Keys like <input name="pattern" placeholder="*" autocomplete="off" spellcheck="false"></label>
        <button class="main" id="sample" ?disabled=${this.busy}>Measure</button>
        ${this.cursor === "0" ? "" : html`<button type="button" id="sample-more" ?disabled=${this.busy} @click=${() => this.more()}>Go on</button>`}
      </form>
      ${this.problem ? html`<p class="problem" role="alert">${shown(this.problem)}</p>` : ""}
      <p class="soft" role="status" id="sampled">${this.examined === 0 ? "A share of the keys is measured, a thousand at a time." : `About ${count(this.examined)} keys measured${this.cursor === "0" ? ", all there are" : ""}${scanned(this)}`}</p>
      ${this.examined === 0 ? "" : html`<div class="scroll" tabindex="0" role="group" aria-labelledby="sample-title">
        ${this.#table("memory", "By memory", "Memory", bytes)}
        ${this.#table("frequency", "By use", "Frequency", String)}
      </div>`}
    </section>`;
  }

  #submit(event) {
    event.preventDefault();
    const fields = new FormData(event.target);
    this.begin(Number(fields.get("db")), fields.get("pattern"));
  }
}
