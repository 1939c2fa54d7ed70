// Drives the dashboard in Debian's chromium: node browse.mjs URL SCENARIO [USER PASSWORD [FOLDER FOR SCREENSHOTS]]. Exit code 0 for success.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [url, scenario, user, password, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const page = await context.newPage();

const problems = [];
page.on("dialog", dialog => {
  problems.push(`a dialog opened: ${dialog.message()}`);
  dialog.dismiss();
});
page.on("pageerror", error => problems.push(`an error: ${error.stack}`));
page.on("console", message => {
  if (message.type() === "error" && !/status of 401/.test(message.text())) problems.push(`the browser says: ${message.text()}`);
});
page.on("request", request => {
  if (!request.url().startsWith(url)) problems.push(`a request elsewhere: ${request.url()}`);
});

const tab = name => page.getByRole("tab", { name });
const shot = async (name, options) => shots && (await page.screenshot({ path: join(shots, name ? `dashboard-${name}.png` : "dashboard.png"), ...options }));

// The policy of the page lets no script in: axe is run in a world of its own.
async function checkAccessibility(where) {
  const session = await context.newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  await session.send("Runtime.evaluate", { contextId: executionContextId, expression: axe });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    contextId: executionContextId,
    expression: "axe.run(document, { resultTypes: ['violations'] }).then(found => JSON.stringify(found.violations.map(each => [each.id, each.nodes.map(node => node.html.slice(0, 160) + ' ' + node.failureSummary)])))",
    awaitPromise: true,
  });
  assert.equal(exceptionDetails, undefined);
  assert.deepEqual(JSON.parse(result.value), [], `accessibility of ${where}`);
}

// Whether the lines of the first chart, which there are from the second second on, are drawn in another colour than black.
function hasColours() {
  const canvas = document.querySelector(".uplot canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] > 200 && Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > 60) return true;
  return false;
}

async function enter() {
  await page.goto(url);
  if (user) {
    await page.getByLabel("User").fill(user);
    await page.getByLabel("Password").fill(password);
    await checkAccessibility("the login");
    await page.getByRole("button", { name: "Log in" }).click();
  }
  await tab("Overview").waitFor();
}

// The latest value of a chart's line.
const legend = (chart, line) => page.locator(`section[aria-labelledby="${chart}"] .legend li`, { hasText: line }).locator("b");

async function search(pattern) {
  await page.getByLabel("Pattern").fill(pattern);
  await page.getByRole("button", { name: "Search" }).click();
  // The button is off until the answer has come.
  await page.getByRole("button", { name: "Search", disabled: false }).waitFor();
  await page.getByRole("status").filter({ hasText: "examined" }).waitFor();
}

// What acts on readers without being seen, of which no view may show any as it is.
async function checkPlain(where, part = "body") {
  const text = await page.locator(part).innerText();
  const found = text.match(/[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]|(?![\n\t])\p{Cc}/gu) ?? [];
  assert.deepEqual([...new Set(found)].map(letter => letter.codePointAt(0).toString(16)), [], where);
}

async function run(line, expected, isDangerous = false) {
  const replies = await page.locator("#transcript > div").count();
  await page.locator("#line").fill(line);
  await page.locator("#line").press("Enter");
  if (isDangerous) await page.locator("#confirm").click();
  const reply = page.locator("#transcript > div").nth(replies);
  await reply.filter({ hasText: expected }).waitFor();
}

// All panels.
const OVERVIEW = [
  "Commands a second",
  "Memory",
  "Memory by kind",
  "Hit ratio",
  "Reads a second",
  "Evictions and expiries a second",
  "Keys",
  "Clients",
  "Network",
  "Processor",
  "Saving",
  "Copied while saving",
  "Keys with values on disk",
  "Disk used for values",
  "Values moved a second",
  "Reads from disk a second",
  "Effect of saving on clients",
  "Latency while saving",
  "Calls a second by family",
  "Median latency by family",
  "99th percentile by family",
  "99.9th percentile by family",
];
const TABLES = ["Clients, by memory", "Slow commands", "Replication", "Saving", "Values on disk", "Server", "Log", "Large and hot keys"];

async function turnTo(line, role) {
  await tab("Console").click();
  await run(line, "OK", true);
  await tab("Tables").click();
  await page.locator("section", { has: page.locator("#table-replication") }).getByRole("row", { name: `role ${role}` }).waitFor();
}

const scenarios = {
  // Everything, in both colours, by keys where there are keys for it.
  async administrator() {
    await enter();
    await page.locator(".uplot canvas").first().waitFor();
    assert.equal(await page.locator(".missing").count(), 0);
    // Those of the tier appear with its first figures.
    await page.getByRole("heading", { name: OVERVIEW.at(-1), exact: true }).waitFor();
    await page.getByRole("heading", { name: "Keys with values on disk", exact: true }).waitFor();
    assert.deepEqual(await page.locator("h2").allInnerTexts(), OVERVIEW);
    await page.waitForFunction(() => document.querySelectorAll(".chart").length === document.querySelectorAll(".chart canvas").length);
    await page.locator("section", { hasText: "Keys" }).locator("b").filter({ hasText: /^\d/ }).first().waitFor();
    await page.waitForFunction(hasColours, null, { timeout: 10_000 });
    await legend("chart-keys-with-values-on-disk", "keys").filter({ hasText: /[1-9]/ }).waitFor();
    await legend("chart-disk-used-for-values", "limit").filter({ hasText: "64.0 MiB" }).waitFor();
    await legend("chart-memory-by-kind", "tier").filter({ hasText: /[1-9].* [KM]iB/ }).waitFor();
    await checkAccessibility("the overview");
    await shot("light");
    await page.locator("select").nth(1).selectOption("dark");
    await checkAccessibility("the overview in the dark");
    await shot("dark");
    await page.locator("select").first().selectOption("1 hour");
    await tab("Overview").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await tab("Tables").getAttribute("aria-selected"), "true");
    await page.getByText("role").first().waitFor();
    assert.deepEqual(await page.locator("h2").allInnerTexts(), TABLES);
    await page.locator("section", { has: page.locator("#table-tier") }).getByRole("row", { name: "tier_state ok" }).waitFor();
    await page.getByText("garnet-dashboard").first().waitFor();
    await page.locator("#sample").click();
    await page.locator("#sampled").filter({ hasText: "all there are" }).waitFor();
    await page.locator("section", { hasText: "Large and hot keys" }).getByText("user:1:profile").first().waitFor();
    await checkAccessibility("the tables");
    await shot("tables");
    await page.locator("select").nth(1).selectOption("light");
    await checkAccessibility("the tables in the light");
    await page.keyboard.press("Tab");
    await tab("Keys").click();
    await search("*");
    await page.locator("[data-key]").first().waitFor();
    await checkAccessibility("the keys");
    for (const key of await page.locator("[data-key]").all()) {
      await key.click();
      await page.locator('[data-key][aria-pressed="true"]').waitFor();
    }
    await search("json");
    await page.locator("[data-key]").click();
    await page.locator("#value").filter({ hasText: '"n": 12345678901234567890' }).waitFor();
    await checkAccessibility("a value");
    await shot("keys");
    await search("packed");
    await page.locator("[data-key]").click();
    await page.locator("#value").filter({ hasText: '"compact": true' }).waitFor();
    await tab("Console").click();
    await run("PING", "PONG");
    await run("SET json 1", "only reads");
    await run("SUBSCRIBE x", "about a connection");
    await page.locator("#line").fill("KEYS json");
    await page.locator("#line").press("Enter");
    await page.locator("#confirm").click();
    await page.locator("#transcript").filter({ hasText: '1) "json"' }).waitFor();
    await page.locator("#line").press("ArrowUp");
    assert.equal(await page.locator("#line").inputValue(), "KEYS json");
    await page.locator("#line").fill("hgeta");
    await page.locator("#hint").filter({ hasText: "hgetall" }).waitFor();
    await checkAccessibility("the console");
    await shot("console");
    await page.setViewportSize({ width: 390, height: 844 });
    await tab("Overview").click();
    await page.locator(".uplot canvas").first().waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, "a phone has to scroll sideways");
    await shot("phone");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByLabel("User").waitFor();
  },

  // INFO, SCAN and TYPE: the figures and names are there, and each of the others says what it needs.
  async threeRights() {
    await enter();
    await page.locator(".uplot canvas").first().waitFor();
    await page.locator(".missing", { hasText: "latency|histogram" }).first().waitFor();
    // No values are moved to disk here.
    assert.equal(await page.locator("#chart-keys-with-values-on-disk").count(), 0);
    await checkAccessibility("the overview");
    await tab("Tables").click();
    await page.locator(".missing", { hasText: "client|list" }).waitFor();
    await page.getByText("role").first().waitFor();
    assert.equal(await page.locator("#table-tier").count(), 0);
    await page.locator(".missing", { hasText: "slowlog|get" }).waitFor();
    await page.locator(".missing", { hasText: "config|get" }).waitFor();
    await page.locator("#sample").click();
    await page.locator(".missing", { hasText: "memory|usage" }).waitFor();
    await page.locator(".missing", { hasText: "object|freq" }).waitFor();
    await tab("Keys").click();
    await search("json");
    await page.locator("[data-key]").click();
    await page.locator(".missing", { hasText: "memory|usage" }).waitFor();
    await page.getByRole("alert").filter({ hasText: "getrange" }).waitFor();
    await tab("Console").click();
    await run("GET json", "NOPERM");
  },

  async nobody() {
    await enter();
    await page.locator(".missing", { hasText: "'info'" }).first().waitFor();
    assert.equal(await page.locator(".uplot").count(), 0);
    await tab("Tables").click();
    await page.locator(".missing", { hasText: "client|list" }).waitFor();
    await tab("Keys").click();
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("alert").filter({ hasText: "NOPERM" }).waitFor();
    await tab("Console").click();
    await run("INFO", "NOPERM");
    await checkAccessibility("the console");
  },

  // What is in the keys, values and names is on the page, and has done nothing.
  async hostile() {
    await enter();
    await page.locator(".who").filter({ hasText: "\\u{202e}eve<img/src=x/onerror=window.pwned=1>\\u{200b}" }).waitFor();
    await page.locator(".missing", { hasText: "latency|histogram" }).first().waitFor();
    await checkPlain("the overview");
    await tab("Tables").click();
    await page.getByText("garnet-dashboard").first().waitFor();
    await page.getByRole("row", { name: "name<script>window.pwned=1</script>" }).first().waitFor();
    await page.getByRole("log").getByText("</textarea><script>window.pwned=1</script>").waitFor();
    await checkPlain("the tables");
    await tab("Keys").click();
    await search("*");
    const names = await page.locator("[data-key]").evaluateAll(all => all.map(each => each.dataset.key));
    assert.ok(names.length > 30, `only ${names.length} keys`);
    for (const name of names) {
      const key = page.locator(`[data-key="${name}"]`);
      await key.click();
      await page.locator(`[data-key="${name}"][aria-pressed="true"]`).waitFor();
      await checkPlain("a key", 'section[aria-labelledby="value-title"]');
    }
    await checkPlain("the keys");
    await search("parts");
    await page.locator("[data-key]").click();
    await page.locator("#value").filter({ hasText: "€€€" }).waitFor();
    await page.locator("#next-page").click();
    await page.waitForFunction(() => document.querySelectorAll("#value .bytes").length === 2);
    assert.doesNotMatch(await page.locator("#value").innerText(), /e2 82 ac/);
    await tab("Console").click();
    await run('GET "<script>window.pwned=1</script>"', "<img src=x onerror=window.pwned=1>");
    await run("LRANGE elements 0 -1", "\\x1b]0;pwned\\x07");
    // An escape in the value is no escape of the page's.
    await run("GET quoted", String.raw`"a\"b\\x0ac\\"`);
    await run("LRANGE many 0 -1", "more bytes");
    await run("LRANGE long 0 -1", "and 4000 more");
    await checkPlain("the console");
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.equal(await page.locator("#app script, #app img, #app iframe, #app svg").count(), 0);
    assert.equal(await page.title(), "Garnet");
  },

  // Names whose sum, or one of which, is too much: the page says what it leaves out, and shows of each the beginning.
  async longNames() {
    await enter();
    await tab("Keys").click();
    await page.evaluate(() => {
      window.said = "";
      const note = () => (window.said += document.querySelector("#scanned")?.innerText ?? "");
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await search("*");
    // Names of which none is shown may come first.
    await page.locator("[data-key], #more").first().waitFor();
    // Whatever it is asked while it searches it passes over.
    while ((await page.locator("button.main[disabled]").count()) || (await page.locator("#more").count()))
      await page.evaluate(() => document.querySelector("#more:not([disabled])")?.click());
    await page.locator("#scanned").filter({ hasText: "names too long" }).waitFor();
    assert.match(await page.evaluate(() => window.said), /stopped after 1\.00 MiB of names/);
    const lengths = await page.locator("[data-key]").evaluateAll(all => all.map(each => each.innerText.length));
    assert.ok(lengths.length > 0 && Math.max(...lengths) < 1100, `names of ${Math.max(...lengths)} characters`);
    await search("back*");
    await page.locator("[data-key]").filter({ hasText: String.raw`back\\x41slash` }).waitFor();
    await checkPlain("the keys");
  },

  // The server saves, becomes a replica and a primary again, loads its data, takes a right and gives it back, and stops.
  async changes() {
    await enter();
    await page.getByText("Nothing was saved in this time.").waitFor();
    await tab("Console").click();
    await run("SAVE", "OK", true);
    await tab("Overview").click();
    await page.locator("#effect").filter({ hasText: "Commands a second" }).waitFor();
    await checkAccessibility("the effect of saving");
    await shot("saving");
    await turnTo("REPLICAOF 127.0.0.1 1", "slave");
    await tab("Console").click();
    await run("DEBUG RELOAD", "OK", true);
    await run("ACL SETUSER default -info", "OK", true);
    await tab("Overview").click();
    await page.locator(".missing", { hasText: "'info'" }).first().waitFor();
    await tab("Console").click();
    await run("ACL SETUSER default +info", "OK", true);
    await tab("Overview").click();
    await page.locator(".uplot canvas").first().waitFor();
    // Not earlier: for two seconds a table is shown again as it was.
    await turnTo("REPLICAOF NO ONE", "master");
    await tab("Console").click();
    await run("SET stop 1", "OK");
    await page.getByRole("alert").filter({ hasText: "The server does not answer" }).waitFor();
    problems.splice(0, problems.length, ...problems.filter(problem => !/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|50[23]/.test(problem)));
  },
};

// Those of the documents, of a server that packaging/draw-dashboard.py has given a load.
scenarios.pictures = async () => {
  await page.setViewportSize({ width: 1200, height: 820 });
  await enter();
  await page.waitForFunction(hasColours, null, { timeout: 10_000 });
  await shot("");
  await page.setViewportSize({ width: 1500, height: 820 });
  await page.waitForTimeout(1500);
  await shot("all", { fullPage: true });
  await page.setViewportSize({ width: 1200, height: 820 });
  await tab("Keys").click();
  await search("config*");
  await page.getByRole("button", { name: "config:" }).click();
  await page.locator("[data-key]").click();
  await page.locator("#value").filter({ hasText: '"currency"' }).waitFor();
  await shot("keys");
};

try {
  await scenarios[scenario]();
  assert.deepEqual(problems, []);
} catch (error) {
  console.error(error, problems, await page.locator("body").innerText());
  if (shots) await page.screenshot({ path: join(shots, "failed.png") });
  process.exitCode = 1;
} finally {
  await browser.close();
}
