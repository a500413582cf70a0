// The kernel of a notebook in the lab: it answers Jupyter's messages with a Kernel of client.js.

/** @typedef {import("../client.js").Output} Output */
/** @typedef {import("./lite.js").Lite} Lite */
/** @typedef {import("./lite.js").KernelOptions} KernelOptions */
/** @typedef {{Kernel: new (base: string, folder: string, given: import("../given.js").Given[]) => import("../client.js").Kernel, Files: typeof import("./files.js").Files, given: import("../given.js").Given[]}} Parts given has addresses seen from the folder go */

const version = new URL(import.meta.url).search; // files of other versions may be cached
const goFolder = new URL("../../../../go/", import.meta.url); // of the site
const language = { name: "go", version: "1.26", mimetype: "text/x-go", file_extension: ".go", pygments_lexer: "go", codemirror_mode: "go", nbconvert_exporter: "script" };

/** Tells the reader why the first cell takes long, if it does, until the function is called that it returns. @param {import("./lite.js").App} app */
function announce({ commands }) {
	let told = Promise.resolve("");
	const message = "Go’s compiler and linker are loading: some 10 MB the first time, later from this browser’s store.";
	const timer = setTimeout(() => { told = commands.execute("apputils:notify", { message, type: "in-progress", options: { autoClose: false } }); }, 2000);
	return async () => {
		clearTimeout(timer);
		const last = told;
		told = Promise.resolve("");
		const id = await last;
		if (id) await commands.execute("apputils:dismiss-notification", { id });
	};
}

/** @param {Lite} lite JupyterLite's package of services @param {Parts} parts @param {import("./lite.js").App} app */
function kernelClass({ BaseKernel }, { Kernel, Files, given }, app) {
	return class GoKernel extends BaseKernel {
		#go;
		#files;
		#loaded = false;

		/** @param {KernelOptions} options */
		constructor(options) {
			super(options);
			const folder = "/notebooks/" + options.location.replace(/^[^/]*:/, ""); // without the drive
			this.#go = new Kernel(goFolder.href, folder, given.map((file) => ({ ...file, url: new URL(file.url, goFolder).href })));
			this.#files = new Files(app.serviceManager.contents, this.#go);
		}

		dispose() {
			if (!this.isDisposed) {
				this.#files.dispose();
				this.#go.end();
			}
			super.dispose();
		}

		interrupt() {
			this.#go.interrupt();
		}

		/** @param {{header: {msg_type: string}, content: any}} message */
		async handleMessage(message) {
			const { header: { msg_type }, content } = message;
			if (msg_type === "execute_request" && (content.silent || !content.code.trim())) content.store_history = false; // it takes no number
			return super.handleMessage(message);
		}

		async kernelInfoRequest() {
			return { status: "ok", implementation: "gonb", implementation_version: "marginalia", banner: "Go in this page", protocol_version: "5.4", language_info: language, help_links: [] };
		}

		/** @param {{code: string, silent?: boolean, store_history?: boolean, allow_stdin?: boolean}} request */
		async executeRequest({ code, silent, store_history, allow_stdin }) {
			const shown = new Set(), end = this.#loaded ? () => {} : announce(app);
			this.#loaded = true;
			let execution_count = this.executionCount;
			let failure = { ename: "ERROR", evalue: "", traceback: /** @type {string[]} */ ([]) };
			const show = (/** @type {Output} */ o) => {
				void end();
				if (o.output_type === "error") failure = { ename: o.ename ?? "", evalue: o.evalue ?? "", traceback: o.traceback ?? [] };
				if (o.output_type === "input_request" && (silent || !allow_stdin)) this.#go.input(null); // nobody can type
				else if (!silent) this.#show(o, shown);
			};
			try {
				await this.#files.give();
				const { ok, count } = await this.#go.execute("", code, show, undefined, !store_history);
				execution_count = count;
				if (ok) return { status: "ok", execution_count, user_expressions: {}, payload: [] };
			} catch (why) {
				const words = String(why);
				show({ output_type: "error", ename: "ERROR", evalue: words, traceback: [words] });
			} finally {
				void end();
			}
			return { status: "error", execution_count, ...failure };
		}

		/** @param {Output} o @param {Set<string>} shown the display ids that the cell has used */
		#show({ output_type, name, text, data, metadata, transient, ename, evalue, traceback, prompt, password }, shown) {
			if (output_type === "stream") return this.stream({ name, text });
			if (output_type === "error") return this.publishExecuteError({ ename, evalue, traceback });
			if (output_type === "input_request") return this.inputRequest({ prompt: prompt ?? "", password: !!password });
			const id = transient?.display_id;
			if (!id) return this.displayData({ data, metadata });
			if (shown.has(id)) return this.updateDisplayData({ data, metadata, transient });
			shown.add(id);
			return this.displayData({ data, metadata, transient });
		}

		async isCompleteRequest() {
			return { status: "unknown" }; // as GoNB's
		}

		/** @param {{code: string, cursor_pos: number}} request */
		async completeRequest({ code, cursor_pos }) {
			const { names, prefix } = await this.#go.complete(code, cursor_pos);
			const start = cursor_pos - prefix;
			return { status: "ok", matches: names.map(({ text }) => text), cursor_start: start, cursor_end: cursor_pos,
				metadata: { _jupyter_types_experimental: names.map((name) => ({ ...name, start, end: cursor_pos })) } };
		}

		/** @param {{code: string, cursor_pos: number}} request */
		async inspectRequest({ code, cursor_pos }) {
			const text = await this.#go.inspect(code, cursor_pos);
			return { status: "ok", found: text !== "", metadata: {}, data: text === "" ? {} : { "text/plain": text, "text/markdown": "```go\n" + text + "\n```" } };
		}

		async commInfoRequest() {
			return { status: "ok", comms: {} };
		}

		/** @param {{value: string}} reply */
		inputReply({ value }) {
			this.#go.input(value);
		}

		// No program outlives its cell to move a slider: a comm is told so, whatever it is for.
		/** @param {{header: object, content: {comm_id: string}}} message */
		async commOpen({ header, content: { comm_id } }) {
			this.handleComm("comm_msg", { comm_id, data: { live: false, rerun: false } }, {}, [], header);
		}

		async commMsg() {}
		async commClose() {}
	};
}

/** Folds the list of files where there is no place for it. JupyterLite shows the folder of the notebook that a link opens. @param {import("./lite.js").App} app */
function foldOnPhones({ commands, restored, shell }) {
	if (!matchMedia("(max-width: 700px)").matches) return;
	const fold = () => shell.collapseLeft();
	/** @param {unknown} _from @param {{id: string, result: Promise<unknown>}} command */
	const shown = (_from, { id, result }) => {
		if (id !== "docmanager:show-in-file-browser") return;
		commands.commandExecuted.disconnect(shown);
		result.then(fold, fold);
	};
	commands.commandExecuted.connect(shown);
	restored.then(fold);
}

// JupyterLite 0.8 takes a notebook for one that is open if the names of their files are the same, as those of a lecture
// and its exercises: it would end the kernel of the first, and give the second none. A session is therefore named by its path.
/** @param {Lite} lite */
function nameSessionsByPath({ LiteSessionClient: { prototype } }) {
	const { startNew, update } = prototype;
	prototype.startNew = function (options) {
		return startNew.call(this, { ...options, name: options.path });
	};
	prototype.update = function (options) {
		return update.call(this, { ...options, name: options.path });
	};
}

/** @param {Lite} lite */
export function plugin(lite) {
	nameSessionsByPath(lite);
	return {
		id: "marginalia-kernel:kernel",
		description: "Go in the page, as the kernel of notebooks.",
		autoStart: true,
		requires: [lite.IKernelSpecs, lite.IKernelClient],
		/** @param {import("./lite.js").App} app @param {import("./lite.js").KernelSpecs} specs @param {import("./lite.js").KernelClient} client */
		activate(app, specs, client) {
			let loaded = /** @type {Promise<ReturnType<typeof kernelClass>> | undefined} */ (undefined);
			const load = async () => {
				const [{ Kernel }, { Files }, { default: given }] = await Promise.all([import(new URL("client.js", goFolder).href), ...["./files.js", "./given.js"].map((name) => import(name + version))]);
				return kernelClass(lite, { Kernel, Files, given }, app);
			};
			specs.register({
				spec: { name: "gonb", display_name: "Go (gonb)", language: "go", argv: [], resources: {}, metadata: {} },
				create: async (options) => {
					loaded ??= load();
					loaded.catch(() => { loaded = undefined; }); // the next kernel may have more luck
					return new (await loaded)(options);
				},
			});
			foldOnPhones(app);
			// JupyterLite cancels the cells that wait, and tells the kernel nothing.
			const cancel = client.interrupt.bind(client);
			client.interrupt = async (id) => {
				(await client.getModel(id))?.interrupt?.();
				return cancel(id);
			};
		},
	};
}
