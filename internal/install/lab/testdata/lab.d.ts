// What the extension that says where copies are uses of JupyterLab 4.6.
interface Copied { path: string; marginalia_copy?: string }
type Changed = (from: unknown, change: { type: string; newValue: Copied | null }) => void;
export interface App {
	commands: {
		execute(name: string, args: { path: string }): Promise<unknown>;
		addCommand(name: string, options: { label: string; caption: string; isEnabled(): boolean; execute(): unknown }): unknown;
	};
	shell: { currentWidget: null | { context?: { model?: { getMetadata?(key: string): { copy?: { of?: string } } | undefined } } } };
	serviceManager: { contents: { fileChanged: { connect(slot: Changed): void } } };
}
export interface Menu { fileMenu: { addGroup(items: { command: string }[], rank: number): unknown } }

declare global {
	var _JUPYTERLAB: Record<string, { init(scope: any): void; get(name: string): Promise<() => unknown> }>;
}
