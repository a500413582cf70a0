// The slider of the first page plays by itself while it is in view, unless the reader wants less motion or stops it.

/** @param {HTMLElement} hero */
function playHero(hero) {
	const host = /** @type {HTMLElement} */ (hero.querySelector("[data-slider]")), button = /** @type {HTMLButtonElement} */ (hero.querySelector(":scope > p button"));
	let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches, seen = false, beat = 0;
	const step = () => {
		const input = host.querySelector("input");
		if (!input) return; // its frames are on their way
		if (input.value === input.max) input.value = input.min;
		else input.stepUp();
		input.dispatchEvent(new Event("input"));
	};
	const run = () => {
		button.textContent = playing ? "Pause" : "Play";
		clearInterval(beat);
		if (playing && seen) beat = setInterval(step, 600);
	};
	/** @param {boolean} on */
	const play = (on) => {
		playing = on;
		run();
	};
	button.onclick = () => play(!playing);
	for (const by of ["pointerdown", "keydown"]) host.addEventListener(by, () => play(false));
	new IntersectionObserver(([{ isIntersecting }]) => {
		seen = isIntersecting;
		run();
	}).observe(host);
	run();
	hero.classList.add("ready");
}

/** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".hero")).forEach(playHero);
