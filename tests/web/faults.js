// What is wrong with the page that is shown, each fault with the element that has it. Contrast is by WCAG 2.2, 1.4.3;
// the size of targets by 2.5.8, which leaves out links within a line of text.
() => {
  const faults = [];
  const say = (what, e) => faults.push(`${what}: ${e.outerHTML.slice(0, 90)}`);
  const every = (selector) => [...document.querySelectorAll(selector)];
  const shown = (e) => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0;

  if (document.documentElement.lang !== "en") faults.push("no language");
  for (const one of ["main", "h1", "head title"]) if (every(one).length !== 1) faults.push(`not one ${one}`);

  let last = 1;
  for (const heading of every("main :is(h1, h2, h3, h4, h5, h6)")) {
    const level = Number(heading.tagName[1]);
    if (level > last + 1) say(`after h${last}`, heading);
    last = level;
  }

  const ids = every("[id]").map((e) => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) faults.push(`an id twice: ${id}`);

  for (const e of every("nav")) if (!e.getAttribute("aria-label")) say("no name", e);
  for (const e of every("a[href], button, summary")) {
    if (!e.getAttribute("aria-label") && !e.textContent.trim()) say("no name", e);
  }
  for (const e of every("select, textarea, input:not([type=hidden], [type=submit])")) {
    if (!e.getAttribute("aria-label") && !e.labels.length) say("no name", e);
  }
  for (const e of every("summary")) if (e.querySelector("a, button, input")) say("nested", e);
  for (const e of every("button, select, summary, textarea")) {
    if (shown(e) && e.getBoundingClientRect().height < 24) say("small", e);
  }

  const paint = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = (colour) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data];
  };
  const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const ground = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const judged = new Set();
  for (const e of every("body *:not(svg *)")) {
    if (![...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || !shown(e)) continue;
    const style = getComputedStyle(e);
    const under = ground(e);
    const key = [style.color, style.fontSize, ...under].join();
    if (judged.has(key)) continue;
    judged.add(key);
    const [light, dark] = [luminance(rgba(style.color)), luminance(under)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) say(`contrast ${ratio.toFixed(2)}`, e);
  }
  return faults;
}
