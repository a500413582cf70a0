// Makes the sliders of a lecture's page alive: the program of a slider's cell, compiled to
// WebAssembly, draws the figure for any value. Until it runs, figure.js moves the slider between
// the frames that the notebook stores.

import { Program, tell } from "./program.js";

/** @typedef {Awaited<ReturnType<typeof import("./figure.js").slide>>} Slider */
/** @typedef {{wasm: string, cell: string}} Place where the program of a slider is */

/** @type {Map<string, Program>} */
const programs = new Map();

/**
 * @param {Slider} slider
 * @param {Place} place
 * @param {string} base the address to which the program's is relative
 */
async function enliven(slider, { wasm, cell }, base) {
	const program = programs.get(wasm) ?? new Program(new URL(wasm, base));
	programs.set(wasm, program);
	const { name } = slider.stored;
	await program.ask(cell, name);
	/** @type {number | undefined} */
	let wanted;
	let drawing = false;
	const draw = async () => {
		drawing = true;
		for (let value = wanted; value !== undefined; value = wanted) {
			wanted = undefined;
			try {
				/** @type {{svg: string, error: string}} */
				const frame = JSON.parse(await program.ask(cell, name, String(value)));
				if (frame.error) throw new Error(frame.error);
				slider.draw(frame.svg);
			} catch (why) {
				tell(why);
			}
		}
		drawing = false;
	};
	slider.moved = (value, live) => {
		if (!live) return;
		wanted = value;
		if (!drawing) void draw();
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
