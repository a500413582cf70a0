// Ranks the sections of the site for a search. MiniSearch stands above, a call with all pages below.

/** @typedef {{page: string, title: string, weight: number, sections: [heading: string, id: string, text: string, code: string][]}} Sought */
/** @typedef {{page: string, title: string, heading: string, id: string, text: string, terms: string[]}} Hit */

globalThis.marginaliaFinder = (() => {
	// A Greek letter is a word, which its name finds as well.
	const names = Object.entries({ α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", η: "eta", θ: "theta", κ: "kappa", λ: "lambda", μ: "mu", ξ: "xi", ρ: "rho", σ: "sigma", τ: "tau", φ: "phi", χ: "chi", ψ: "psi", ω: "omega" });
	const nameOf = new Map(/** @type {[string, string][]} */ (names));

	/** @param {string} text */
	const words = (text) => (text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/\p{Script=Greek}|(?:(?!\p{Script=Greek})[\p{L}\p{N}])+/gu) ?? []).filter((w) => w.length > 1 || w > "\u007f");
	/** @param {string} word */
	const singular = (word) => (word.length > 3 ? word.replace(/([^s])s$/, "$1") : word);
	/** @param {string} word */
	const terms = (word) => [singular(word), ...(nameOf.has(word) ? [/** @type {string} */ (nameOf.get(word))] : [])];

	const index = new MiniSearch({
		fields: ["heading", "title", "text", "code"],
		storeFields: ["page", "title", "heading", "id", "text", "weight"],
		idField: "key",
		tokenize: words,
		processTerm: terms,
	});
	const how = {
		boost: { heading: 4, title: 1.5, text: 1, code: .3 },
		processTerm: singular,
		/** @param {string} term */
		prefix: (term) => term.length > 1 || term > "\u007f",
		/** @param {string} term */
		fuzzy: (term) => (term.length > 7 ? 2 : term.length > 3 ? 1 : false),
		maxFuzzy: 2,
		weights: { fuzzy: .2, prefix: .5 },
		/** @param {unknown} key @param {string} term @param {{weight: number}} stored */
		boostDocument: (key, term, stored) => stored.weight,
	};

	return {
		/** @param {Sought[]} pages */
		ready(pages) {
			let key = 0;
			for (const { page, title, weight, sections } of pages) {
				for (const [heading, id, text, code] of sections) index.add({ key: key++, page, title, heading, id, text, code, weight });
			}
		},
		/** Returns the sections that have all words, or else some. @param {string} query @returns {Hit[]} */
		find(query) {
			const all = index.search(query, { ...how, combineWith: "AND" });
			return all.length > 0 ? all : index.search(query, { ...how, combineWith: "OR" });
		},
	};
})();
