// What Go's wasm_exec.js defines for workers, what the programs call, and what the scripts of figures
// call.
export {};
declare global {
	class Go {
		env: Record<string, string>;
		exit: (code: number) => void;
		importObject: WebAssembly.Imports;
		run(instance: WebAssembly.Instance): Promise<void>;
	}
	var fs: { writeSync(fd: number, text: Uint8Array): number };
	var process: object;
	var marginaliaServe: (name: string, answer: (text: string, reply: (text: string) => void) => void) => void;
	type Hit = { page: string, title: string, heading: string, id: string, text: string, terms: string[] };
	var marginaliaFinder: { whole: Promise<void> | undefined, ready(pages: object[]): void, find(query: string): Hit[] };
	class MiniSearch {
		constructor(how: object);
		addAllAsync(all: object[], how: object): Promise<void>;
		search(query: string, how: object): any[];
	}
	var marginaliaCopy: ((pre: HTMLElement) => void) | undefined; // only pages have it
	var marginaliaFigure: (name: string, packed: string) => void;
}
