// What the extension uses of JupyterLab 4.6.
export interface NotebookCell { cell_type: string; id: string; source: string | string[]; metadata: { nbgrader?: { solution?: boolean; grade_id?: string }; marginalia?: { student?: boolean } } }
export interface Notebook { cells: NotebookCell[]; metadata: { marginalia?: { release?: { notebook?: { cells?: NotebookCell[] } } } } }
export interface Context {
	localPath: string;
	ready: Promise<void>;
	save(): Promise<void>;
	revert(): Promise<void>;
	model: { dirty: boolean; toJSON(): Notebook; fromJSON(notebook: Notebook): void };
}
export interface Copies { copy(path: string, folder: string): Promise<object> }
export interface AssignmentApp {
	commands: { addCommand(id: string, command: { label: string; caption: string; isEnabled(): boolean; execute(): unknown }): void };
	docRegistry: { addWidgetExtension(kind: string, extension: { createNew(panel: object, context: Context): void }): void };
	serviceManager: { contents: Copies };
	shell: { currentWidget: { context?: Context } | null };
}
interface Button { accept: boolean }
export interface Parts {
	Dialog: { okButton(options: { label: string }): Button; cancelButton(options: { label: string }): Button };
	InputDialog: { getText(options: { title: string; label: string; text: string; okLabel: string }): Promise<{ value: string | null; button: Button }> };
	showDialog(options: { title: string; body: string; buttons: Button[] }): Promise<{ button: Button }>;
}
export interface Settings { address: string; assignment: string; files: string[] }

declare global {
	var _JUPYTERLAB: Record<string, { init(scope: any): void; get(module: string): Promise<() => unknown> }>;
}
