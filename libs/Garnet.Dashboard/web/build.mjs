// Bundles the page into ../page, which is committed. With --check it only says whether what is there is what it would make.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MAX_BYTES = 200 * 1000;
const web = dirname(fileURLToPath(import.meta.url));
const page = join(web, "..", "page");

const bundled = await build({
  absWorkingDir: web,
  entryPoints: { app: "src/main.js" },
  outdir: "out",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  write: false,
});

const licence = (name, file) => {
  const { version } = JSON.parse(readFileSync(join(web, "node_modules", name, "package.json"), "utf8"));
  return `${name} ${version}\n\n${readFileSync(join(web, "node_modules", name, file), "utf8").trim()}\n`;
};

const files = new Map([
  ["app.js", bundled.outputFiles.find(file => file.path.endsWith(".js")).text],
  ["app.css", bundled.outputFiles.find(file => file.path.endsWith(".css")).text],
  ["index.html", readFileSync(join(web, "index.html"), "utf8")],
  ["icon.svg", readFileSync(join(web, "icon.svg"), "utf8")],
  ["licences.txt", [licence("uplot", "LICENSE"), licence("lit-html", "LICENSE")].join("\n" + "-".repeat(60) + "\n\n")],
]);

const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
if (bytes > MAX_BYTES) {
  console.error(`The page has ${bytes} bytes; it may have ${MAX_BYTES}.`);
  process.exit(1);
}

const stale = [];
for (const [name, text] of files) {
  const path = join(page, name);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) stale.push(name);
}

if (stale.length > 0) {
  console.error(`Not what web/build.mjs makes: ${stale.join(", ")}. Run it and commit the result.`);
  process.exit(1);
}

console.log(`${bytes} bytes`);
