#!/usr/bin/env bash
# @lezer/go 1.0.1, the grammar of CodeMirror 6 and JupyterLab for Go: a loop "for range xs { }", which Go has had without a
# variable since 1.4 (over integers since 1.22), has an error node.
# So does an alias with type parameters (Go 1.24). With a variable, and as a plain
# type, the grammar takes both.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent @lezer/go@1.0.1 @lezer/common@1.2.3 @lezer/lr@1.4.2 >npm.log 2>&1 || { cat npm.log; exit 1; }
cat >parse.mjs <<'JS'
import { parser } from '@lezer/go';
const inFunction = (line) => `package p\n\nfunc g(n int, ch chan int) {\n\t${line}\n}\n`;
for (const source of [
  'for range 3 { f() }', 'for range n { f() }', 'for range ch { f() }', 'for i := range n { f(i) }',
  'type A[T any] = []T', 'type A[T any] []T',
]) {
  let errors = 0;
  parser.parse(inFunction(source)).iterate({ enter(node) { errors += node.type.isError ? 1 : 0; } });
  console.log(errors, source);
}
JS
got=$(node parse.mjs)
printf '%s\n' "$got"
[ "$got" = '1 for range 3 { f() }
1 for range n { f() }
1 for range ch { f() }
0 for i := range n { f(i) }
1 type A[T any] = []T
0 type A[T any] []T' ]
echo "as described"
