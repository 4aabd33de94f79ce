// Curves over time, contacts over time, and the way from above. Each is drawn once; only heads move.
const timed = [];

// The least and the most of a curve in each column of pixels, as one line.
const trace = (context, values, w, y) => {
  const last = Math.max(1, values.length - 1);
  context.beginPath();
  for (let x = 0, i = 0; x <= w && i < values.length; x++) {
    const end = Math.min(values.length, Math.max(i + 1, Math.floor(((x + 1) / w) * last) + 1));
    let [least, most] = [Infinity, -Infinity];
    const first = i;
    for (; i < end; i++) {
      least = Math.min(least, values[i]);
      most = Math.max(most, values[i]);
    }
    if (values.length > w) {
      context.lineTo(x, y(most));
      context.lineTo(x, y(least));
    } else {
      for (let j = first; j < end; j++) context.lineTo((j / last) * w, y(values[j]));
    }
  }
  context.stroke();
};

// To a tenth, without a zero below zero.
const tenths = (value) => (Math.round(10 * value) / 10 || 0).toFixed(1);

const nice = (most) => {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1e-6)));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= most);
};

// Frames from pointers, over an area as wide as the clip is long.
const seekOver = (area) => {
  const to = (event) => {
    const box = area.getBoundingClientRect();
    seek(Math.round(((event.clientX - box.left) / box.width) * (scene.frames - 1)));
  };
  area.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button")) return;
    area.setPointerCapture(event.pointerId);
    to(event);
  });
  area.addEventListener("pointermove", (event) => event.buttons && to(event));
};

const plot = (chart) => {
  const box = document.createElement("figure");
  box.className = "plot";
  box.style.margin = "0";
  box.innerHTML = '<figcaption class="top"><h2></h2><span class="values"></span></figcaption><div class="area"><canvas role="img"></canvas><div class="head"></div></div>';
  box.querySelector("h2").textContent = chart.title;
  document.getElementById("plots").append(box);
  const [area, canvas, values] = [".area", "canvas", ".values"].map((s) => box.querySelector(s));
  canvas.setAttribute("aria-label", `${chart.title} over time`);
  const series = chart.series.map((one) => ({ ...one, values: floats(one.at, scene.frames) }));
  let least = Infinity;
  let most = -Infinity;
  for (const one of series) {
    for (const value of one.values) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  const ceiling = Math.max(nice(most), chart.least_span);
  const floor = least < 0 ? -nice(-least) : 0;
  const draw = () => {
    const context = canvas.getContext("2d");
    const [w, h] = fit(canvas, context);
    context.clearRect(0, 0, w, h);
    const y = (value) => 8 + (1 - (value - floor) / (ceiling - floor)) * (h - 12);
    context.strokeStyle = context.fillStyle = colours.faint;
    context.font = "11px system-ui, sans-serif";
    context.globalAlpha = 0.35;
    for (const level of [0, ceiling]) {
      context.beginPath();
      context.moveTo(0, y(level));
      context.lineTo(w, y(level));
      context.stroke();
    }
    context.globalAlpha = 1;
    context.fillText(`${ceiling} ${chart.unit}`, 2, y(ceiling) + 12);
    for (const one of series) {
      context.globalAlpha = one.of === "source" ? 0.4 : 1;
      context.lineWidth = one.of === "source" ? 1 : 1.5;
      context.strokeStyle = colours[one.limb];
      trace(context, one.values, w, y);
    }
    context.globalAlpha = 1;
    context.fillStyle = colours.ink;
    for (const number of scene.numbers.filter((n) => n.joint)) {
      const x = (number.frame / Math.max(1, scene.frames - 1)) * w;
      context.beginPath();
      context.moveTo(x, h - 1);
      context.lineTo(x - 4, h - 8);
      context.lineTo(x + 4, h - 8);
      context.fill();
    }
  };
  const tell = (frame) => {
    const own = series.filter((one) => one.of === "result");
    if (own.length > 4) return;
    values.textContent = own.map((one) => `${one.name} ${tenths(one.values[frame])}`).join(" · ") + ` ${chart.unit}`;
  };
  seekOver(area);
  timed.push({ area, head: box.querySelector(".head"), draw, tell });
};

// Contacts as lines, one a part of a foot and one a hand or knee that carries weight.
const lanes = () => {
  const LINE = 21;
  const area = document.querySelector("#lanes .area");
  const canvas = area.querySelector("canvas");
  const top = 18;
  const rows = [...scene.feet, ...scene.leans];
  area.style.height = `${top + LINE * rows.length + 4}px`;
  const names = document.getElementById("lane-names");
  rows.forEach((row, f) => {
    const span = document.createElement("span");
    span.textContent = row.name;
    span.style.top = `${top + LINE * f - 1}px`;
    names.append(span);
  });
  const draw = () => {
    const context = canvas.getContext("2d");
    const [w, h] = fit(canvas, context);
    context.clearRect(0, 0, w, h);
    const x = (frame) => (frame / Math.max(1, scene.frames - 1)) * w;
    scene.feet.forEach((foot, f) => {
      context.fillStyle = colours[foot.limb];
      foot.intervals.forEach((intervals, part) => {
        // A foot that stands on one point has one line, level with its name.
        const y = top + LINE * f + (foot.intervals[0].length ? 6 * part : 6);
        for (const [start, end] of intervals) context.fillRect(x(start), y, Math.max(1, x(end - 1) - x(start)), 4);
      });
    });
    scene.leans.forEach((lean, l) => {
      context.fillStyle = colours[lean.limb];
      const y = top + LINE * (scene.feet.length + l) + 6;
      for (const [start, end] of lean.intervals) context.fillRect(x(start), y, Math.max(1, x(end - 1) - x(start)), 4);
    });
  };
  const marks = document.getElementById("marks");
  for (const number of scene.numbers.filter((n) => n.joint)) {
    const mark = document.createElement("button");
    mark.textContent = "▼";
    mark.className = number.over ? "missed" : "";
    mark.title = `${number.name}: worst at ${number.joint}, frame ${number.frame}`;
    mark.setAttribute("aria-label", mark.title);
    mark.style.left = `${(100 * number.frame) / Math.max(1, scene.frames - 1)}%`;
    mark.addEventListener("click", () => toWorst(number));
    marks.append(mark);
  }
  seekOver(area);
  timed.push({ area, head: area.querySelector(".head"), draw, tell: () => {} });
};

// The hips' way from above, source and result.
const way = () => {
  const box = document.createElement("figure");
  box.className = "plot way";
  box.style.margin = "0";
  box.innerHTML = '<figcaption class="top"><h2>Path of the hips, from above</h2><span class="values"></span></figcaption><div class="area"><canvas role="img" aria-label="Path of the hips from above"></canvas><div class="spot"></div></div>';
  document.getElementById("plots").append(box);
  const [area, canvas, spot, values] = [".area", "canvas", ".spot", ".values"].map((s) => box.querySelector(s));
  const { source, result } = bodies;
  const ends = [0, 2].map((k) => {
    let [least, most] = [Infinity, -Infinity];
    for (const roots of [source.roots, result.roots]) {
      for (let i = k; i < roots.length; i += 3) {
        least = Math.min(least, roots[i]);
        most = Math.max(most, roots[i]);
      }
    }
    return [least, most];
  });
  let place = () => [0, 0];
  const lay = () => {
    const [w, h] = [area.clientWidth, area.clientHeight];
    const span = ends.map(([least, most]) => most - least);
    const size = Math.min((w - 40) / Math.max(span[0], 0.5), (h - 40) / Math.max(span[1], 0.5));
    const middle = ends.map(([least, most]) => (least + most) / 2);
    place = (roots, frame) => [w / 2 + size * (roots[3 * frame] - middle[0]), h / 2 + size * (roots[3 * frame + 2] - middle[1])];
  };
  const draw = () => {
    lay();
    const context = canvas.getContext("2d");
    const [w, h] = fit(canvas, context);
    context.clearRect(0, 0, w, h);
    for (const [body, colour, width] of [[source, colours.faint, 1], [result, colours.trunk, 1.6]]) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.beginPath();
      for (let frame = 0; frame < scene.frames; frame++) context.lineTo(...place(body.roots, frame));
      context.stroke();
    }
    context.fillStyle = colours.ink;
    for (const number of scene.numbers.filter((n) => n.joint)) {
      const [x, y] = place(result.roots, number.frame);
      context.beginPath();
      context.arc(x, y, 3, 0, 2 * Math.PI);
      context.fill();
    }
  };
  area.addEventListener("pointerdown", (event) => {
    const bounds = area.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    let [best, least] = [0, Infinity];
    for (let frame = 0; frame < scene.frames; frame++) {
      const [px, py] = place(result.roots, frame);
      const far = (px - x) ** 2 + (py - y) ** 2;
      if (far < least) [best, least] = [frame, far];
    }
    seek(best);
  });
  const tell = (frame) => {
    const [x, y] = place(result.roots, frame);
    spot.style.transform = `translate(${x}px, ${y}px)`;
    values.textContent = `${tenths(result.roots[3 * frame])}, ${tenths(result.roots[3 * frame + 2])} legs`;
  };
  timed.push({ area, head: null, draw, tell });
};

lanes();
scene.plots.forEach(plot);
way();

const drawPlots = () => timed.forEach((one) => one.draw());
const movePlots = (frame) => {
  const share = frame / Math.max(1, scene.frames - 1);
  for (const { area, head, tell } of timed) {
    if (head) head.style.transform = `translateX(${share * area.clientWidth}px)`;
    tell(frame);
  }
};
