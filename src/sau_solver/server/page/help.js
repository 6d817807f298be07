// The help: every kind of input with examples, which are links to their solutions.

import { byId, fill, html } from "./dom.js";
import { HELP } from "./examples.js";
import { say, spoken } from "./i18n.js";
import { linkTo } from "./share.js";

export function showHelp() {
  const example = (text) => html("li", {}, html("a", { href: linkTo(text), title: say("try_it") }, text));
  const section = ([kind, texts]) =>
    html(
      "section",
      { class: "card" },
      html("h2", {}, say(`help_${kind}`)),
      html("p", {}, say(`help_${kind}_text`)),
      texts.length ? html("ul", { class: "tries" }, ...texts.map(example)) : null,
    );
  fill(byId("help"), ...HELP[spoken()].map(section));
}
