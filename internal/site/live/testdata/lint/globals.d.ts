// What Go's wasm_exec.js defines for workers, and what the programs call.
export {};
declare global {
	class Go {
		env: Record<string, string>;
		exit: (code: number) => void;
		importObject: WebAssembly.Imports;
		run(instance: WebAssembly.Instance): Promise<void>;
	}
	var fs: object;
	var process: object;
	var marginaliaServe: (name: string, answer: (text: string, reply: (text: string) => void) => void) => void;
}
