// Shows figures in JupyterLab, connects sliders to their cell's program, and indents braces of Go. It is a prebuilt
// extension in the form of webpack's module federation: JupyterLab calls init with its shared
// modules, and get for the module that package.json names.
(() => {
	const version = new URL(document.currentScript.src).search; // files of other versions may be cached
	let shared;

	// The colours of output stand after JupyterLab's own.
	const colours = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("ansi.css" + version, document.currentScript.src).href });
	document.head.append(colours);

	// The target of the comm: see internal/kernel/front/sliders.go for its messages.
	const target = "marginalia.slider";

	/** @param name of a module that JupyterLab has loaded */
	async function module(name) {
		const versions = Object.values(shared[name]);
		return (await (versions.find((v) => v.loaded) ?? versions[0]).get())();
	}

	// JupyterLab 4.6 indents a } anew only behind one single blank, since CodeMirror's rule for Go lacks a star.
	async function extension() {
		const [{ EditorExtensionRegistry, IEditorExtensionRegistry }, { EditorState }, { language }] = await Promise.all(
			["@jupyterlab/codemirror", "@codemirror/state", "@codemirror/language"].map(module));
		const rule = [{ indentOnInput: /^\s*[{}]$/ }];
		const braces = EditorState.languageData.of((state) => (state.facet(language)?.name === "go" ? rule : []));
		return () => ({
			id: "marginalia-figures:indent",
			description: "Indents braces of Go as they are typed.",
			autoStart: true,
			requires: [IEditorExtensionRegistry],
			activate: (_, registry) => registry.addExtension({ name: "marginalia-indent", factory: () => EditorExtensionRegistry.createImmutableExtension(braces) }),
		});
	}

	async function mimeExtension() {
		// Widgets must be of the classes that JupyterLab has loaded.
		const [{ Widget }, { RenderedImage }, { figureType, show, sliderType, slide, tools }] = await Promise.all([
			module("@lumino/widgets"),
			module("@jupyterlab/rendermime"),
			import("./figure.js" + version),
		]);

		class Figure extends Widget {
			#packed; // what is shown

			constructor() {
				super();
				this.addClass("jp-RenderedImage");
			}

			async renderModel(model) {
				const packed = model.data[this.type];
				if (packed === this.#packed) return;
				this.#packed = packed;
				const still = document.createElement("img");
				still.src = "data:image/png;base64," + model.data["image/png"];
				still.alt = model.metadata.alt ?? model.data["text/plain"] ?? "";
				const { width, height } = model.metadata["image/png"] ?? {};
				if (width && height) Object.assign(still, { width, height });
				const host = document.createElement("div"); // a figure that comes late goes nowhere
				host.append(still);
				this.node.replaceChildren(host);
				try {
					await this.draw(host, packed, model.metadata.figure);
				} catch (error) { // the still stays
					console.warn(error);
				}
			}
		}

		class Plain extends Figure {
			type = figureType;
			draw = show;
		}

		class Sliding extends Figure {
			type = sliderType;
			#slider;
			#session; // of the notebook
			#comm;
			#lost = false; // a restart of the kernel has ended the comm

			async draw(host, packed) {
				const slider = await slide(host, packed);
				if (!this.node.contains(host)) return;
				this.#close();
				this.#slider = slider;
				slider.moved = (value, live) => {
					if (live) this.#comm.send({ value });
					else this.#open();
				};
				this.#live(false);
				this.#connect();
			}

			onAfterAttach(msg) {
				super.onAfterAttach(msg);
				this.#connect();
			}

			dispose() {
				this.#close();
				super.dispose();
			}

			// Finds the session of the notebook or console, and opens the comm.
			#connect() {
				if (this.isDisposed || !this.#slider) return;
				for (let w = this; w && !this.#session; w = w.parent) this.#session = w.sessionContext;
				if (!this.#session) return;
				this.#session.kernelChanged.connect(this.#kernelChanged, this);
				this.#session.statusChanged.connect(this.#statusChanged, this);
				this.#open();
			}

			#kernelChanged() {
				this.#comm = null;
				this.#live(false);
				this.#open();
			}

			// A restart ends all comms without notice.
			#statusChanged(_, status) {
				if (status.endsWith("restarting")) {
					this.#lost = true;
					this.#comm = null;
					this.#live(false);
				} else if (status === "idle" && this.#lost) {
					this.#open();
				}
			}

			#open() {
				const kernel = this.#session?.session?.kernel;
				if (!kernel || this.#comm) return;
				this.#lost = false;
				try {
					const comm = kernel.createComm(target);
					comm.onMsg = (msg) => comm === this.#comm && this.#hear(msg.content.data);
					comm.onClose = () => {
						if (comm !== this.#comm) return;
						this.#comm = null;
						this.#live(false);
					};
					comm.open({ slider: this.#slider.stored.name });
					this.#comm = comm;
				} catch (error) { // a kernel that is gone, or a connection without comms
					console.warn(error);
				}
			}

			#close() {
				const comm = this.#comm;
				this.#comm = null;
				try {
					comm?.close();
				} catch (error) { // the kernel is gone
					console.warn(error);
				}
			}

			// The kernel of a page, which never moves a slider, says so with rerun.
			#hear({ live, why, rerun, svg, error }) {
				if (live !== undefined) this.#live(live, why, rerun);
				if (error !== undefined) this.#slider.note.textContent = error;
				if (svg !== undefined) {
					this.#slider.note.textContent = "";
					this.#slider.draw(svg);
				}
			}

			#live(live, why, rerun = true) {
				const n = this.#slider.stored.frames.length, advice = rerun ? n ? "; run the cell for values between" : "run the cell to move it" : "";
				const still = (n ? `from ${n} stored figures` : "") + advice;
				this.#slider.live(live, live ? "" : (why ? why + "; " : "") + still);
			}
		}

		// A figure that is a PNG alone, since its SVG would be too large, or since it is a frame of a live figure.
		class Still extends RenderedImage {
			async render(model) {
				await super.render(model);
				const { alt, figure } = model.metadata, image = this.node.querySelector("img");
				if (alt) image.alt = alt;
				if (figure) this.node.prepend(tools(figure, `${image.width || 9999}px`));
			}
		}

		const png = 90; // its rank in JupyterLab
		const renderer = (name, type, Output, description, rank = png / 2) => ({
			id: "marginalia-figures:" + name,
			description,
			rendererFactory: { safe: true, mimeTypes: [type], createRenderer: (options) => new Output(options) },
			rank,
			dataType: "string",
		});
		return () => [
			renderer("figure", figureType, Plain, "Shows a figure, which tells its values under the mouse."),
			renderer("slider", sliderType, Sliding, "Shows the slider of a figure."),
			renderer("still", "image/png", Still, "Shows a picture; a figure has its menu.", png),
		];
	}

	window._JUPYTERLAB ??= {};
	window._JUPYTERLAB["marginalia-figures"] = {
		init: (scope) => { shared = scope; },
		get: (name) => ({ "./extension": extension, "./mimeExtension": mimeExtension })[name]?.() ?? Promise.reject(new Error("no module " + name)),
	};
})();
