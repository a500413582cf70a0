// Ranks the sections of the site for a search. MiniSearch stands above, a call with all pages below.

/** @typedef {{page: string, title: string, weight: number, sections: [heading: string, id: string, text: string, code: string, bold: string][]}} Sought */

globalThis.marginaliaFinder = (() => {
	// A Greek letter is a word, which its name finds as well.
	const names = Object.entries({ α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", η: "eta", θ: "theta", κ: "kappa", λ: "lambda", μ: "mu", ξ: "xi", ρ: "rho", σ: "sigma", τ: "tau", φ: "phi", χ: "chi", ψ: "psi", ω: "omega" });
	const nameOf = new Map(/** @type {[string, string][]} */ (names));

	// Sections that name what others explain.
	const lists = new Set(["Calls", "Sources", "What to take home", "Exercises"]);

	/** A letter with a hyphen belongs to its word: k-means. @param {string} text */
	const words = (text) => (text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/(?<!\p{L})(\p{L})-(?=\p{L})/gu, "$1").toLowerCase().match(/\p{Script=Greek}|(?:(?!\p{Script=Greek})[\p{L}\p{N}])+/gu) ?? []).filter((w) => w.length > 1 || w > "\u007f");
	/** @param {string} word */
	const singular = (word) => (word.length > 3 ? word.replace(/([^s])s$/, "$1") : word);
	/** @param {string} word */
	const terms = (word) => [singular(word), ...(nameOf.has(word) ? [/** @type {string} */ (nameOf.get(word))] : [])];

	const index = new MiniSearch({
		fields: ["heading", "of", "text", "code", "bold"],
		storeFields: ["page", "title", "heading", "id", "text", "weight"],
		idField: "key",
		tokenize: words,
		processTerm: terms,
	});
	const how = {
		boost: { heading: 3, of: 1.5, text: 1, code: .1, bold: 1.5 },
		bm25: { k: 1.5, b: .1, d: .5 }, // long sections explain
		processTerm: singular,
		/** @param {string} term */
		prefix: (term) => term.length > 1 || term > "\u007f",
		/** @param {string} term */
		fuzzy: (term) => (term.length > 7 ? 2 : term.length > 3 ? 1 : false),
		maxFuzzy: 2,
		weights: { fuzzy: .2, prefix: .5 },
		/** @param {unknown} _key @param {string} _term @param {{heading: string, weight: number}} stored */
		boostDocument: (_key, _term, { heading, weight }) => weight * (lists.has(heading) ? .3 : 1),
	};

	return {
		/** Reads pages, a few at once, so that letters show meanwhile. @type {Promise<void> | undefined} */
		whole: undefined,
		/** @param {Sought[]} pages */
		ready(pages) {
			const all = pages.flatMap(({ sections, ...of }) => sections.map(([heading, id, text, code, bold], i) => ({ key: `${of.page}#${id}`, heading, of: i > 0 ? of.title : "", id, text, code, bold, ...of, weight: of.weight * (i > 0 ? 1 : .6) })));
			this.whole = index.addAllAsync(all, { chunkSize: 40 });
		},
		/** Returns the sections that have all words, or else some. @param {string} query @returns {Hit[]} */
		find(query) {
			const all = index.search(query, { ...how, combineWith: "AND" });
			return all.length > 0 ? all : index.search(query, { ...how, combineWith: "OR" });
		},
	};
})();
