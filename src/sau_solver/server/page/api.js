// Requests to the server; everything that can go wrong becomes a ServerError.

import { spoken } from "./i18n.js";

const PATIENCE = 15_000; // milliseconds; the server's own deadline is 10 s by default

// `kind` is the server's name for the error ("too_long", "busy" …), or "stopped" (no connection), "patience" (timeout).
export class ServerError extends Error {
  constructor(kind, { message = "", field = "", values = {} } = {}) {
    super(message || kind);
    Object.assign(this, { kind, said: message, field, values });
  }
}

export class Superseded extends Error {} // a newer request of the same kind was sent

const running = new Map();
let key = sessionStorageKey();

export function useKey(given) {
  key = given;
  try {
    sessionStorage.setItem("sau.key", given);
  } catch {
    // without storage, the key is kept until the page is closed
  }
}

// Steps and answers come in the language of the page, whatever the language of the problem.
const solving = (text) => ({ text, lang: spoken(), explain: true });
export const askSolve = (text) => post("solve", "v1/solve", solving(text));
export const askItem = (text) => post("item", "v1/solve", solving(text));
export const stopItem = () => running.get("item")?.abort("newer");
export const askProblems = (body) => post("problems", "v1/problems", body);
export const askExport = (body) => post("export", "v1/export", { ...body, lang: spoken() }, (answer) => answer.blob(), patienceFor(body));
export const askSkills = () => post("skills", "v1/skills", null);
export const askGenerate = (body) => post("generate", "v1/generate", body);
export const askWorksheet = (body) => post("worksheet", "v1/generate", body, (answer) => answer.blob());
export const askCheck = (body) => post("check", "v1/check", { ...body, lang: spoken() });
export const askTemplate = (text, tree, numbers) =>
  post("template", "v1/template", { text, lang: spoken(), tree, numbers });
export const askEquation = (equations) =>
  post("equation", "v1/equation", { equations, lang: spoken(), explain: true });

// A worksheet is solved again before it is written.
const patienceFor = ({ problems }) => PATIENCE + 2_000 * problems.length;

// Without a body, the request is a GET.
async function post(place, path, body, read = json, patience = PATIENCE) {
  running.get(place)?.abort("newer");
  const control = new AbortController();
  running.set(place, control);
  const timer = setTimeout(() => control.abort("patience"), patience);
  try {
    const headers = {
      "content-type": "application/json",
      "accept-language": spoken(), // of error messages
      ...(key ? { authorization: `Bearer ${key}` } : {}),
    };
    const answer = await fetch(path, {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
      signal: control.signal,
      credentials: "omit",
    });
    const found = await (answer.ok ? read : json)(answer);
    if (answer.ok && found) return found;
    throw new ServerError(found?.error ?? "failed", found ?? {});
  } catch (error) {
    if (error instanceof ServerError) throw error;
    if (control.signal.reason === "newer") throw new Superseded();
    throw new ServerError(control.signal.reason === "patience" ? "patience" : "stopped");
  } finally {
    clearTimeout(timer);
    if (running.get(place) === control) running.delete(place);
  }
}

// The object of a JSON body; null for anything else, such as the error page of a proxy.
async function json(answer) {
  const text = await answer.text();
  try {
    const found = JSON.parse(text);
    return typeof found === "object" ? found : null;
  } catch {
    return null;
  }
}

function sessionStorageKey() {
  try {
    return sessionStorage.getItem("sau.key") ?? "";
  } catch {
    return "";
  }
}
