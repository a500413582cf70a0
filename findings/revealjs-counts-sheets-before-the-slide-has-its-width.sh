#!/usr/bin/env bash
# reveal.js 5.2.1, a deck printed with ?print-pdf, in Chromium: how many sheets a slide fills is decided by its height while it is as wide
# as a sheet, which is the slide's width and its margin: 998 pixels by default. Then the slide gets its own width, 960 pixels. A line that fits into 998
# pixels and not into 960 becomes two, the slide is higher than its one sheet, and the sheet hides what hangs over: here the last
# word. No print setting is needed for that but the query that the documentation names.
set -eu
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "this needs Chromium"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent reveal.js@5.2.1 puppeteer-core@24.31.0 >npm.log 2>&1 || { cat npm.log; exit 1; }
cat >deck.html <<'HTML'
<!DOCTYPE html><link rel="stylesheet" href="node_modules/reveal.js/dist/reveal.css">
<style>i { display: inline-block; width: 245px; height: 30px }</style>
<div class="reveal"><div class="slides"><section><div style="height: 690px"></div><i>one</i><i>two</i><i>three</i><i>last</i></section></div></div>
<script src="node_modules/reveal.js/dist/reveal.js"></script>
<script>Reveal.on("pdf-ready", () => document.body.dataset.ready = "yes"); Reveal.initialize({ center: false });</script>
HTML
cat >look.mjs <<'JS'
import puppeteer from "puppeteer-core";
const browser = await puppeteer.launch({ executablePath: process.argv[2], args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto("file://" + process.cwd() + "/deck.html?print-pdf");
await page.waitForSelector("[data-ready]");
console.log(JSON.stringify(await page.evaluate(() => {
  const sheet = document.querySelector(".pdf-page"), top = sheet.getBoundingClientRect().top;
  return { sheets: document.querySelectorAll(".pdf-page").length, high: sheet.offsetHeight, overflow: getComputedStyle(sheet).overflow,
    slide: document.querySelector("section").offsetWidth, lastWord: Math.round(document.querySelector("i:last-child").getBoundingClientRect().top - top) };
})));
await browser.close();
JS
got=$(node look.mjs "$chromium")
"$chromium" --version
printf '%s\n' "$got"
[ "$got" = '{"sheets":1,"high":727,"overflow":"hidden","slide":960,"lastWord":734}' ]
echo "as described"
