// In a page the figure follows the still. A slider without frames keeps it, and so does what cannot
// be unpacked.
const scripts = /** @type {NodeListOf<HTMLScriptElement>} */ (document.querySelectorAll(`script[type="${figureType}"], script[type="${sliderType}"]`));
for (const packed of scripts) {
	const host = /** @type {HTMLElement} */ (packed.previousElementSibling);
	const text = packed.textContent ?? "";
	const shown = packed.type === figureType ? show(host, text, packed.dataset.figure) : stored(text).then((s) => s.frames.length && new Slider(host, s));
	shown.catch(console.warn);
}
