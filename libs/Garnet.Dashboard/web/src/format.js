// Numbers for people.
const short = (value, units, base) => {
  let unit = 0;
  while (Math.abs(value) >= base && unit < units.length - 1) {
    value /= base;
    unit++;
  }
  const digits = unit === 0 ? (Number.isInteger(value) ? 0 : 1) : Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return value.toFixed(digits) + units[unit];
};

export const count = value => (Number.isFinite(value) ? short(value, ["", " k", " M", " G", " T"], 1000) : "–");
export const bytes = value => (Number.isFinite(value) ? short(value, [" B", " KiB", " MiB", " GiB", " TiB"], 1024) : "–");
export const micros = value => (Number.isFinite(value) ? short(value, [" µs", " ms", " s"], 1000) : "–");
export const percent = value => (Number.isFinite(value) ? `${(100 * value).toFixed(1)} %` : "–");

// What a search has left out, and why it has stopped early.
export const scanned = ({ stopped, skipped }) =>
  `${stopped ? `; stopped after ${bytes(stopped)} of names` : ""}${skipped ? "; keys with names too long for a reply, and their neighbours, were left out" : ""}`;
