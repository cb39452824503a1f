// Conveniences only: every page works without this file.
const search = document.querySelector("#q");
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "/" && search && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
  }
});

if (navigator.clipboard) {
  for (const source of document.querySelectorAll(".copy")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copier";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(source.textContent.trim());
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
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
