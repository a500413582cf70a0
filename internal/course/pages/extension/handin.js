// The button Hand in above a notebook: it sends the notebook to the lecturer's address, or gives the student the file.

/** @typedef {import("./lite.js").Parts} Parts */
/** @typedef {import("./lite.js").Settings} Settings */
/** @typedef {import("./lite.js").Context} Context */

const type = "application/x-ipynb+json";
const remembered = "marginalia student"; // in the browser's store

/** @param {string} name @param {string} text */
function download(name, text) {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([text], { type }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // when the browser has surely read it
}

/** Posts a notebook. @param {Settings} settings @param {string} student @param {string} name @param {string} text @returns {Promise<string>} why it is not handed in; "" if it is */
async function post({ address, assignment }, student, name, text) {
	const form = new FormData(), { host } = new URL(address);
	form.set("assignment", assignment);
	form.set("student", student);
	form.set("notebook", new File([text], name, { type }));
	let response;
	try {
		response = await fetch(address, { method: "POST", body: form, redirect: "manual", signal: AbortSignal.timeout(120_000) });
	} catch {
		return navigator.onLine ? `${host} can’t be reached, or does not accept notebooks from this page.` : "This computer is offline.";
	}
	if (response.ok) return "";
	if (response.type === "opaqueredirect") return `${host} leads to another page, as to one where you have to log in.`;
	return `${host} answers ${response.status} ${response.statusText}`.trim() + (response.status < 500 ? ": it refuses the notebook." : ": it has a fault of its own.");
}

/** @param {Parts} parts */
function dialogs({ Dialog, InputDialog, showDialog }) {
	return {
		/** @param {string} title @param {string} body @param {string} [offer] @returns {Promise<boolean>} whether what is offered is chosen */
		async say(title, body, offer) {
			const buttons = offer ? [Dialog.cancelButton({ label: "Close" }), Dialog.okButton({ label: offer })] : [Dialog.okButton({ label: "Close" })];
			return (await showDialog({ title, body, buttons })).button.accept && offer !== undefined;
		},
		/** @returns {Promise<string>} the student's id; "" if it is not told */
		async student() {
			const { value, button } = await InputDialog.getText({ title: "Hand in", label: "Your id, as your course knows you:", text: localStorage.getItem(remembered) ?? "", okLabel: "Hand in" });
			const id = button.accept ? (value ?? "").trim() : "";
			if (id) localStorage.setItem(remembered, id);
			return id;
		},
	};
}

/** @param {Parts} parts @param {Settings} settings @param {Context} context of the notebook */
async function handIn(parts, settings, context) {
	const { say, student } = dialogs(parts), name = context.localPath.replace(/.*\//, "");
	const kept = await context.save().then(() => true, () => false); // it is handed in nonetheless
	const text = JSON.stringify(context.model.toJSON(), null, 1) + "\n";
	const downloads = `The file ${name} is among your downloads. Hand it in as your course asks: through its learning platform, for example.` + (kept ? "" : " This browser could not keep your work: keep the file.");
	if (!settings.address) {
		download(name, text);
		await say("Your notebook is downloaded", downloads);
		return;
	}
	const id = await student();
	if (!id) return;
	const why = await post(settings, id, name, text);
	if (!why) {
		await say("Handed in", `${name} was handed in for ${id} at ${new Date().toLocaleTimeString([], { timeStyle: "short" })}. You may hand in again until the due date; the last one counts.`);
	} else if (await say("Not handed in", `${why} Your work is still here. Try again, or download ${name} and ask your lecturer where to send it.`, "Download")) {
		download(name, text);
	}
}

/** @param {Parts} parts @param {Settings} settings @param {typeof import("./renew.js").renew} renew */
export function plugin(parts, settings, renew) {
	return {
		id: "marginalia-assignment:plugin", // whose schema has the button in the toolbar of notebooks
		description: "Hands in a notebook.",
		autoStart: true,
		/** @param {import("./lite.js").AssignmentApp} app */
		activate({ commands, docRegistry, serviceManager, shell }) {
			commands.addCommand("marginalia:hand-in", {
				label: "Hand in",
				caption: settings.address ? "Send this notebook to your course" : "Download this notebook, to hand it in",
				isEnabled: () => !!shell.currentWidget?.context,
				execute: () => (shell.currentWidget?.context ? handIn(parts, settings, shell.currentWidget.context) : undefined),
			});
			docRegistry.addWidgetExtension("Notebook", {
				/** @param {object} _panel @param {Context} context */
				createNew(_panel, context) {
					if (settings.files.includes(context.localPath)) context.ready.then(() => renew(context, serviceManager.contents, dialogs(parts).say)).catch(console.warn);
				},
			});
			const style = document.createElement("style");
			style.textContent = `[data-command="marginalia:hand-in"] { outline: 1px solid var(--jp-brand-color1); outline-offset: -3px; }`;
			document.head.append(style);
		},
	};
}
