// The timers of Go programs in wasm_exec.js.

/** Stops those of a program that has ended: they would wake it, and fail. @param {unknown} program */
export function stopTimers(program) {
	const { _scheduledTimeouts: timers } = /** @type {{_scheduledTimeouts: Map<number, number>}} */ (program);
	for (const timer of timers.values()) clearTimeout(timer);
}
