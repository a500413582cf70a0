#!/usr/bin/env bash
# @jupyterlab/outputarea 4.6.6: what a cell prints goes through processText in OutputAreaModel (lib/model.js). A backspace
# deletes the character before it. At the end of a line that is all: "abc\b" and then "X" is "abX". Inside of a line, after \r has
# gone back, the character that follows is deleted as well: of "abcdef\r", "xyz\b" both z and d are gone, and "xyef" is
# shown and stored. A terminal moves over z and keeps all six. A progress line that goes back by \r and corrects by \b loses
# characters that it did not print.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent @jupyterlab/outputarea@4.6.6 esbuild@0.25.12 >npm.log 2>&1 || { cat npm.log; exit 1; }
cat >model.js <<'JS'
import { OutputAreaModel } from '@jupyterlab/outputarea/lib/model';
for (const text of ['abc\bX\n', 'abcdef\rxyz\b\n']) {
  const outputs = new OutputAreaModel();
  outputs.add({ output_type: 'stream', name: 'stdout', text });
  console.log(JSON.stringify(text), '->', JSON.stringify(outputs.toJSON()[0].text));
}
JS
npx esbuild model.js --bundle --platform=node --outfile=bundle.js --loader:.svg=text --loader:.css=empty --log-level=error
got=$(node bundle.js)
printf '%s\n' "$got"
[ "$got" = '"abc\bX\n" -> "abX\n"
"abcdef\rxyz\b\n" -> "xyef\n"' ]
echo "as described"
