"""Which parts of a text JupyterLab takes for formulas.

It looks twice. Before Markdown is read, formulas are hidden from it, so that no underscore or bar in
them counts as Markdown (JupyterLab 4.6, packages/rendermime/src/latex.ts). In the page that Markdown
has become, MathJax looks for formulas in the text (MathJax 3.2, ts/input/tex/FindTeX.ts), with the
delimiters that JupyterLab sets: $, $$, \\( \\), \\[ \\], and LaTeX's environments.
"""

import html
import re

FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,})[^`\n]*\n.*?^(?P=fence)`*$", re.M | re.S)
SPAN = re.compile(r"(?:^|[^\\])(?P<ticks>`+)[^\n]*?[^`\n](?P=ticks)(?!`)", re.M)
MARK = re.compile(r"\$\$?|\\(?:begin|end)\{[a-z]*\*?\}|\\[{}$]|[{}]|(?:\n\s*)+|@@\d+@@|\\\\[()\[\]]", re.I)
HIDDEN = re.compile(r"@@(\d+)@@")
COVERED = "\ue000"  # a dollar in code


class Hidden:
    """A text whose formulas are replaced by placeholders, as JupyterLab gives it to Markdown."""

    def __init__(self, text):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if "`" in text or "~~~" in text:
            for code in (FENCE, SPAN):
                text = code.sub(lambda m: m[0].replace("$", COVERED), text)
        self.source = text
        self.parts = []  # what the placeholders stand for
        self.text = self.shown(text).replace(COVERED, "$")

    def shown(self, text):
        out, at = [], 0
        for start, end in sorted(self.spans(text)):
            if start < at:  # what looks like a placeholder, in a formula
                continue
            out += [text[at:start], f"@@{len(self.parts)}@@"]
            self.parts.append(text[start:end].replace(COVERED, "$"))
            at = end
        return "".join(out) + text[at:]

    @staticmethod
    def spans(text):
        """Yield where formulas begin and end: braces balance in them, and no empty line is among them."""
        marks = list(MARK.finditer(text))
        begun = last = close = None
        depth = i = 0
        while i < len(marks) or last is not None:
            mark = marks[i][0] if i < len(marks) else ""
            if mark.startswith("@@"):
                yield marks[i].span()
            elif begun is None:
                if mark in ("$", "$$"):
                    begun, close = i, mark
                elif mark in ("\\\\(", "\\\\["):
                    begun, close = i, mark.translate({ord("("): ")", ord("["): "]"})
                elif mark[1:6] == "begin":
                    begun, close = i, "\\end" + mark[6:]
                depth = 0
            elif mark == close and depth == 0:
                yield marks[begun].start(), marks[i].end()
                begun = last = None
            elif mark == close:
                last = i
            elif mark == "" or mark.count("\n") > 1:
                if last is not None:  # its braces do not balance
                    i = last
                    yield marks[begun].start(), marks[i].end()
                begun = last = None
            elif mark == "{":
                depth += 1
            elif mark == "}" and depth:
                depth -= 1
            i += 1

    def original(self, text):
        """Return a text with what its placeholders stand for."""
        return HIDDEN.sub(self.part, text) if "@@" in text else text

    def html(self, text):
        """Return HTML with what its placeholders stand for: no < in a formula begins a tag."""
        return HIDDEN.sub(lambda m: html.escape(self.part(m), quote=False), text)

    def part(self, placeholder):
        n = int(placeholder[1])
        if n >= len(self.parts):
            return placeholder[0]
        part = self.parts[n]
        for opening, closing in (("\\\\(", "\\\\)"), ("\\\\[", "\\\\]")):
            if part.startswith(opening) and part.endswith(closing):
                return part[1:-3] + part[-2:]
        return part


START = re.compile(r"\$\$|\$|\\\(|\\\[|\\begin\s*\{([^}]*)\}|\\([\\$])|\\(?:eq)?ref\s*\{[^}]*\}")
CLOSE = {"$": (r"\$", False), "$$": (r"\$\$", True), "\\(": (r"\\\)", False), "\\[": (r"\\\]", True)}


def formulas(text):
    """Yield the parts of a text, as (start, end, kind, content): kind is "text" for a letter that a
    backslash makes no delimiter, "inline" or "display"."""
    at = 0
    while start := START.search(text, at):
        at = start.end()
        if start[2]:
            yield start.start(), at, "text", start[2]
            continue
        if start[1] is not None:
            name = start[1]
            end = ended(text, at, r"\\end\s*\{" + re.escape(name) + r"\}")
            if end:
                yield start.start(), end.end(), "display", text[start.start() : end.end()]
        elif start[0] in CLOSE:
            pattern, display = CLOSE[start[0]]
            end = ended(text, at, pattern)
            if end:
                yield start.start(), end.end(), "display" if display else "inline", text[at : end.start()]
        else:
            yield start.start(), at, "inline", start[0]
            continue
        if end:
            at = end.end()


def ended(text, at, close):
    """Return where a formula ends: at its delimiter outside of braces."""
    depth = 0
    for m in re.compile(rf"(?P<close>{close})|\\(?:[a-zA-Z]|.)|[{{}}]").finditer(text, at):
        if m["close"] and depth == 0:
            return m
        if m[0] == "{":
            depth += 1
        elif m[0] == "}" and depth:
            depth -= 1
    return None
