// The data of a figure, read from its drawing: the marks of its layers, and the numbers at its axes, which
// say what a place means. So no output stores them a second time. A drawing has its places to a hundredth
// of a point, and the values have no more digits than that: four or so of the length of an axis.

/** @typedef {[number, number]} Place in points, from the upper left corner */
/** @typedef {{index: number, looks: string, ink: boolean, name: string, kind: string, places: Place[]}} Mark what a layer draws, or the legend */
/** @typedef {{index: number, left: number, right: number, top: number, bottom: number}} Box the frame of a panel */
/** @typedef {{at: number, words: string}} Tick a place along an axis, and the number or name that stands there */

const resolution = 0.01; // points
// The colours of plotting/internal/pen for the frame with its ticks, and for what lies below the layers.
const edge = 'fill="none" stroke="#4d4d4d" stroke-width="0.7"', grid = ['fill="none" stroke="#ebebeb" stroke-width="0.7"', 'fill="none" stroke="#b3b3b3" stroke-width="0.7"'];
const small = 9; // the size of the numbers at the axes and of names in a legend; what is raised is smaller

/** The look of an element, which its group has. @param {Element} e */
function looksOf(e) {
	return ["fill", "stroke", "stroke-width", "stroke-dasharray"].filter((name) => e.parentElement?.hasAttribute(name)).map((name) => `${name}="${e.parentElement?.getAttribute(name)}"`).join(" ");
}

/** The corners of each part of a path. @param {Element} path @returns {Place[][]} */
function partsOf(path) {
	return (path.getAttribute("d") ?? "").split(/(?=M)/).map((part) => [...part.matchAll(/([MLQC])([^MLQCZ]*)/g)].flatMap(([, command, text]) => {
		const numbers = (text.match(/[-\d.]+/g) ?? []).map(Number), each = { Q: 4, C: 6 }[command] ?? 2;
		return Array.from({ length: numbers.length / each }, (_, k) => /** @type {Place} */ (numbers.slice(each * k + each - 2, each * k + each)));
	}));
}

/** @param {Element} e @param {number} index @returns {Mark[]} */
function marksOf(e, index) {
	const looks = looksOf(e), title = e.querySelector("title")?.textContent ?? "";
	const name = title.replace(/^\([^)]*\) ?/, "").replace(/^“(.*)”$/, "$1"), ink = /(fill|stroke)="#(?!ffffff)/.test(looks) && !grid.includes(looks);
	const mark = { index, looks: looks.replace(/ ?stroke-width="[^"]*"/, ""), ink, name };
	if (e.localName === "circle") return [{ ...mark, kind: "point", places: [[Number(e.getAttribute("cx")), Number(e.getAttribute("cy"))]] }];
	return partsOf(e).map((places) => {
		if (!title) return { ...mark, kind: looks.startsWith('fill="none"') ? "line" : "area", places };
		const [x, y] = [0, 1].map((k) => places.reduce((sum, p) => sum + p[k], 0) / places.length); // glyphs are regular
		return { ...mark, kind: "point", places: [[x, y]] };
	});
}

/** @param {Element[]} all @returns {Box[]} */
function boxesOf(all) {
	return all.flatMap((e, index) => e.localName === "path" && looksOf(e) === edge ? partsOf(e).flatMap((p) => {
		const [[left, bottom], [right], [, top]] = p.length === 4 ? p : [[0, 0], [0, 0], [0, 0]];
		return right > left && p[1][1] === bottom && p[2][0] === right && p[3][0] === left ? [{ index, left, right, top, bottom }] : [];
	}) : []);
}

/** The run of small text from an element on. @param {Element[]} all @param {number} from @returns {{words: string, y: number}[]} */
function textFrom(all, from) {
	const run = [];
	for (let e = all[from]; e?.localName === "text"; e = all[++from]) {
		const size = Number(e.parentElement?.getAttribute("font-size"));
		if (size > small) break;
		const words = e.textContent ?? "", y = Number(e.getAttribute("y") ?? /[-\d.]+(?=\)$)/.exec(e.getAttribute("transform") ?? "")?.[0]);
		run.push({ words: size < small ? "^" + words : words, y });
	}
	return run;
}

/** The ticks of a box, and what its numbers are multiplied by or what is added to them. @param {Element[]} all @param {Box} box @param {number} end the index of the next box */
function ticksOf(all, box, end) {
	const across = /** @type {Tick[]} */ ([]), up = /** @type {Tick[]} */ ([]), notes = ["", ""];
	for (let k = box.index; k < end; k++) {
		if (all[k].localName !== "path" || looksOf(all[k]) !== edge) continue;
		const parts = partsOf(all[k]);
		parts.forEach(([[x0, y0], [x1, y1]], i) => {
			const run = i === parts.length - 1 ? textFrom(all, k + 1) : [];
			if (x0 === x1 && y0 === box.bottom && y1 > y0) across.push({ at: x0, words: run.map(({ words }) => words).join(" ").replaceAll(" ^", "^") });
			if (y0 !== y1 || x0 !== box.left || x1 > x0) return;
			const beside = run.filter(({ y }) => Math.abs(y - y0 - 3) < 5); // after the last number stand the notes
			up.push({ at: y0, words: beside.map(({ words }) => words).join("") });
			for (const { words, y } of run.slice(beside.length)) notes[y > y0 + 5 ? 0 : 1] += words;
		});
	}
	return { across, up, notes };
}

/** @param {string} words such as −1.5×10^−3 */
function number(words) {
	return Number(words.replaceAll("−", "-").replace(/^([-+]?)10\^/, "$11e").replace("×10^", "e") || NaN);
}

/** A function that says which value a place has. @param {Tick[]} ticks @param {string} note @returns {(at: number) => string} */
function scale(ticks, note) {
	const [, power = "", added = ""] = /^(×10\^−?\d+)?(.*)$/.exec(note) ?? [], factor = power ? number("1" + power) : 1, offset = added ? number(added) : 0;
	const known = ticks.filter(({ words }) => words).map(({ at, words }) => ({ at, v: number(words) * factor + offset }));
	const [a, b] = [known[0], known.at(-1)];
	if (!b || a === b || known.some(({ v }) => Number.isNaN(v))) { // names
		return (at) => {
			const k = ticks.reduce((best, t, i) => Math.abs(t.at - at) < Math.abs(ticks[best].at - at) ? i : best, 0);
			return ticks[k]?.words || String(k + 1);
		};
	}
	const slope = (b.v - a.v) / (b.at - a.at);
	if (!logarithmic(ticks, known)) {
		const unit = Math.floor(Math.log10(Math.abs(slope) * resolution));
		return (at) => String(Number(Math.round((a.v + (at - a.at) * slope) / 10 ** unit) + "e" + unit));
	}
	const rate = Math.log(b.v / a.v) / (b.at - a.at), digits = 1 - Math.floor(Math.log10(Math.abs(rate) * resolution));
	return (at) => String(Number((a.v * Math.exp((at - a.at) * rate)).toPrecision(digits)));
}

/** Whether an axis is logarithmic. @param {Tick[]} ticks @param {{at: number, v: number}[]} known */
function logarithmic(ticks, known) {
	const [a, b] = [known[0], /** @type {{at: number, v: number}} */ (known.at(-1))], far = 0.05;
	if (!(a.v > 0 && b.v > 0)) return false;
	if (known.length > 2) return known.some(({ at, v }) => Math.abs(a.at + (v - a.v) * (b.at - a.at) / (b.v - a.v) - at) > far);
	if (ticks.length > 2) return ticks.some(({ at }, k) => k > 1 && Math.abs(at - 2 * ticks[k - 1].at + ticks[k - 2].at) > far);
	return b.v / a.v > 9.9; // two multiples of one step that follow one another are nearer
}

/** The names of looks in the legend of a panel: the text after a sign of that look. @param {Element[]} all @param {Mark[]} signs */
function namesOf(all, signs) {
	const names = /** @type {Map<string, string>} */ (new Map());
	signs.forEach(({ index, looks, ink }, k) => {
		const next = signs.slice(k).find((s) => all[s.index + 1]?.localName === "text");
		const name = textFrom(all, (next?.index ?? index) + 1).map(({ words }) => words).join("");
		if (ink && name && !names.has(looks)) names.set(looks, name);
	});
	return names;
}

/**
 * The rows of a table: panel, series, kind of mark, x and y. A series has its name in the legend, or a number.
 * @param {SVGSVGElement} svg
 */
function data(svg) {
	const all = [...svg.querySelectorAll("circle, path, text")], boxes = boxesOf(all), rows = [["panel", "series", "mark", "x", "y"]];
	const marks = all.flatMap((e, index) => e.localName === "text" || looksOf(e) === edge ? [] : marksOf(e, index));
	const inside = (/** @type {Mark} */ m, /** @type {Box | undefined} */ b) => b && m.places.some(([x, y]) => x >= b.left - 1 && x <= b.right + 1 && y >= b.top - 1 && y <= b.bottom + 1);
	boxes.forEach((box, k) => {
		const before = boxes[k - 1]?.index ?? -1, next = boxes[k + 1], end = next?.index ?? all.length;
		const { across, up, notes } = ticksOf(all, box, end), x = scale(across, notes[0]), y = scale(up, notes[1]);
		const names = namesOf(all, marks.filter((m) => m.index > box.index && m.index < end && !inside(m, next)));
		const series = /** @type {string[]} */ ([]), count = /** @type {Record<string, number>} */ ({});
		for (const m of marks.filter((m) => m.ink && m.index > before && m.index < box.index && inside(m, box))) {
			if (!series.includes(m.looks)) series.push(m.looks);
			const kind = m.kind === "point" ? m.kind : `${m.kind} ${count[m.kind] = (count[m.kind] ?? 0) + 1}`;
			for (const [u, v] of m.places) rows.push([String(k + 1), names.get(m.looks) ?? (m.name || String(series.indexOf(m.looks) + 1)), kind, x(u), y(v)]);
		}
	});
	return rows;
}
