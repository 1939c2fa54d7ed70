// The browser of keys: a search with a budget, a tree by prefixes, and values in pages.
import { html } from "lit-html";
import { post } from "./api.js";
import { asJson, asMessagePack, fromBase64, hex, printable, shown, textOf, toBase64 } from "./bytes.js";
import { bytes, count, scanned } from "./format.js";

const SEPARATOR = ":";
const MAX_ELEMENT_BYTES = 8 * 1024;

export class Keys {
  db = 0;
  pattern = "*";
  found = [];
  cursor = "0";
  examined = 0;
  stopped = 0;
  skipped = false;
  busy = false;
  problem = "";
  open = new Set();
  key = null;

  constructor(changed) {
    this.changed = changed;
  }

  async #run(work) {
    if (this.busy) return;
    Object.assign(this, { busy: true, problem: "" });
    this.changed();
    try {
      await work();
    } catch (refused) {
      this.problem = refused.message;
    }
    this.busy = false;
    this.changed();
  }

  search(db, pattern) {
    return this.#run(async () => {
      Object.assign(this, { db, pattern: pattern || "*", found: [], cursor: "0", examined: 0, stopped: 0, skipped: false, key: null });
      await this.#scan();
    });
  }

  more() {
    return this.#run(() => this.#scan());
  }

  async #scan() {
    const pattern = toBase64(new TextEncoder().encode(this.pattern));
    const page = await post("api/scan", { db: this.db, pattern, cursor: this.cursor });
    if (page.error) throw new Error(page.error);
    this.examined += page.examined;
    this.cursor = page.cursor;
    this.stopped = page.stopped ?? 0;
    this.skipped ||= page.skipped ?? false;
    // SCAN may name a key twice.
    this.found = [...new Set([...this.found, ...page.keys])];
  }

  show(key) {
    return this.#run(async () => {
      const about = await post("api/key", { db: this.db, key });
      this.key = { name: key, about, pages: [], next: "" };
      if (about.type.s && about.type.s !== "none") await this.#page();
    });
  }

  page() {
    return this.#run(() => this.#page());
  }

  async #page() {
    const { name, about, next, pages } = this.key;
    const page = await post("api/value", { db: this.db, key: name, type: about.type.s, from: next });
    if (page.reply?.e) throw new Error(page.reply.e);
    pages.push(page.reply);
    this.key.next = page.next;
  }

  toggle(prefix) {
    if (!this.open.delete(prefix)) this.open.add(prefix);
    this.changed();
  }

  render() {
    return html`<div class="split">
      <section class="card" aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <form class="row" @submit=${event => this.#submit(event)}>
          <label>Database <input name="db" type="number" min="0" value="0" required></label>
          <label class="wide">Pattern <input name="pattern" id="pattern" placeholder="user:*" autocomplete="off" spellcheck="false"></label>
          <button class="main" ?disabled=${this.busy}>Search</button>
        </form>
        ${this.problem ? html`<p class="problem" role="alert">${shown(this.problem)}</p>` : ""}
        <p class="soft" role="status" id="scanned">${count(this.found.length)} keys in about ${count(this.examined)} examined${this.cursor === "0" ? "" : ", not all"}${scanned(this)}</p>
        <div class="scroll">${this.#branch(treeOf(this.found), "", true)}</div>
        ${this.cursor === "0" ? "" : html`<button id="more" ?disabled=${this.busy} @click=${() => this.more()}>Go on</button>`}
      </section>
      <section class="card" aria-labelledby="value-title" aria-live="polite">${this.#value()}</section>
    </div>`;
  }

  #submit(event) {
    event.preventDefault();
    const fields = new FormData(event.target);
    this.search(Number(fields.get("db")), fields.get("pattern"));
  }

  #branch(node, prefix, isTop) {
    return html`<ul class="tree ${isTop ? "top" : ""}">
      ${[...node.children].map(([name, child]) => {
        const path = prefix + name + SEPARATOR;
        const isOpen = this.open.has(path);
        return html`<li><button aria-expanded=${isOpen} @click=${() => this.toggle(path)}>${isOpen ? "▾" : "▸"} ${name}${SEPARATOR} <span class="soft">${child.count}</span></button>
          ${isOpen ? this.#branch(child, path, false) : ""}</li>`;
      })}
      ${node.keys.map(([label, key]) => html`<li><button class="bytes" data-key=${key} aria-pressed=${this.key?.name === key} @click=${() => this.show(key)}>${label || "(empty)"}</button></li>`)}
    </ul>`;
  }

  #value() {
    if (!this.key) return html`<h2 id="value-title">Value</h2><p class="soft">Choose a key.</p>`;
    const { name, about, pages, next } = this.key;
    const fact = (reply, format) => (reply?.e ? html`<span class="missing">${shown(reply.e)}</span>` : reply === null || reply === undefined ? "–" : format(reply));
    const ttl = reply => (reply.i === "-1" ? "none" : reply.i === "-2" ? "gone" : `${count(Number(reply.i) / 1000)} s`);
    const text = reply => (reply.b === undefined ? shown(reply.s ?? reply.i) : printable(fromBase64(reply.b)));
    return html`<h2 id="value-title" class="bytes">${printable(fromBase64(name)) || "(empty)"}</h2>
      <table><tbody>
        <tr><th scope="row">Type</th><td>${fact(about.type, text)}</td></tr>
        <tr><th scope="row">Time to live</th><td>${fact(about.ttl, ttl)}</td></tr>
        <tr><th scope="row">Encoding</th><td>${fact(about.encoding, text)}</td></tr>
        <tr><th scope="row">Memory</th><td>${fact(about.memory, reply => bytes(Number(reply.i)))}</td></tr>
        <tr><th scope="row">Length</th><td>${fact(about.length, reply => count(Number(reply.i)))}</td></tr>
      </tbody></table>
      <div class="scroll" id="value" tabindex="0" role="group" aria-labelledby="value-title">${pages.map(page => contents(about.type.s, page))}</div>
      ${next ? html`<button id="next-page" ?disabled=${this.busy} @click=${() => this.page()}>More of it</button>` : ""}`;
  }
}

function treeOf(found) {
  const root = { children: new Map(), keys: [], count: 0 };
  const named = found.map(key => [printable(fromBase64(key)), key]).sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [name, key] of named) {
    const parts = name.split(SEPARATOR);
    let node = root;
    node.count++;
    for (const part of parts.slice(0, -1)) {
      if (!node.children.has(part)) node.children.set(part, { children: new Map(), keys: [], count: 0 });
      node = node.children.get(part);
      node.count++;
    }
    node.keys.push([parts.at(-1), key]);
  }
  return root;
}

// A value as what it is: JSON, MessagePack, text, or bytes; of a long element its beginning, as each escape is an element of the page.
function value(reply, isPage = false) {
  if (reply === null) return html`<span class="soft">null</span>`;
  if (reply.b === undefined) return html`<span class="bytes">${shown(reply.s ?? reply.i ?? "")}</span>`;
  const whole = fromBase64(reply.b);
  const isCut = !isPage && whole.length > MAX_ELEMENT_BYTES;
  const raw = isCut ? whole.subarray(0, MAX_ELEMENT_BYTES) : whole;
  const readable = asJson(raw) ?? asMessagePack(raw) ?? textOf(raw, isPage || isCut);
  return html`<div class="bytes">${readable === null ? hex(raw) : shown(readable)}</div>${
    isCut ? html`<p class="soft">The first ${bytes(MAX_ELEMENT_BYTES)} of ${bytes(whole.length)}; the console shows more of it.</p>` : ""}`;
}

const pairs = list => Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index], list[2 * index + 1]]);

const rows = list => html`<table><tbody>${list.map(([name, content]) => html`<tr><th scope="row">${value(name)}</th><td>${value(content)}</td></tr>`)}</tbody></table>`;

function contents(type, page) {
  switch (type) {
    case "hash": return rows(pairs(page.a ?? page.m));
    case "zset": return rows((page.a ?? []).map(each => each.a ?? [each]));
    case "stream": return (page.a ?? []).map(({ a: [id, fields] }) => html`<h3 class="bytes">${printable(fromBase64(id.b))}</h3>${rows(pairs(fields.a))}`);
    case "string": return value(page, true);
    default: return html`<ol>${(page.a ?? []).map(each => html`<li>${value(each)}</li>`)}</ol>`;
  }
}
