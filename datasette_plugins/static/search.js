// The search of a static copy: looks words up in the index that stands beside the pages.
const section = document.querySelector("#found");
const field = document.querySelector("#q");
const asked = (new URLSearchParams(location.search).get("q") ?? "").trim();

const places = (steps) => {
  let at = 0;
  return steps ? steps.split(" ").map((step) => (at += Number(step))) : [];
};

const fold = (text) =>
  text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ſ", "s").replaceAll("æ", "ae").replaceAll("œ", "oe");

function* wordsOf(text, forms) {
  for (const word of fold(text).match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? []) {
    const joined = word.replaceAll("-", "");
    if (forms.has(joined)) yield joined;
    else yield* word.split("-");
  }
}

// The terms that a word means: those that have it as a form, or else those with a form that begins with it.
const meant = (word, forms) => {
  const exact = forms.get(word);
  if (exact) return [exact];
  if (word.length < 3) return [];
  return [...new Set([...forms].filter(([form]) => form.startsWith(word)).map(([, term]) => term))];
};

function search(text, { units, terms, stop, first }) {
  const forms = new Map(terms.flatMap((term) => term[0].split(" ").map((form) => [form, term])));
  const idle = new Set(stop.split(" "));
  const words = [...new Set(wordsOf(text, forms))];
  const telling = words.filter((word) => !idle.has(word));
  const mean = units.reduce((sum, unit) => sum + unit[5], 0) / units.length;
  const scores = new Map();
  for (const word of telling) {
    const here = new Map();
    const byName = new Set();
    for (const [, known, within, named] of meant(word, forms)) {
      for (const unit of places(named)) here.set(unit, Math.max(here.get(unit) ?? 0, 0.3));
      for (const unit of places(within)) here.set(unit, Math.max(here.get(unit) ?? 0, 1));
      for (const unit of places(known)) {
        here.set(unit, (here.get(unit) ?? 0) + 2);
        byName.add(unit);
      }
    }
    const rare = Math.log(1 + units.length / (1 + here.size));
    for (const [unit, weight] of here) {
      const { sum, all, known } = scores.get(unit) ?? { sum: 0, all: 0, known: 0 };
      scores.set(unit, { sum: sum + weight * rare, all: all + 1, known: known + byName.has(unit) });
    }
  }
  const found = [...scores].map(([unit, score]) => ({ unit, ...score }));
  const whole = found.filter(({ all }) => all === telling.length);
  const shown = whole.length ? whole : found;
  // A long text has most words by chance (BM25); and who searches a library of rules means the rules first.
  // A citation is all of what a place is known by.
  const weighed = ({ unit, sum, known }) =>
    (sum * (units[unit][3] === first ? 1.5 : 1) * (known === telling.length ? 2 : 1)) / (1 + 1.2 * (0.7 + (0.3 * units[unit][5]) / mean));
  shown.sort((a, b) => weighed(b) - weighed(a) || a.unit - b.unit);
  return { hits: shown.map(({ unit }) => units[unit]), every: whole.length > 0 };
}

const item = ([id, title, work, kind, words]) => {
  const li = document.createElement("li");
  const head = document.createElement("h3");
  const link = document.createElement("a");
  link.href = `../${id}/index.html`;
  link.textContent = title;
  const where = document.createElement("span");
  where.className = "gist";
  where.textContent = ` ${work}`;
  head.append(link, where);
  const snippet = document.createElement("p");
  snippet.className = "snippet";
  snippet.textContent = words;
  const ways = document.createElement("p");
  ways.className = "ways";
  ways.textContent = kind;
  li.append(head, snippet, ways);
  return li;
};

const MOST = 50;
if (asked && section && globalThis.whistIndex) {
  if (field) field.value = asked;
  const { hits, every } = search(asked, globalThis.whistIndex);
  const count = hits.length === 1 ? "1 place" : `${hits.length} places`;
  const some = every ? "" : " No place has all of these words; these have some of them.";
  const cut = hits.length > MOST ? ` The first ${MOST} are shown.` : "";
  section.querySelector(".outcome").textContent = hits.length
    ? `${count} for “${asked}”.${some}${cut}`
    : `Nothing was found for “${asked}”.`;
  section.querySelector(".hits").replaceChildren(...hits.slice(0, MOST).map(item));
  section.hidden = false;
}
