// What the scripts of package page define for the kernel's program.
export {};
declare global {
	var marginaliaHost: Record<string, unknown>;
}
