#!/usr/bin/env bash
# GoNB v0.11.5, package cache. A program that imports it makes, when it starts, a folder below TMPDIR for
# its working directory, and writes the directory's name into current_directory.txt there: the file is
# made first, and written then. A second program in the same directory that starts between the two finds
# the file empty, takes it for another directory's ("hash collision(!?)"), and ends with status 1 before
# its main function. The documentation names no limit for programs that run at the same time, only for
# one key. The same state stays if the first is ended between the two, or the disk is full: then every
# later program in the directory ends so, until the folder is removed.
#
# The script makes the state between the two by hand: it runs a program, which ends well, empties the
# file, and runs the program again.
set -eu
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
mkdir "$tmp/program" "$tmp/tmp"
cd "$tmp/program"
export GOWORK=off GOFLAGS=-mod=mod GOMODCACHE="$tmp/mod" TMPDIR="$tmp/tmp"
cat >go.mod <<'EOF'
module example.org/program

go 1.25

require github.com/janpfeifer/gonb v0.11.5
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"

	"github.com/janpfeifer/gonb/cache"
)

func main() {
	fmt.Println(cache.Cache("answer", func() int { return 42 }))
}
EOF
go build -o program . 2>"$tmp/said" || { cat "$tmp/said"; exit 1; }
echo "alone: $(./program)"
test "$(./program)" = 42
name=$(echo "$TMPDIR"/gonb_cache_*/current_directory.txt)
: >"$name"
status=0
./program >"$tmp/out" 2>&1 || status=$?
echo "beside one that has made the file and not yet written it: status $status"
head -1 "$tmp/out" | cut -c1-130
test "$status" = 1
grep -q 'hash collision(!?)' "$tmp/out"
echo as described
