// Bytes of any kind as text that can be looked at: nothing in them acts on the page or on its reader.
import { html } from "lit-html";

// Deeper values are shown as they are: their indents would be longer than all that they hold.
const MAX_DEPTH = 100;

// A browser shows so much without halting: characters of a text, marked escapes in it, and bytes of a name.
const MAX_TEXT = 256 * 1024;
const MAX_MARKS = 20_000;
const MAX_NAME_BYTES = 1024;

export const fromBase64 = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

export function toBase64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

// Control characters, marks that change the direction of what follows, what has no width or no ink, and spaces that are not the usual one.
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

// A part of a longer text may begin and end within a character.
export function textOf(bytes, isPart = false) {
  let from = 0;
  while (isPart && from < 3 && (bytes[from] & 0xc0) === 0x80) from++;
  const begun = [...bytes.subarray(0, from)].map(escapeByte).join("");
  try {
    return begun + new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(from), { stream: isPart });
  } catch {
    return null;
  }
}

const escape = letter => {
  const code = letter.codePointAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
};

const escapeByte = byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`);

// One line of plain characters: what is shown of a name. A backslash is two, so that none looks like the beginning of an escape.
export function printable(bytes, most = MAX_NAME_BYTES) {
  const isCut = bytes.length > most;
  const first = bytes.subarray(0, most);
  // A name begins with a character, or it is no text.
  const text = (bytes[0] & 0xc0) === 0x80 ? null : textOf(first, isCut);
  const line = text === null ? [...first].map(byte => (byte === 0x5c ? "\\\\" : escapeByte(byte))).join("") : text.replaceAll("\\", "\\\\").replace(hidden, escape);
  return isCut ? `${line}… (${bytes.length} bytes)` : line;
}

const runs = new RegExp(`(?:(?![\\n\\t])(?:${hidden.source}))+`, "gu");

// As printable, with line ends kept and escapes marked; for values. Of a long text its beginning.
export function shown(text) {
  const parts = [];
  let [from, end, marks] = [0, Math.min(text.length, MAX_TEXT), 0];
  for (const { 0: run, index } of text.slice(0, end).matchAll(runs)) {
    if (++marks > MAX_MARKS) {
      end = index;
      break;
    }
    parts.push(text.slice(from, index), html`<span class="escaped">${run.replace(hidden, escape)}</span>`);
    from = index + run.length;
  }
  parts.push(text.slice(from, end));
  if (end < text.length) parts.push(html`<span class="soft">… and ${text.length - end} more characters</span>`);
  return parts;
}

export function hex(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const digits = row.map(byte => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = row.map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${digits.padEnd(47)}  ${letters}`);
  }
  return lines.join("\n");
}

// JSON, indented by its own tokens: numbers stay as they were written, and members keep their order. Null when it is too deep.
function indentJson(text) {
  const out = [];
  let depth = 0;
  const newLine = () => "\n" + "  ".repeat(depth);
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === "{" || token === "[") {
      if (++depth > MAX_DEPTH) return null;
      out.push(token, newLine());
    } else if (token === "}" || token === "]") {
      depth--;
      out.push(newLine(), token);
    } else if (token === ",") out.push(token, newLine());
    else if (token === ":") out.push(": ");
    else out.push(token);
  }
  return out.join("");
}

// Indents can make a text many times as long; then it is shown as it is.
const notTooLong = text => (text !== null && text.length > MAX_TEXT ? null : text);

export function asJson(bytes) {
  const text = textOf(bytes);
  if (text === null || !/^\s*[[{]/.test(text)) return null;
  try {
    JSON.parse(text);
    return notTooLong(indentJson(text));
  } catch {
    return null;
  }
}

// MessagePack's arrays and maps as a text like JSON; null for bytes that are anything else.
export function asMessagePack(bytes) {
  const first = bytes[0];
  const isContainer = (first >= 0x80 && first <= 0x9f) || (first >= 0xdc && first <= 0xdf);
  if (!isContainer) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = length => {
    if (at + length > bytes.length) throw new RangeError();
    at += length;
    return at - length;
  };
  const number = (size, read) => view[read](take(size));
  const text = length => JSON.stringify(textOf(bytes.subarray(take(length), at)) ?? printable(bytes.subarray(at - length, at)));
  const binary = length => `<${hex(bytes.subarray(take(length), at)).slice(10) || "empty"}>`;
  const many = (count, open, close, one, indent) => {
    if (count > bytes.length) throw new RangeError();
    const inner = indent + "  ";
    const items = Array.from({ length: count }, () => inner + one(inner));
    return count === 0 ? open + close : `${open}\n${items.join(",\n")}\n${indent}${close}`;
  };
  const value = indent => {
    if (indent.length > 2 * MAX_DEPTH) throw new RangeError();
    const type = view.getUint8(take(1));
    const pair = inner => `${value(inner)}: ${value(inner)}`;
    if (type < 0x80) return `${type}`;
    if (type < 0x90) return many(type & 15, "{", "}", pair, indent);
    if (type < 0xa0) return many(type & 15, "[", "]", value, indent);
    if (type < 0xc0) return text(type & 31);
    if (type >= 0xe0) return `${type - 256}`;
    switch (type) {
      case 0xc0: return "null";
      case 0xc2: return "false";
      case 0xc3: return "true";
      case 0xc4: return binary(number(1, "getUint8"));
      case 0xc5: return binary(number(2, "getUint16"));
      case 0xc6: return binary(number(4, "getUint32"));
      case 0xca: return `${number(4, "getFloat32")}`;
      case 0xcb: return `${number(8, "getFloat64")}`;
      case 0xcc: return `${number(1, "getUint8")}`;
      case 0xcd: return `${number(2, "getUint16")}`;
      case 0xce: return `${number(4, "getUint32")}`;
      case 0xcf: return `${number(8, "getBigUint64")}`;
      case 0xd0: return `${number(1, "getInt8")}`;
      case 0xd1: return `${number(2, "getInt16")}`;
      case 0xd2: return `${number(4, "getInt32")}`;
      case 0xd3: return `${number(8, "getBigInt64")}`;
      case 0xd9: return text(number(1, "getUint8"));
      case 0xda: return text(number(2, "getUint16"));
      case 0xdb: return text(number(4, "getUint32"));
      case 0xdc: return many(number(2, "getUint16"), "[", "]", value, indent);
      case 0xdd: return many(number(4, "getUint32"), "[", "]", value, indent);
      case 0xde: return many(number(2, "getUint16"), "{", "}", pair, indent);
      case 0xdf: return many(number(4, "getUint32"), "{", "}", pair, indent);
      default: throw new RangeError();
    }
  };
  try {
    const whole = value("");
    return at === bytes.length ? notTooLong(whole) : null;
  } catch (problem) {
    if (problem instanceof RangeError) return null;
    throw problem;
  }
}
