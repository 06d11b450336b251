// Equations, set by KaTeX when the page is read. What it cannot read is shown in red with the reason: a mistake is seen.
document.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll(".arithmatex")) {
    const text = place.textContent.trim();
    const displayMode = text.startsWith("\\[");
    katex.render(text.slice(2, -2), place, { displayMode, throwOnError: false });
  }
});
