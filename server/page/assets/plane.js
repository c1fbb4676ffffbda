// Points on a canvas that can be moved, zoomed, pointed at and walked over.

import { hueOf, visible } from "./dom.js";

const margin = 28, farthest = 40;

export class Plane {
  constructor(canvas, map, { open, point }) {
    Object.assign(this, { canvas, map, open, point });
    this.pen = canvas.getContext("2d");
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.hues = map.points.map((p) => hueOf(p.skillbook));
    this.view = { x: 0, y: 0, scale: 1 }; // x and y of the middle
    this.at = -1; // the point that is pointed at
    this.fingers = new Map();
    this.closing = new AbortController();
  }

  start() {
    const on = (target, kind, does) => target.addEventListener(kind, does.bind(this), { signal: this.closing.signal, passive: false });
    on(this.canvas, "pointermove", this.moved);
    on(this.canvas, "pointerdown", this.down);
    for (const kind of ["pointerup", "pointercancel"]) on(this.canvas, kind, this.up);
    on(this.canvas, "pointerleave", () => { if (!this.fingers.size) this.show(-1); });
    on(this.canvas, "wheel", this.wheel);
    on(this.canvas, "keydown", this.key);
    on(this.canvas, "blur", () => this.show(-1));
    on(this.dark, "change", () => this.draw());
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.canvas);
  }

  close() {
    this.closing.abort();
    this.watch?.disconnect();
  }

  // light dims all but some points; named ones get their names.
  light(lit, named = null) {
    this.lit = lit && this.map.points.map(lit);
    this.named = named && this.map.points.map(named);
    this.draw();
  }

  reset() {
    this.view = { x: 0, y: 0, scale: 1 };
    this.draw();
  }

  // zoom keeps the point of the canvas under x and y, its middle when left out.
  zoom(by, x = this.width / 2, y = this.height / 2) {
    const scale = Math.min(farthest, Math.max(1, this.view.scale * by));
    const [px, py] = this.back(x, y);
    this.view.scale = scale;
    const [qx, qy] = this.back(x, y);
    this.view.x += px - qx;
    this.view.y += py - qy;
    this.draw();
  }

  get width() { return this.canvas.clientWidth; }
  get height() { return this.canvas.clientHeight; }

  // place is where a point lies on the canvas; back is the other way round.
  place(p) {
    const sx = (this.width / 2 - margin) * this.view.scale, sy = (this.height / 2 - margin) * this.view.scale;
    return [this.width / 2 + (p.x - this.view.x) * sx, this.height / 2 - (p.y - this.view.y) * sy];
  }

  back(x, y) {
    const sx = (this.width / 2 - margin) * this.view.scale, sy = (this.height / 2 - margin) * this.view.scale;
    return [(x - this.width / 2) / sx + this.view.x, -(y - this.height / 2) / sy + this.view.y];
  }

  draw() {
    this.due ??= requestAnimationFrame(() => { this.due = undefined; this.paint(); });
  }

  paint() {
    const ratio = devicePixelRatio || 1, { pen, canvas, width, height } = this;
    if (!width || this.closing.signal.aborted) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const ink = getComputedStyle(canvas).color;
    this.places = this.map.points.map((p) => this.place(p));
    this.lines(ink);
    this.dots();
    this.names(ink);
    if (this.at >= 0) this.ring(ink);
  }

  lines(ink) {
    const { pen } = this;
    pen.strokeStyle = ink;
    pen.lineWidth = 1;
    pen.globalAlpha = this.lit ? 0.1 : 0.35;
    pen.beginPath();
    for (const { a, b } of this.map.links) {
      pen.moveTo(...this.places[a]);
      pen.lineTo(...this.places[b]);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  dots() {
    const { pen, lit } = this;
    const base = Math.max(2, Math.min(6, Math.sqrt(this.width * this.height / this.map.points.length) / 7)), radius = base * Math.min(2.2, Math.sqrt(this.view.scale));
    const lightness = this.dark.matches ? 0.74 : 0.56;
    for (const front of lit ? [false, true] : [true]) {
      pen.globalAlpha = front ? 0.8 : 0.14;
      for (const i of this.places.keys()) {
        if (lit && lit[i] !== front) continue;
        const [x, y] = this.places[i];
        if (x < -9 || y < -9 || x > this.width + 9 || y > this.height + 9) continue;
        pen.fillStyle = `oklch(${lightness} 0.12 ${this.hues[i].toFixed(0)})`;
        pen.beginPath();
        pen.arc(x, y, lit && front ? radius * 1.4 : radius, 0, 2 * Math.PI);
        pen.fill();
      }
    }
    pen.globalAlpha = 1;
  }

  // names writes those that were asked for, and all when few are in sight.
  names(ink) {
    const inside = ([x, y]) => x > 0 && y > 0 && x < this.width && y < this.height;
    let of = [...this.places.keys()].filter((i) => inside(this.places[i]));
    if (this.named) of = of.filter((i) => this.named[i]);
    else if (of.length > 60) return;
    const { pen } = this, taken = [];
    pen.font = "500 12px system-ui, sans-serif";
    pen.fillStyle = ink;
    pen.strokeStyle = getComputedStyle(this.canvas).backgroundColor;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    for (const i of of) {
      const [x, y] = this.places[i], name = visible(this.map.points[i].name).slice(0, 40), wide = pen.measureText(name).width;
      const left = x + 10 + wide > this.width ? x - 10 - wide : x + 10;
      if (taken.some(([tx, ty, tw]) => Math.abs(ty - y) < 15 && left < tx + tw && tx < left + wide)) continue;
      taken.push([left, y, wide]);
      pen.strokeText(name, left, y + 4);
      pen.fillText(name, left, y + 4);
    }
  }

  ring(ink) {
    const { pen } = this;
    pen.strokeStyle = ink;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(...this.places[this.at], 9, 0, 2 * Math.PI);
    pen.stroke();
  }

  // show points at a point, or at none. spoken says that it is to be heard.
  show(i, spoken = false) {
    if (i === this.at) return;
    this.at = i;
    const [x, y] = i >= 0 ? this.place(this.map.points[i]) : [0, 0];
    this.point(i >= 0 ? this.map.points[i] : null, [x, y, x > this.width * 0.6, spoken]);
    this.canvas.classList.toggle("pointing", i >= 0);
    this.draw();
  }

  nearest(x, y, within) {
    let best = -1, least = within * within;
    (this.places ?? []).forEach(([px, py], i) => {
      const d = (px - x) ** 2 + (py - y) ** 2;
      if (d < least && (!this.lit || this.lit[i])) [best, least] = [i, d];
    });
    return best;
  }

  spot(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    const [x, y] = this.spot(event);
    this.fingers.set(event.pointerId, [x, y]);
    this.canvas.setPointerCapture(event.pointerId);
    this.dragged = false;
    this.from = [x, y];
  }

  moved(event) {
    const [x, y] = this.spot(event), last = this.fingers.get(event.pointerId);
    if (!last) return this.show(this.nearest(x, y, 16));
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (others.length) {
      const apart = (p) => Math.hypot(p[0] - others[0][0], p[1] - others[0][1]) || 1;
      this.zoom(apart([x, y]) / apart(last), (x + others[0][0]) / 2, (y + others[0][1]) / 2);
      this.dragged = true;
    } else if (this.dragged || Math.hypot(x - this.from[0], y - this.from[1]) > 4) {
      this.dragged = true;
      this.show(-1);
      const [ax, ay] = this.back(...last), [bx, by] = this.back(x, y);
      this.view.x += ax - bx;
      this.view.y += ay - by;
      this.draw();
    }
    this.fingers.set(event.pointerId, [x, y]);
  }

  up(event) {
    const known = this.fingers.delete(event.pointerId);
    if (!known || this.dragged || event.type === "pointercancel") return;
    const i = this.nearest(...this.spot(event), event.pointerType === "touch" ? 24 : 16);
    if (event.pointerType === "touch" && i !== this.at) return this.show(i); // a second touch opens it
    if (i >= 0) this.open(this.map.points[i]);
  }

  // wheel zooms once the map was clicked, or with Ctrl: else the page scrolls.
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), ...this.spot(event));
  }

  key(event) {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (steps[event.key]) this.walk(...steps[event.key]);
    else if (event.key === "Enter" && this.at >= 0) this.open(this.map.points[this.at]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.5);
    else if (event.key === "-") this.zoom(1 / 1.5);
    else if (event.key === "0" || event.key === "Escape") this.reset();
    else return;
    event.preventDefault();
  }

  // walk goes to the nearest point within a right angle around a direction.
  walk(dx, dy) {
    if (this.at < 0) return this.show(this.nearest(this.width / 2, this.height / 2, Infinity), true);
    const [x, y] = this.places[this.at];
    let best = -1, least = Infinity;
    this.places.forEach(([px, py], i) => {
      const along = (px - x) * dx + (py - y) * dy, across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      const cost = along + 2 * across;
      if (along > 0.5 && across <= along && cost < least && (!this.lit || this.lit[i])) [best, least] = [i, cost];
    });
    if (best < 0) return;
    const [bx, by] = this.places[best];
    if (bx < 0 || by < 0 || bx > this.width || by > this.height) Object.assign(this.view, { x: this.map.points[best].x, y: this.map.points[best].y });
    this.show(best, true);
  }
}
