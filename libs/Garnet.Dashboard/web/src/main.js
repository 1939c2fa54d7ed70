// The page: login, tabs, and the stream of events that everything follows.
import "../app.css";
import { html, render } from "lit-html";
import { follow, get, getBytes, logIn, logOut, Refused } from "./api.js";
import { shown } from "./bytes.js";
import { Columns } from "./charts.js";
import { Console } from "./console.js";
import { Keys } from "./keys.js";
import { charts, overview } from "./overview.js";
import { Sample } from "./sample.js";
import { PANELS, tables } from "./tables.js";

const TABS = ["Overview", "Tables", "Keys", "Console"];
const RANGES = { "5 minutes": [300, 1], "15 minutes": [900, 1], "1 hour": [3600, 4] };
const TABLE_PERIOD_MS = 5000;
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;

const root = document.getElementById("app");
root.textContent = "";

const state = {
  session: null,
  requiresLogin: true,
  problem: "",
  notice: "",
  tab: "Overview",
  range: "5 minutes",
  columns: new Columns(),
  missing: {},
  tables: {},
};
let keys;
let sample;
let typed;
let following;

function setTheme(theme) {
  localStorage.setItem("garnet-theme", theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  update();
}

async function start() {
  const known = await get("api/state");
  state.requiresLogin = known.requiresLogin;
  if (known.user) enter(known);
  else if (!known.requiresLogin) enter(await logIn("", ""));
  else update();
}

function enter(session) {
  Object.assign(state, { session, problem: "", notice: "" });
  keys = new Keys(update);
  sample = new Sample(update);
  typed = new Console(update, session.writes);
  update();
  watch();
}

function leave(problem) {
  following?.abort();
  Object.assign(state, { session: null, problem, columns: new Columns(), missing: {}, tables: {} });
  update();
}

// One stream while the page is seen; a server that is away, or has too many pages, is asked again, less often each time.
async function watch() {
  following?.abort();
  const { signal } = (following = new AbortController());
  let pause = RETRY_MS;
  while (!signal.aborted && state.session && !document.hidden) {
    try {
      const [seconds, step] = RANGES[state.range];
      const { columns } = await get("api/columns");
      const history = await getBytes(`api/history?seconds=${seconds}&step=${step}`);
      if (signal.aborted) return;
      state.columns.names = columns;
      state.columns.load(history);
      state.notice = "";
      await follow("api/events", signal, event => {
        pause = RETRY_MS;
        if (state.columns.isAhead(event)) return watch();
        state.columns.add(event, seconds / step);
        state.missing = event.missing;
        // The other views show nothing of it, and may be long.
        if (state.tab === "Overview") update();
      });
    } catch (problem) {
      if (signal.aborted) return;
      if (problem instanceof Refused && problem.status === 401) return leave("Your session has ended.");
      state.notice = problem instanceof Refused ? problem.message : "The server does not answer. Trying again.";
      update();
    }
    await new Promise(resolve => setTimeout(resolve, pause * (0.5 + Math.random())));
    pause = Math.min(2 * pause, LONGEST_RETRY_MS);
  }
}

async function refreshTables() {
  if (!state.session || state.tab !== "Tables" || document.hidden) return;
  for (const [name] of PANELS) {
    try {
      state.tables[name] = await get(`api/panels/${name}`);
    } catch (problem) {
      state.tables[name] = { error: problem.message };
    }
  }
  update();
}

function choose(tab) {
  state.tab = tab;
  update();
  if (tab === "Tables") refreshTables();
  if (tab === "Console") typed.learn();
}

function move(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  choose(TABS[(TABS.indexOf(state.tab) + step + TABS.length) % TABS.length]);
  document.getElementById(`tab-${state.tab}`).focus();
}

async function submit(event) {
  event.preventDefault();
  const fields = new FormData(event.target);
  try {
    enter(await logIn(fields.get("user"), fields.get("password")));
  } catch (refused) {
    state.problem = refused.message;
    update();
  }
}

const login = () => html`<main><form class="login card" @submit=${submit}>
  <h1>Garnet</h1>
  ${state.problem ? html`<p class="problem" role="alert">${shown(state.problem)}</p>` : ""}
  <label>User <input name="user" autocomplete="username" placeholder="default" autofocus></label>
  <label>Password <input name="password" type="password" autocomplete="current-password"></label>
  <button class="main">Log in</button>
</form></main>`;

const content = () =>
  ({ Overview: () => overview(state.columns, state.missing), Tables: () => tables(state.tables, sample), Keys: () => keys.render(), Console: () => typed.render() })[state.tab]();

const page = () => html`<header>
    <h1>Garnet <span class="soft">${state.session.version}</span></h1>
    <span class="who bytes">${shown(state.session.user)}</span>
    <label><span class="away">Range</span><select @change=${event => { state.range = event.target.value; watch(); }}>${Object.keys(RANGES).map(
      range => html`<option ?selected=${range === state.range}>${range}</option>`)}</select></label>
    <label><span class="away">Theme</span><select @change=${event => setTheme(event.target.value)}>${["system", "light", "dark"].map(
      theme => html`<option ?selected=${theme === (localStorage.getItem("garnet-theme") ?? "system")}>${theme}</option>`)}</select></label>
    <button @click=${() => logOut().finally(() => leave(""))}>Log out</button>
  </header>
  <nav aria-label="Views"><div role="tablist" aria-label="Views" @keydown=${move}>${TABS.map(
    tab => html`<button role="tab" id="tab-${tab}" aria-selected=${tab === state.tab} aria-controls="view" tabindex=${tab === state.tab ? 0 : -1} @click=${() => choose(tab)}>${tab}</button>`,
  )}</div></nav>
  <main>
    ${state.notice ? html`<p class="problem" role="alert">${shown(state.notice)}</p>` : ""}
    <div id="view" role="tabpanel" aria-labelledby="tab-${state.tab}">${content()}</div>
  </main>`;

function update() {
  render(state.session ? page() : login(), root);
  if (!state.session || state.tab !== "Overview") return;
  for (const chart of charts) chart.draw(document.querySelector(`[data-chart="${chart.title}"]`), state.columns, RANGES[state.range][0]);
}

const theme = localStorage.getItem("garnet-theme");
if (theme && theme !== "system") document.documentElement.dataset.theme = theme;
document.addEventListener("visibilitychange", () => (document.hidden ? following?.abort() : state.session && watch()));
addEventListener("resize", update);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
setInterval(refreshTables, TABLE_PERIOD_MS);
start().catch(problem => {
  state.problem = problem.message;
  update();
});
