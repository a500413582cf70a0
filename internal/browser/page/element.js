/** An element of the page. @param {string} name @param {Record<string, string>} attributes @param {string} [text] */
export function element(name, attributes, text = "") {
	const e = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
	e.textContent = text;
	return e;
}
