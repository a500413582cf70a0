// Makes the sliders of a lecture's page alive: the program of a slider's cell, compiled to
// WebAssembly, draws the figure for any value. Until it runs, figure.js moves the slider between
// the frames that the notebook stores.

import { Program, tell } from "./program.js";

const rest = 120; // milliseconds without a move after which a coarse figure is refined

/** @typedef {{value: number, coarse: boolean}} Move where the slider is; a coarse field has fewer samples */
/** @typedef {Awaited<ReturnType<typeof import("./figure.js").slide>>} Slider */
/** @typedef {{wasm: string, cell: string, files?: Record<string, string>}} Place where the program of a slider is, and the files it may read */

/** @type {Map<string, Program>} */
const programs = new Map();

/**
 * @param {Slider} slider
 * @param {Place} place
 * @param {string} base the address to which the program's is relative
 */
async function enliven(slider, { wasm, cell, files = {} }, base) {
	const at = Object.fromEntries(Object.entries(files).map(([path, file]) => [path, new URL(file, base).href]));
	const program = programs.get(wasm) ?? new Program(new URL(wasm, base), at);
	programs.set(wasm, program);
	const { name } = slider.stored;
	await program.ask(cell, name);
	/** @type {Move | undefined} */
	let wanted;
	let drawing = false;
	let timer = 0;
	const draw = async () => {
		drawing = true;
		for (let move = wanted; move; move = wanted) {
			wanted = undefined;
			clearTimeout(timer);
			try {
				/** @type {{svg: string, error?: string, coarse?: boolean}} */
				const frame = JSON.parse(await program.ask(cell, name, JSON.stringify(move)));
				if (frame.error) throw new Error(frame.error);
				slider.picture.ariaBusy = String(!!frame.coarse);
				slider.draw(frame.svg);
				if (frame.coarse) timer = setTimeout(ask, rest, { value: move.value, coarse: false });
			} catch (why) {
				slider.picture.ariaBusy = "false";
				tell(why);
			}
		}
		drawing = false;
	};
	/** @param {Move} move */
	const ask = (move) => {
		wanted = move;
		if (!drawing) void draw();
	};
	slider.moved = (value, live) => {
		if (live) ask({ value, coarse: true });
	};
	slider.live(true, "");
}

/**
 * Returns what makes a slider alive once it comes into view.
 * @param {string} list the address of a lecture's list of programs
 * @returns {Promise<(slider: Slider) => void>}
 */
export async function enlivener(list) {
	const response = await fetch(list);
	/** @type {Record<string, Place>} */
	const places = response.ok ? await response.json() : {};
	/** @type {Map<Element, Slider>} */
	const rows = new Map();
	const seen = new IntersectionObserver((entries) => {
		for (const { isIntersecting, target } of entries) {
			const slider = rows.get(target);
			if (!isIntersecting || !slider) continue;
			seen.unobserve(target);
			enliven(slider, places[slider.stored.name], list).catch(tell);
		}
	}, { rootMargin: "200px" });
	return (slider) => {
		if (!places[slider.stored.name]) return;
		rows.set(slider.row, slider);
		seen.observe(slider.row);
	};
}
