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
	var marginaliaFigure: (name: string, packed: string) => void;
}
