// The console: a line, its reply, and hints from the server's own table of commands.
import { html } from "lit-html";
import { post } from "./api.js";
import { fromBase64, printable, shown, textOf } from "./bytes.js";

const MAX_SHOWN = 200;

// Of a reply, as long as it is shown: the page keeps no more of it.
const MAX_PARTS = 1000;
const MAX_BYTES = 64 * 1024;

export class Console {
  db = 0;
  transcript = [];
  history = [];
  place = 0;
  busy = false;
  question = null;
  commands = null;
  typed = "";

  constructor(changed, writes) {
    Object.assign(this, { changed, writes });
  }

  async run(line, confirmed = false) {
    if (this.busy || !line.trim()) return;
    Object.assign(this, { busy: true, question: null });
    this.changed();
    let answer;
    try {
      answer = await post("api/command", { db: this.db, line, confirmed });
    } catch (refused) {
      answer = { error: refused.message };
    }
    this.busy = false;
    if (answer.ask) this.question = { line, text: answer.ask };
    else this.#note(line, answer);
    this.changed();
  }

  #note(line, answer) {
    const kept = answer.reply === undefined ? answer : { ...answer, reply: limited(answer.reply, { parts: MAX_PARTS + 1, bytes: MAX_BYTES }) };
    this.transcript.push({ db: this.db, line, answer: kept });
    if (this.transcript.length > MAX_SHOWN) this.transcript.shift();
    this.db = answer.db ?? this.db;
    this.history.push(line);
    this.place = this.history.length;
    this.typed = "";
    const input = document.getElementById("line");
    if (input) input.value = "";
  }

  // Once, when the console is first seen. A user who may not ask has no hints.
  async learn() {
    if (this.commands) return;
    this.commands = [];
    try {
      const { reply } = await post("api/command", { db: 0, line: "COMMAND LIST" });
      this.commands = (reply?.a ?? []).map(each => printable(fromBase64(each.b))).sort();
    } catch {
      // As without the right.
    }
    this.changed();
  }

  #hints() {
    const word = this.typed.trimStart().split(/\s+/).slice(0, 2).join("|").toLowerCase();
    if (!word || !this.commands) return "";
    const first = word.split("|")[0];
    const fitting = this.commands.filter(name => name.startsWith(this.typed.includes(" ") ? first : word));
    return fitting.slice(0, 8).join("  ");
  }

  #key(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.place = Math.max(0, Math.min(this.history.length, this.place + step));
    event.target.value = this.history[this.place] ?? "";
  }

  render() {
    return html`<section class="card" aria-labelledby="console-title">
      <h2 id="console-title">Console</h2>
      <p class="soft">${this.writes ? "Changes are made as you type them." : "This console only reads (dashboard-writes no)."}</p>
      <div class="transcript" role="log" id="transcript">${this.transcript.map(
        ({ db, line, answer }) => html`<div><div class="typed bytes">${db}&gt; ${shown(line)}</div>
          ${answer.error ? html`<div class="problem bytes">${shown(answer.error)}</div>` : html`<div class="bytes reply">${reply(answer.reply, "")}</div>`}</div>`,
      )}</div>
      ${this.question
        ? html`<div class="problem" role="alertdialog" aria-labelledby="question"><p id="question">${shown(this.question.text)}</p>
            <button class="main" id="confirm" @click=${() => this.run(this.question.line, true)}>Run it</button>
            <button @click=${() => { this.question = null; this.changed(); }}>Do not</button></div>`
        : ""}
      <form class="row" @submit=${event => { event.preventDefault(); this.run(document.getElementById("line").value); }}>
        <label class="wide">Command in database ${this.db} <input id="line" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="hint"
          @keydown=${event => this.#key(event)} @input=${event => { this.typed = event.target.value; this.changed(); }}></label>
        <button class="main" ?disabled=${this.busy}>Run</button>
      </form>
      <p class="hint bytes" id="hint">${this.#hints()}</p>
    </section>`;
  }
}

// The beginning of a reply; cut parts know how much there was.
function limited(part, left) {
  left.parts--;
  if (part === null || part === undefined) return part;
  const list = part.a ?? part.m;
  if (list !== undefined) {
    const kept = [];
    for (let at = 0; at < list.length && left.parts > 0 && left.bytes > 0; at++) kept.push(limited(list[at], left));
    return { a: kept, rest: list.length - kept.length };
  }
  if (part.b !== undefined) {
    const all = (part.b.length / 4) * 3 - (part.b.match(/=*$/)[0].length);
    const most = Math.max(0, Math.floor(left.bytes / 3) * 3);
    left.bytes -= all;
    return all <= most ? part : { b: part.b.slice(0, (most / 3) * 4), rest: all - most };
  }
  left.bytes -= (part.e ?? part.s ?? part.i).length;
  return part;
}

const rest = (part, unit) => (part.rest > 0 ? html`<span class="soft">… and ${part.rest} more${unit}</span>` : "");

// Text of several lines as it is; all else in quotes.
function string(bytes) {
  const text = bytes.includes(0x0a) ? textOf(bytes, true) : null;
  return text === null ? `"${printable(bytes, MAX_BYTES).replaceAll('"', '\\"')}"` : html`<br>${shown(text.replaceAll("\r\n", "\n"))}`;
}

// As the command line prints replies: numbered, nested ones indented, strings in quotes.
function reply(part, indent) {
  if (part === null || part === undefined) return html`<span class="soft">(nil)</span>`;
  if (part.e !== undefined) return html`<span class="escaped">(error)</span> ${shown(part.e)}`;
  if (part.s !== undefined) return shown(part.s);
  if (part.i !== undefined) return shown(part.i);
  if (part.b !== undefined) return html`${string(fromBase64(part.b))}${rest(part, " bytes")}`;
  if (part.a.length === 0 && !part.rest) return html`<span class="soft">(empty)</span>`;
  return html`${part.a.map((child, index) => html`${index === 0 && !indent ? "" : "\n"}${indent}${index + 1}) ${reply(child, indent + "   ")}`)}${
    part.rest > 0 ? html`\n${indent}${rest(part, "")}` : ""}`;
}
