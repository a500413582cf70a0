// What the scripts of package page define for the kernel's program.
export {};
declare global {
	var marginaliaHost: object;
}
