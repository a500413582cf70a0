#!/usr/bin/env bash
# Go 1.26.8. A go.mod replaces a module by a folder that does not exist, and no package imports it. In that module alone
# go build works: nobody needs the folder. With a go.work that has the module and nothing else, go build of the same
# package, unchanged, ends with an error that names the folder's go.mod. A package that imports only the standard library
# builds either way; this one imports another module, so the go command has to load the module graph, and the graph of a
# workspace has every required module.
set -eu
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
export GOTOOLCHAIN=go1.26.8 GOFLAGS=-mod=mod GOWORK=off
mkdir "$dir/course"
cd "$dir/course"
cat >go.mod <<'GO'
module example.org/course

go 1.26

require (
	example.org/absent v0.0.0
	golang.org/x/text v0.31.0
)

replace example.org/absent => ../nowhere
GO
cat >lesson.go <<'GO'
package lesson

import "golang.org/x/text/width"

var Kind = width.EastAsianWide
GO
mkdir plain
cat >plain/plain.go <<'GO'
package plain

import "strings"

var Name = strings.ToUpper("plain")
GO
go build . # writes go.sum
export GOFLAGS=
said() { "$@" 2>&1 && echo "ends with 0" || echo "ends with an error"; }
alone=$(said go build .)
cat >../go.work <<'GO'
go 1.26

use ./course
GO
export GOWORK="$dir/go.work"
together=$(said go build .) plain=$(said go build ./plain)
printf 'alone:\n%s\n\nin a workspace:\n%s\n\nin a workspace, without another module:\n%s\n\n' "$alone" "$together" "$plain"
[ "${alone##*$'\n'}" = "ends with 0" ]
[ "${plain##*$'\n'}" = "ends with 0" ]
grep -qF "nowhere" <<<"$together" && grep -qF "no such file or directory" <<<"$together"
echo "as described"
