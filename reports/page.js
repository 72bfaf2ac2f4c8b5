"use strict";
// Filters, keyboard shortcuts, the theme, copying, and the charts. Without this script the page is complete,
// but less convenient.
(() => {
  const root = document.documentElement;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const asked = new URLSearchParams(location.hash.slice(1));

  const remembered = () => {
    try { return localStorage.getItem("fixpoint-theme"); } catch { return null; }
  };
  const remember = (theme) => {
    try { localStorage.setItem("fixpoint-theme", theme); } catch { /* browsers may forbid it for files */ }
  };
  const isDark = () => root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const setTheme = (theme) => {
    if (theme !== "dark" && theme !== "light") return;
    root.dataset.theme = theme;
  };
  setTheme(asked.get("theme") || remembered());

  // Filters problems by words, severity, state, subject and property. The URL's fragment holds the open
  // problem and then the filters: #problem-ID&severity=error&words=volume
  const form = one(".filter"), problems = all(".problem");
  const facets = ["severity", "state", "subject", "property"];
  const fields = (name) => form ? [...form.querySelectorAll(`[name=${name}]`)] : [];
  const values = (problem, facet) => (problem.dataset[facet] || "").split("\n");
  const texts = new Map();
  const text = (problem) => {
    if (!texts.has(problem)) texts.set(problem, problem.textContent.toLowerCase());
    return texts.get(problem);
  };
  // Returns the values that a facet selects; null if it does not filter.
  const chosen = (facet) => {
    const inputs = fields(facet);
    if (inputs.length === 0) return null;
    if (inputs[0].tagName === "SELECT") return inputs[0].value ? [inputs[0].value] : null;
    const checked = inputs.filter((box) => box.checked);
    return checked.length === inputs.length ? null : checked.map((box) => box.value);
  };
  const count = (facet, shown) => {
    const number = (value) => shown.filter((problem) => values(problem, facet).includes(value)).length;
    for (const input of fields(facet)) {
      for (const option of input.querySelectorAll("[data-text]"))
        option.textContent = `${option.dataset.text} (${number(option.value)})`;
      const label = input.parentElement.querySelector(".count");
      if (label) label.textContent = number(input.value);
    }
  };
  let open = "", printing = false;
  const filter = () => {
    const words = fields("words")[0].value.trim().toLowerCase().split(/\s+/);
    const asks = new Map(facets.map((facet) => [facet, chosen(facet)]));
    const fits = (problem, except) => words.every((word) => text(problem).includes(word))
      && facets.every((facet) => facet === except || !asks.get(facet)
        || values(problem, facet).some((value) => asks.get(facet).includes(value)));
    for (const problem of problems) problem.hidden = !fits(problem);
    for (const facet of facets) count(facet, problems.filter((problem) => fits(problem, facet)));
    const shown = problems.filter((problem) => !problem.hidden).length;
    one("#shown").textContent = `${shown} of ${problems.length} shown`;
  };
  const write = () => {
    const parts = [];
    for (const facet of facets) {
      const asks = chosen(facet);
      for (const value of asks || []) parts.push(`${facet}=${encodeURIComponent(value)}`);
      if (asks && asks.length === 0) parts.push(`${facet}=`);
    }
    const words = fields("words")[0].value;
    if (words) parts.push(`words=${encodeURIComponent(words)}`);
    const hash = (open ? [open] : []).concat(parts).join("&");
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  };
  const show = (id) => {
    const element = document.getElementById(id);
    if (!element) return;
    for (let at = element; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    const card = element.closest("article");
    card.querySelector("details").open = true;
    open = id;
    element.scrollIntoView();
  };
  const read = () => {
    const hash = new URLSearchParams(location.hash.slice(1));
    const target = [...hash.keys()].find((key) => /^(problem|finding)-/.test(key));
    if (!target && ![...hash.keys()].some((key) => key === "words" || facets.includes(key))) return;
    fields("words")[0].value = hash.get("words") || "";
    for (const facet of facets) {
      for (const input of fields(facet)) {
        if (input.tagName === "SELECT") input.value = hash.get(facet) || "";
        else input.checked = !hash.has(facet) || hash.getAll(facet).includes(input.value);
      }
    }
    filter();
    if (target) show(target);
  };
  const step = (by) => {
    const shown = problems.filter((problem) => !problem.hidden);
    const at = shown.findIndex((problem) => problem.contains(document.activeElement));
    const next = shown[at < 0 ? 0 : Math.min(Math.max(at + by, 0), shown.length - 1)];
    if (!next) return;
    next.querySelector("summary").focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };
  if (form) {
    form.hidden = false;
    form.addEventListener("input", () => { filter(); write(); });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      document.activeElement.blur();
      step(0);
    });
    filter();
    read();
    window.addEventListener("hashchange", read);
    for (const problem of problems) {
      const details = problem.querySelector("details");
      details.addEventListener("toggle", () => {
        if (printing) return;
        if (details.open && !problem.contains(document.getElementById(open))) open = problem.id;
        else if (!details.open && problem.contains(document.getElementById(open))) open = "";
        write();
      });
    }
    // Enter needs no handler: the browser opens the focused element.
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const words = fields("words")[0];
      if (event.key === "Escape" && event.target === words) words.blur();
      if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
      if (event.key === "j") step(1);
      if (event.key === "k") step(-1);
      if (event.key === "/") {
        event.preventDefault();
        words.focus();
      }
    });
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

  // Draws the charts in the colours of the theme.
  const data = JSON.parse(one("#data").textContent);
  const colours = {
    light: ["#1d6b34", "#b3261e", "#c58a17", "#9aa4b2", "#1f5fbf", "#7a3fb0", "#0b7d86"],
    dark: ["#7bd092", "#ff8a80", "#f2b84b", "#66707f", "#7fb0ff", "#c79bff", "#5fd0d8"],
  };
  // The Chart.js configuration of each kind of chart; heights are in rem.
  const titled = (text) => ({ display: true, text });
  const logarithmic = (scale, text) => ({
    type: "logarithmic", min: scale.low, max: scale.high, title: titled(text),
    afterBuildTicks: (axis) => { axis.ticks = scale.ticks.map((value) => ({ value })); },
    ticks: { callback: (value) => value.toLocaleString("en"), autoSkip: false, maxRotation: 0 },
  });
  const day = (date, count) => count < 8 ? date.slice(0, 16).replace("T", " ") : date.slice(0, 10);
  const kinds = {
    bars: (given, stacked = false) => ({
      type: "bar", height: 4 + given.labels.length * 1.6, colour: 4,
      options: {
        indexAxis: "y",
        scales: { x: { stacked, title: titled(given.unit) }, y: { stacked, ticks: { autoSkip: false } } },
      },
    }),
    stacked: (given) => ({ ...kinds.bars(given, true), colour: 0 }),
    // The problems that each run found, and, below the axis, those that it fixed.
    trend: (given) => ({
      type: "bar", height: 15, colours: [1, 2, 0], signs: [1, 1, -1],
      options: {
        interaction: { mode: "index" },
        scales: {
          x: { stacked: true, ticks: { callback: (at) => day(given.labels[at], given.labels.length) } },
          y: { stacked: true, title: titled(given.unit), ticks: { precision: 0, callback: Math.abs } },
        },
      },
      tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${Math.abs(item.raw)}` } },
    }),
    // One of several panels side by side. They share a scale, which comes with the figures.
    panel: (given) => ({
      type: "line", height: 16, numbered: true,
      options: {
        layout: { padding: { right: 28 } },
        interaction: { mode: "nearest", axis: "xy", intersect: false },
        scales: { y: logarithmic(given.scale, given.unit) },
      },
    }),
    growth: (given) => {
      const least = given.sizes[0], most = given.sizes[given.sizes.length - 1], room = least === most ? 2 : 1;
      const sizes = { low: least / room, high: most * room, ticks: given.sizes };
      return {
        type: "line", height: 17, colour: 4, legend: { usePointStyle: true, pointStyle: "line" },
        options: {
          interaction: { mode: "nearest", axis: "x", intersect: false },
          scales: { x: logarithmic(sizes, given.label), y: logarithmic(given.scale, given.unit) },
        },
      };
    },
  };
  const dashed = { borderDash: [6, 5], borderWidth: 1.5, pointRadius: 0, pointHitRadius: 0 };
  // Returns one of the style sheet's nine pairs of a colour and dashes.
  const look = (style, number) => {
    const dashes = style.getPropertyValue(`--d${number}`).trim();
    return { colour: style.getPropertyValue(`--s${number}`).trim(),
             dash: dashes === "none" ? [] : dashes.split(/\s+/).map(Number) };
  };
  // Draws the number of each series at the end of its line, and moves numbers apart that would touch.
  const ends = {
    id: "ends",
    afterDatasetsDraw: (chart) => {
      const room = 12, area = chart.chartArea, labels = [];
      chart.data.datasets.forEach((dataset, at) => {
        const points = chart.getDatasetMeta(at).data;
        const last = points[points.length - 1];
        if (dataset.number && last && !last.skip)
          labels.push({ text: String(dataset.number), colour: dataset.borderColor, x: last.x, y: last.y });
      });
      labels.sort((a, b) => a.y - b.y);
      labels.forEach((label, at) => {
        label.at = Math.max(label.y, at > 0 ? labels[at - 1].at + room : area.top);
      });
      for (let at = labels.length - 1, below = area.bottom; at >= 0; --at) {
        labels[at].at = Math.min(labels[at].at, below);
        below = labels[at].at - room;
      }
      const pen = chart.ctx;
      pen.save();
      pen.font = "bold 11px system-ui, sans-serif";
      pen.textBaseline = "middle";
      for (const label of labels) {
        pen.strokeStyle = pen.fillStyle = label.colour;
        pen.beginPath();
        pen.moveTo(label.x + 3, label.y);
        pen.lineTo(label.x + 8, label.at);
        pen.stroke();
        pen.fillText(label.text, label.x + 10, label.at);
      }
      pen.restore();
    },
  };
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
            const numbered = drawn.numbered ? look(style, series.look) : null;
            const colour = numbered ? numbered.colour : series.dashed ? palette[3]
              : palette[drawn.colours ? drawn.colours[at] : (at + drawn.colour) % palette.length];
            const sign = drawn.signs ? drawn.signs[at] : 0;
            return { label: series.name, data: sign ? series.values.map((value) => sign * value) : series.values,
                     backgroundColor: colour, borderColor: colour,
                     ...(numbered ? { number: series.number, borderDash: numbered.dash, borderWidth: 2 } : {}),
                     ...(sign ? { maxBarThickness: 40 } : {}),
                     ...(series.dashed ? dashed : {}) };
          }),
        },
        options: {
          ...drawn.options,
          plugins: {
            legend: { display: !drawn.numbered && given.series.length > 1, labels: drawn.legend || {} },
            tooltip: drawn.tooltip || {},
          },
        },
        plugins: drawn.numbered ? [ends] : [],
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

  // Printing uses the light theme and unfolds everything, because paper cannot be unfolded. Only closed
  // findings stay closed: they repeat the first finding of their problem. Afterwards the page is restored.
  let unfolded = [], theme = "";
  window.addEventListener("beforeprint", () => {
    printing = true;
    theme = root.dataset.theme || "";
    root.dataset.theme = "light";
    root.dataset.paper = "true";
    unfolded = all("main details:not([open])").filter((details) => {
      const finding = details.closest(".finding");
      return !finding || (finding !== details.parentElement && finding.querySelector("details").open);
    });
    for (const details of unfolded) details.open = true;
    draw();
  });
  window.addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
    delete root.dataset.paper;
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    draw();
    setTimeout(() => { printing = false; });  // after the toggle events of the folded elements
  });
  root.dataset.ready = "true";
})();
