// What the extension uses of JupyterLite 0.8 and JupyterLab 4.6.
import type { Kernel } from "../client.js";

export interface Signal { connect(slot: () => void, self: object): void; disconnect(slot: () => void, self: object): void }
export interface Model { name: string; path: string; type: string; format: string; content: unknown; writable: boolean; last_modified: string }
export interface Contents {
	fileChanged: Signal;
	get(path: string, options: { content: boolean }): Promise<Model>;
	save(path: string, model: { type: string; format: string; content: string }): Promise<Model>;
	newUntitled(options: { path: string; type: string }): Promise<Model>;
	rename(from: string, to: string): Promise<Model>;
	delete(path: string): Promise<void>;
}
type Executed = (from: unknown, command: { id: string; result: Promise<unknown> }) => void;
export interface App {
	commands: { execute(name: string, args: object): Promise<string>; commandExecuted: { connect(slot: Executed): void; disconnect(slot: Executed): void } };
	restored: Promise<void>;
	shell: { collapseLeft(): void };
	serviceManager: { contents: Contents };
}
export interface KernelOptions { id: string; name: string; location: string; sendMessage(message: object): void }
export declare class BaseKernel {
	constructor(options: KernelOptions);
	readonly isDisposed: boolean;
	readonly executionCount: number;
	dispose(): void;
	handleMessage(message: object): Promise<void>;
	stream(content: object): void;
	inputRequest(content: { prompt: string; password: boolean }): void;
	displayData(content: object): void;
	updateDisplayData(content: object): void;
	publishExecuteError(content: object): void;
	handleComm(type: string, content: object, metadata: object, buffers: ArrayBuffer[], parent: object): void;
}
export interface KernelSpecs { register(kernel: { spec: object; create(options: KernelOptions): Promise<BaseKernel> }): void }
export interface KernelClient {
	interrupt(id: string): Promise<void>;
	getModel(id: string): Promise<{ interrupt?(): void } | undefined>;
}
export declare class LiteSessionClient {
	startNew(options: { path: string; name: string }): Promise<object>;
	update(options: { id: string; path?: string; name?: string }): Promise<object>;
}
export interface Lite { BaseKernel: typeof BaseKernel; LiteSessionClient: typeof LiteSessionClient; IKernelSpecs: object; IKernelClient: object }

declare global {
	var _JUPYTERLAB: Record<string, { init(scope: any): void; get(module: string): Promise<() => unknown> }>;
}
