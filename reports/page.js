"use strict";
// Filters, the theme, copying, and the charts. Without it the page is whole, only less handy.
(() => {
  const root = document.documentElement;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const asked = new URLSearchParams(location.hash.slice(1));

  const remembered = () => {
    try { return localStorage.getItem("fixpoint-theme"); } catch { return null; }
  };
  const remember = (theme) => {
    try { localStorage.setItem("fixpoint-theme", theme); } catch { /* a page from a file may not */ }
  };
  const isDark = () => root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const setTheme = (theme) => {
    if (theme !== "dark" && theme !== "light") return;
    root.dataset.theme = theme;
  };
  setTheme(asked.get("theme") || remembered());

  // Findings by property, severity and words.
  const property = one("#property"), words = one("#words"), shown = one("#shown");
  const filter = () => {
    const severities = all("[name=severity]:checked").map((box) => box.value);
    const sought = words.value.toLowerCase();
    let count = 0;
    for (const finding of all(".finding")) {
      const fits = (!property.value || finding.dataset.property === property.value)
        && severities.includes(finding.dataset.severity)
        && (!sought || finding.textContent.toLowerCase().includes(sought));
      finding.hidden = !fits;
      count += fits ? 1 : 0;
    }
    shown.textContent = count + " of " + all(".finding").length + " shown";
  };
  if (property) {
    if (asked.has("property")) property.value = asked.get("property");
    if (asked.has("words")) words.value = asked.get("words");
    if (asked.has("severity"))
      for (const box of all("[name=severity]")) box.checked = box.value === asked.get("severity");
    for (const input of all(".filter input, .filter select")) input.addEventListener("input", filter);
    filter();
  }
  if (asked.has("open")) {
    const finding = document.getElementById("finding-" + asked.get("open"));
    if (finding) {
      finding.querySelector("details").open = true;
      finding.scrollIntoView();
    }
  }

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  for (const block of all(".copied")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await copy(block.querySelector("pre").textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    block.append(button);
  }

  // Charts in the colours of the theme.
  const data = JSON.parse(one("#data").textContent);
  const colours = {
    light: ["#1d6b34", "#b3261e", "#c58a17", "#9aa4b2", "#1f5fbf", "#7a3fb0", "#0b7d86"],
    dark: ["#7bd092", "#ff8a80", "#f2b84b", "#66707f", "#7fb0ff", "#c79bff", "#5fd0d8"],
  };
  // How each kind of figures is drawn; heights in rem.
  const titled = (text) => ({ display: true, text });
  const kinds = {
    bars: (given, stacked = false) => ({
      type: "bar", height: 4 + given.labels.length * 1.6, colour: 4,
      options: {
        indexAxis: "y",
        scales: { x: { stacked, title: titled(given.unit) }, y: { stacked, ticks: { autoSkip: false } } },
      },
    }),
    stacked: (given) => ({ ...kinds.bars(given, true), colour: 0 }),
    lines: (given) => ({
      type: "line", height: 20, colour: 4,
      options: { scales: { y: { type: "logarithmic", title: titled(given.unit) } } },
    }),
    curve: (given) => ({
      type: "line", height: 17, colour: 4, legend: { usePointStyle: true, pointStyle: "line" },
      options: {
        interaction: { mode: "nearest", axis: "x", intersect: false },
        scales: {
          x: { type: "linear", min: 0, bounds: "data", title: titled(given.label) },
          y: { min: 0, title: titled(given.unit) },
        },
      },
    }),
  };
  const dashed = { borderDash: [6, 5], borderWidth: 1.5, pointRadius: 0, pointHitRadius: 0 };
  let charts = [];
  const draw = () => {
    for (const chart of charts) chart.destroy();
    charts = [];
    if (typeof Chart === "undefined") return;
    const style = getComputedStyle(root), palette = colours[isDark() ? "dark" : "light"];
    Chart.defaults.color = style.getPropertyValue("--ink").trim();
    Chart.defaults.borderColor = style.getPropertyValue("--line").trim();
    Chart.defaults.animation = false;
    Chart.defaults.maintainAspectRatio = false;
    for (const canvas of all("canvas[data-chart]")) {
      const given = data[canvas.dataset.chart], drawn = kinds[given.kind](given);
      canvas.parentElement.style.height = drawn.height + "rem";
      charts.push(new Chart(canvas, {
        type: drawn.type,
        data: {
          labels: given.labels,
          datasets: given.series.map((series, at) => {
            const colour = series.dashed ? palette[3] : palette[(at + drawn.colour) % palette.length];
            return { label: series.name, data: series.values, backgroundColor: colour, borderColor: colour,
                     ...(series.dashed ? dashed : {}) };
          }),
        },
        options: {
          ...drawn.options,
          plugins: { legend: { display: given.series.length > 1, labels: drawn.legend || {} } },
        },
      }));
    }
    root.dataset.charts = String(charts.length);
  };
  draw();

  const toggle = document.createElement("button");
  toggle.type = "button";
  toggle.id = "theme";
  const name = () => { toggle.textContent = isDark() ? "Light theme" : "Dark theme"; };
  toggle.addEventListener("click", () => {
    setTheme(isDark() ? "light" : "dark");
    remember(root.dataset.theme);
    name();
    draw();
  });
  name();
  one("header").append(toggle);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { name(); draw(); });
  root.dataset.ready = "true";
})();
