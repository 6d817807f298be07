// What to practice: the language of the problems, grade and skill, and a worksheet of them.

import { askSkills, askWorksheet } from "./api.js";
import { byId, fill, html } from "./dom.js";
import { save } from "./files.js";
import { say, spoken } from "./i18n.js";
import { attempt } from "./notice.js";
import { keep, kept } from "./storage.js";

let skills = []; // {skill, grade, en, zh, families}

export const choice = () => ({
  lang: byId("practice-lang").value,
  ...(byId("practice-skill").value ? { skill: byId("practice-skill").value } : {}),
  ...(byId("practice-grade").value ? { grade: Number(byId("practice-grade").value) } : {}),
});

export const skillName = (name) => skills.find(({ skill }) => skill === name)?.[spoken()] ?? name;

export function listenChoice() {
  for (const id of ["practice-lang", "practice-grade", "practice-skill"])
    byId(id).addEventListener("change", () => {
      keep("practice", choice());
      offer(choice());
    });
  byId("worksheet-form").addEventListener("submit", (event) => {
    event.preventDefault();
    makeSheet(event.submitter?.dataset.format ?? "html");
  });
}

// Fills the lists, in the language of the page. The problems are also in that language until another one is chosen.
export async function offerSkills() {
  if (!skills.length) ({ skills } = await askSkills());
  offer(kept("practice", null) ?? { lang: spoken() });
  return true;
}

// Chooses the skill of an exercise that a link has opened, unless it is among those chosen.
export function fitChoice({ language: lang, skill, grade }) {
  const now = choice();
  if (now.lang !== lang || (now.skill ?? skill) !== skill || (now.grade ?? grade) !== grade) offer({ lang, skill });
}

function offer({ lang, grade, skill }) {
  const offered = skills.filter(({ families }) => families[lang]);
  const grades = [...new Set(offered.map((one) => one.grade))].sort((a, b) => a - b);
  const option = (value, text, chosen) => html("option", { value, selected: value === (chosen ?? "") }, text);
  const group = (one) =>
    html(
      "optgroup",
      { label: say("grade_name", { grade: one }) },
      ...offered.filter((found) => found.grade === one).map((found) => option(found.skill, found[spoken()], skill)),
    );
  byId("practice-lang").value = lang;
  fill(byId("practice-grade"), option("", say("all_grades")), ...grades.map((one) => option(one, String(one), grade)));
  fill(byId("practice-skill"), option("", say("all_skills")), ...(grade ? [grade] : grades).map(group));
}

// HTML opens in a tab of its own, to print. The tab is opened at once: later, the browser may block it.
async function makeSheet(format) {
  const tab = format === "html" ? window.open() : null;
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  const count = byId("worksheet-count").valueAsNumber || 0;
  const wanted = { ...choice(), count, seed, answers: byId("worksheet-answers").value, format };
  const blob = await attempt(byId("worksheet-error"), () => askWorksheet(wanted), () => makeSheet(format));
  if (!blob) tab?.close();
  else if (tab) tab.location = URL.createObjectURL(blob);
  else save(blob, `${say("worksheet")}-${seed}.${format}`);
}
