// The script is Go's own. It defines the global class Go.
export {};
