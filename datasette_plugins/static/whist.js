// Conveniences only: every page works without this file.
if (navigator.clipboard) {
  for (const source of document.querySelectorAll(".copy")) {
    const button = document.createElement("button");
    const name = source.dataset.name ?? "citation";
    const say = (verb) => {
      button.textContent = verb;
      button.setAttribute("aria-label", `${verb} the ${name}`);
    };
    button.type = "button";
    button.className = "copier";
    say("Copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(source.textContent.trim());
      say("Copied");
      setTimeout(say, 2000, "Copy");
    });
    source.after(button);
  }
}

// The code that the club plays is remembered where it was last chosen; an address that names one wins.
const club = document.querySelector("#club");
if (club) {
  try {
    const kept = localStorage.getItem("club");
    if ("remembered" in club.dataset && [...club.options].some((option) => option.value === kept)) club.value = kept;
    club.form.addEventListener("submit", () => localStorage.setItem("club", club.value));
  } catch { /* nothing may be kept in this browser */ }
}

// A box without that choice, as on the page of a law, asks for the same code, unless its page names one.
for (const form of document.querySelectorAll("header form.find")) {
  try {
    const kept = localStorage.getItem("club");
    if (!kept || form.elements.namedItem("code")) continue;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "code", value: kept });
    form.append(field);
  } catch { /* nothing was kept in this browser */ }
}

// An address may name what stands in a folded part: not every browser opens that by itself.
const reveal = () => {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = named?.closest("details:not([open])");
  if (folded) {
    folded.open = true;
    named.scrollIntoView();
  }
};
addEventListener("hashchange", reveal);
reveal();

// The first tap on a term tells what it means, the second leads to its page; Escape puts the note away.
const close = () => document.querySelectorAll(".term.open").forEach((term) => term.classList.remove("open"));
addEventListener("click", (event) => {
  const term = event.target.closest(".term");
  const tapped = event.pointerType === "touch" && term && !term.classList.contains("open");
  close();
  if (tapped) {
    event.preventDefault();
    term.classList.add("open");
  }
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  close();
  document.body.classList.add("quiet");
});
for (const again of ["focusin", "pointerover"]) addEventListener(again, () => document.body.classList.remove("quiet"));

// Enter asks; with Shift it begins a line.
for (const asked of document.querySelectorAll("form textarea")) {
  asked.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      asked.form.requestSubmit();
    }
  });
}

// A ruling can be printed, and shared where the browser can.
const ways = document.querySelector(".sheet .do");
if (ways) {
  const add = (words, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", act);
    ways.append(button, " ");
  };
  add("Print", () => print());
  if (navigator.share) add("Share", () => navigator.share({ title: document.title, url: location.href }));
}
