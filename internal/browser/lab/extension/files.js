// The files of the lab, which cells read, and those that cells write, which the lab keeps.

/** @typedef {import("./lite.js").Contents} Contents */
/** @typedef {import("./lite.js").Model} Model */
/** @typedef {import("../client.js").Kernel} Kernel */

const root = "/notebooks/"; // of the lab, in the kernel's files

/** @param {Model} model with its content @returns {Uint8Array<ArrayBuffer>} */
function bytesOf({ format, content }) {
	if (format === "base64") return Uint8Array.from(atob(/** @type {string} */ (content)), (c) => c.charCodeAt(0));
	return new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content));
}

/** The files of one kernel. */
export class Files {
	/** When each was changed that the kernel has. @type {Map<string, string>} */
	#had = new Map();
	#fresh = false;
	#last = Promise.resolve();

	/** @param {Contents} contents @param {Kernel} kernel */
	constructor(contents, kernel) {
		this.contents = contents;
		this.kernel = kernel;
		contents.fileChanged.connect(this.#changed, this);
		kernel.changed = (path, bytes) => {
			this.#last = this.#last.then(() => this.#keep(path, bytes)).catch(console.warn);
		};
	}

	#changed() {
		this.#fresh = false;
	}

	dispose() {
		this.contents.fileChanged.disconnect(this.#changed, this);
	}

	/** Gives the kernel the files that it has not. */
	async give() {
		await this.#last;
		if (this.#fresh) return;
		this.#fresh = true;
		const gone = new Set(this.#had.keys());
		for (let folders = [""]; folders.length > 0;) {
			const all = await Promise.all(folders.map((path) => this.contents.get(path, { content: true })));
			const models = all.flatMap(({ content }) => /** @type {Model[]} */ (content)).filter(({ writable }) => writable); // the library is none
			folders = models.filter(({ type }) => type === "directory").map(({ path }) => path);
			for (const { path, type, last_modified } of models) {
				gone.delete(path);
				if (type !== "file" || this.#had.get(path) === last_modified) continue;
				this.kernel.put(root + path, bytesOf(await this.contents.get(path, { content: true })));
				this.#had.set(path, last_modified);
			}
		}
		for (const path of gone) {
			this.kernel.put(root + path);
			this.#had.delete(path);
		}
	}

	/** Keeps what a cell has done to a file. @param {string} path @param {Uint8Array} [bytes] undefined: it is removed */
	async #keep(path, bytes) {
		const name = path.slice(root.length), fresh = this.#fresh;
		if (!path.startsWith(root) || name.endsWith(".ipynb")) return;
		if (!bytes) {
			if (this.#had.delete(name)) await this.contents.delete(name);
		} else {
			await this.#makeFolder(name.slice(0, Math.max(0, name.lastIndexOf("/"))));
			const content = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
			const { last_modified } = await this.contents.save(name, { type: "file", format: "base64", content });
			this.#had.set(name, last_modified);
		}
		this.#fresh = fresh; // of this change it knows
	}

	/** @param {string} path */
	async #makeFolder(path) {
		if (!path || await this.contents.get(path, { content: false }).catch(() => undefined)) return;
		const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
		await this.#makeFolder(parent);
		const made = await this.contents.newUntitled({ path: parent, type: "directory" });
		await this.contents.rename(made.path, path);
	}
}
