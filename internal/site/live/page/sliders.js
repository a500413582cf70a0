// Makes the sliders of a lecture's page alive: the program of a slider's cell, compiled to
// WebAssembly, draws the figure for any value. Until it runs, figure.js moves the slider between
// the frames that the notebook stores.

import { near, Program, tell } from "./program.js";

const rest = 120; // milliseconds without a move after which a coarse figure is refined

/** @typedef {{value: number, coarse: boolean}} Move where the slider is; a coarse field has fewer samples */
/** @typedef {Awaited<ReturnType<typeof import("./figure.js").slide>>} Slider */
/** @typedef {{wasm: string, cell: string, files?: Record<string, string>}} Place where the program of a slider is, and the files it may read */

const programs = /** @type {Map<string, Program>} */ (new Map());

/** @param {Slider} slider @param {Place} place @param {string} base the address to which the program's is relative */
async function enliven(slider, { wasm, cell, files = {} }, base) {
	const program = programs.get(wasm) ?? new Program(new URL(wasm, base), files);
	programs.set(wasm, program);
	const { name, min, max } = slider.stored;
	// Cold code is slow, so three frames are drawn before the slider can move. The two at the ends may fail.
	const frames = [slider.value, min, max].map((value) => program.ask(cell, name, JSON.stringify({ value, coarse: true })));
	await Promise.allSettled(frames).then(() => frames[0]);
	let wanted = /** @type {Move | undefined} */ (undefined);
	let drawing = false, timer = 0;
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
	const places = /** @type {Record<string, Place>} */ (response.ok ? await response.json() : {});
	return (slider) => {
		const place = places[slider.stored.name];
		if (place) near(slider.row, () => enliven(slider, place, list).catch(tell));
	};
}
