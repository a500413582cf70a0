#!/usr/bin/env bash
# Go 1.26.8, go build -trimpath with a module that go.mod replaces by a folder. "go help build" says that
# -trimpath removes all file system paths from the resulting executable. The names of source files are
# trimmed, but the list of modules, which debug.ReadBuildInfo and "go version -m" read, has the folder as
# go.mod has it. So a program that was built with a module in a temporary or home folder names that folder, and
# one source that is built in two folders makes two programs. An empty list takes the
# folder away: -ldflags="-buildid= -X=runtime.modinfo=".
#
# The script builds one program beside copies of rsc.io/quote in two folders, without and with that flag.
set -eu
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
cd "$tmp"
export GOTOOLCHAIN=go1.26.8 GOFLAGS=-mod=mod GOWORK=off CGO_ENABLED=0
mkdir program
cat >program/go.mod <<'EOF'
module example.org/program

go 1.26

require rsc.io/quote v1.5.2
EOF
cat >program/main.go <<'EOF'
package main

import (
	"fmt"

	"rsc.io/quote"
)

func main() { fmt.Println(len(quote.Go()) > 0) }
EOF
(cd program && go mod download all)
folder=$(cd program && go list -m -f '{{.Dir}}' rsc.io/quote)
build() { # build PLACE FLAGS
	mkdir -p "$1"
	cp -r program "$1"
	mkdir -p "$1/quote" && cp -r "$folder/." "$1/quote"
	(cd "$1/program" && go mod edit -replace "rsc.io/quote=$tmp/$1/quote" && go build -trimpath -buildvcs=false -ldflags="$2" -o ../made .)
}
build one "-s -w"
build two "-s -w"
go version -m one/made | grep '=>' | sed "s|$tmp|FOLDER|"
cmp -s one/made two/made && echo "the same" || echo "they differ"
go version -m one/made | grep -qF "$tmp/one/quote"
! cmp -s one/made two/made
build one "-s -w -buildid= -X=runtime.modinfo="
build two "-s -w -buildid= -X=runtime.modinfo="
! grep -qF "$tmp" one/made
cmp one/made two/made && echo "with an empty list they are the same"
test "$(one/made)" = true
echo as described
