#!/bin/sh
# The go command as the kernel sees it. GoNB runs a bare "go get" before it
# builds a cell, and that asks the network about every import from outside the
# standard library, each time. Here it first tries with what is on this
# computer, and asks the network only if that is not enough. A tenth of a build
# is saved by collecting less garbage in the compiler and the linker, which live
# half a second. Everything else goes to the real go, whose path is in
# MARGINALIA_GO.

real=${MARGINALIA_GO:?"is not set: start the kernel through marginalia (go run . lab)"}

case "$#:$*" in
1:get | "2:get -t") ;;
*:build* | *:test*)
	GOGC=${GOGC:-400}
	export GOGC
	exec "$real" "$@"
	;;
*) exec "$real" "$@" ;;
esac

# GONOPROXY=none: private modules too are looked for on this computer only.
GOPROXY=off GONOPROXY=none "$real" "$@" >/dev/null 2>&1 && exit 0

out=$("$real" "$@" 2>&1) && exit 0
status=$?

# No network: perhaps an earlier download is still in the module cache, which
# has the layout of a proxy. What is there was verified when it came.
GOPROXY="file://$("$real" env GOMODCACHE)/cache/download" GONOPROXY=none GOSUMDB=off "$real" "$@" >/dev/null 2>&1 && exit 0

# The imports at fault: "go: module PATH: …", "go: PATH@VERSION: …", and the
# indented "PATH: cannot find module …" below "go: X imports".
imports=$(printf '%s\n' "$out" | sed -n -E \
	-e 's/^go: module ([^: ]+): .*/\1/p' \
	-e 's/^go: ([^@: ]+)@[^: ]+: .*/\1/p' \
	-e 's/^	([^: ]+): (cannot find|package|module|no required).*/\1/p' |
	sort -u | tr '\n' ' ')
set -- $imports
case $# in
0)
	printf '%s\n' "$out"
	exit $status
	;;
1) what="import \"$1\": no module on this computer has this package" ;;
*) what="imports $*: no module on this computer has these packages" ;;
esac

# The module beside the notebook, if its path begins the import's.
own=
[ $# = 1 ] && own=$("$real" list -m -f '{{.Path}}' 2>/dev/null | while read -r module; do
	case "$1/" in "$module"/*) printf '%s' "$module"; break ;; esac
done)

case "${own:+own }$out" in
*"is not in std"*)
	why="a path without a dot names the standard library or this repository, and neither has it"
	todo="check the spelling of the import"
	;;
"own "*)
	why="the module $own has none of this path"
	todo="check the spelling of the import"
	;;
*"dial tcp"* | *"no such host"* | *"connection refused"* | *"unreachable"* | *"imeout"* | *"proxyconnect"* | \
	*"Could not resolve host"* | *"connect to server"* | *"Failed to connect"* | *"disabled by GOPROXY=off"* | *"deadline exceeded"*)
	why="the module proxy or repository could not be reached"
	todo="connect to the network (or set GOPROXY) and run the cell again, or import only what is on this computer"
	;;
*)
	why="the module proxy knows no such module or package"
	todo="check the spelling of the import, or whether the module is public"
	;;
esac
printf 'marginalia: %s, and %s; %s.\n' "$what" "$why" "$todo"
# Then what go said, less the lines that say nothing. "cannot find module
# providing" would make GoNB add a note on workspaces that does not apply.
printf '%s\n' "$out" | grep -v -e 'finding module for' -e 'downloading' | sed 's/cannot find module providing/no module provides/'
exit $status
