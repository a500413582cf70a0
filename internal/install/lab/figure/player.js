// Plays a slider of steps. It begins when the reader presses the button, never by itself, and each step
// waits for the figure of the one before.

const speeds = [1, 2, 5, 10, 20, 50]; // steps a second
const patience = 10e3; // milliseconds for a figure that does not come

const symbols = { back: "M11 3v10L4 8zM3 3h1v10H3z", play: "M4 2l10 6-10 6z", pause: "M4 3h3v10H4zM9 3h3v10H9z", step: "M5 3v10l7-5zM12 3h1v10h-1z" };

/** A button with a symbol, which is no SVG: that would be the figure. @param {string} name @param {string} d */
function key(name, d) {
	const button = made("button", { type: "button", title: name, ariaLabel: name });
	button.append(made("i"));
	draw(button, d);
	return button;
}

/** @param {HTMLElement} button @param {string} d */
function draw(button, d) {
	/** @type {HTMLElement} */ (button.firstElementChild).style.clipPath = `path("${d}")`;
}

/**
 * Puts a player into a place beside a slider.
 * @param {HTMLElement} place
 * @param {HTMLInputElement} input
 * @param {HTMLElement} picture the figure that follows the slider
 */
export function player(place, input, picture) {
	const back = key("Step back", symbols.back), start = key("Play", symbols.play), forward = key("Step", symbols.step);
	const speed = /** @type {HTMLSelectElement} */ (made("select", { title: "Steps a second", ariaLabel: "Steps a second" }));
	speed.append(...speeds.map((n) => new Option(`${n} / s`, String(n), n === 5, n === 5)));
	place.append(back, start, forward, speed);
	let playing = false, drawn = true, due = 0;
	new MutationObserver(() => { drawn = true; }).observe(picture, { childList: true });

	/** @param {number} value */
	const move = (value) => {
		drawn = false;
		input.value = String(value);
		input.dispatchEvent(new Event("input", { bubbles: true }));
	};
	/** @param {boolean} on */
	const play = (on) => {
		if (on === playing) return;
		playing = on;
		start.title = start.ariaLabel = on ? "Pause" : "Play";
		draw(start, on ? symbols.pause : symbols.play);
		if (!on) return;
		due = performance.now() + 1000 / Number(speed.value);
		if (input.valueAsNumber >= Number(input.max)) move(Number(input.min));
		requestAnimationFrame(tick);
	};
	/** @param {number} now */
	const tick = (now) => {
		if (playing && (!input.isConnected || input.disabled || input.valueAsNumber >= Number(input.max))) play(false);
		if (!playing) return;
		requestAnimationFrame(tick);
		if (now < due || !drawn && now < due + patience) return;
		due = Math.max(due + 1000 / Number(speed.value), now);
		input.stepUp();
		move(input.valueAsNumber);
	};
	/** @param {1 | -1} by */
	const step = (by) => {
		play(false);
		if (!input.disabled) move(input.valueAsNumber + by * Number(input.step));
	};
	start.addEventListener("click", () => play(!playing));
	back.addEventListener("click", () => step(-1));
	forward.addEventListener("click", () => step(1));
	input.addEventListener("input", (event) => event.isTrusted && play(false)); // the reader moves it
	input.addEventListener("keydown", (event) => {
		if (event.key !== " ") return;
		event.preventDefault();
		play(!playing);
	});
	place.addEventListener("keydown", (event) => {
		const by = { ArrowLeft: /** @type {const} */ (-1), ArrowRight: /** @type {const} */ (1) }[event.key];
		if (event.key !== "Tab") event.stopPropagation(); // JupyterLab and reveal.js have uses for keys
		if (by && event.target !== speed) step(by);
	});
	document.addEventListener("visibilitychange", () => document.hidden && play(false));
}
