#!/usr/bin/env bash
# golang.org/x/tools 0.52.0 has the analyzer printf that go vet is made of. fmt.Println("done\n")
# is an error for go vet of Go 1.26.8 ("arg list ends with redundant newline"), and therefore for
# go test, which does not run the package's tests. The analyzer of x/tools, which editors and other
# linters are built with, says nothing of that line, while it does say that %d does not fit a
# string in the next: a program may be without findings there, and its tests can't be run.
set -eu
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
export GOTOOLCHAIN=go1.26.8 GOFLAGS=-mod=mod
mkdir "$dir/said"
cd "$dir"
cat >go.mod <<'GO'
module said

go 1.26

require golang.org/x/tools v0.52.0
GO
cat >said/said.go <<'GO'
package said

import "fmt"

func Say() {
	fmt.Println("done\n")
	fmt.Printf("%d\n", "x")
}
GO
cat >said/said_test.go <<'GO'
package said

import "testing"

func TestSay(t *testing.T) { Say() }
GO
cat >main.go <<'GO'
package main

import (
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/singlechecker"
)

func main() { singlechecker.Main(printf.Analyzer) }
GO
go mod tidy >/dev/null 2>&1
said() { "$@" 2>&1 || true; }
vet=$(said go vet ./said) test=$(said go test ./said) tools=$(said go run . ./said)
printf 'go vet:\n%s\n\ngo test:\n%s\n\nx/tools:\n%s\n\n' "$vet" "$test" "$tools"
newline='arg list ends with redundant newline' verb='format %d has arg "x" of wrong type string'
grep -qF "$newline" <<<"$vet" && grep -qF "$verb" <<<"$vet"
grep -qF "$newline" <<<"$test" && ! grep -qF "TestSay" <<<"$test"
! grep -qF "$newline" <<<"$tools" && grep -qF "$verb" <<<"$tools"
echo "as described"
