// Requests to the server. The cookie goes by itself; the token, which only this page's origin can read, goes as a header.
// An application may have several dashboards, each below a path of its own.
const KEY = `garnet-token ${new URL(".", location).pathname}`;

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const headers = () => ({ "X-Garnet-Token": localStorage.getItem(KEY) ?? "" });

async function checked(response) {
  if (response.ok) return response;
  const text = await response.text();
  let message = text.trim() || response.statusText;
  try {
    message = JSON.parse(text).error ?? message;
  } catch {
    // Not every refusal is JSON.
  }
  throw new Refused(response.status, message);
}

export const get = async path => (await checked(await fetch(path, { headers: headers() }))).json();

export const getBytes = async path => (await checked(await fetch(path, { headers: headers() }))).arrayBuffer();

export async function post(path, body = {}) {
  const request = { method: "POST", headers: { ...headers(), "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return (await checked(await fetch(path, request))).json();
}

export async function logIn(user, password) {
  const session = await post("api/login", { user, password });
  localStorage.setItem(KEY, session.token);
  return session;
}

export async function logOut() {
  await post("api/logout").finally(() => localStorage.removeItem(KEY));
}

// Server-sent events by fetch, as EventSource sends no headers. Ends with the stream, or throws.
export async function follow(path, signal, onEvent) {
  const response = await checked(await fetch(path, { headers: headers(), signal }));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events) if (event.startsWith("data: ")) onEvent(JSON.parse(event.slice(6)));
  }
}
