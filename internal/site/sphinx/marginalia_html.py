"""HTML in an author's text.

It is kept to its cell as JupyterLab keeps it: what is opened there ends there, and an end tag ends nothing
outside. Left out are tags that mean the page as a whole, scripts, and styles, which would reach beyond. Its
addresses are marked, and its formulas are found.
"""

import html
import re

from docutils import nodes
from markdown_it.token import Token
from marginalia_tex import formulas

TAG = re.compile(r"""<!--.*?-->|<[!?](?!--)[^>]*>|</?[A-Za-z](?:"[^"]*"|'[^']*'|[^'">])*>""", re.S)
NAME = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
UNSEEN = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<!--(?!.*?-->).*\Z", re.I | re.S)
UNSEEN_IN_OUTPUTS = re.compile(UNSEEN.pattern.replace("|style", ""), re.I | re.S)
QUIET = re.compile(r"<(/?)(?:script|style)\b", re.I)
START = re.compile(r"<(?=[A-Za-z/!?])")
LEFT_OUT = set("base body embed frame frameset head html iframe link main meta noscript object plaintext script style template title".split())
VOID = set("area br col hr img input source track wbr".split())
ENDED = set("colgroup dd dt li optgroup option p tbody td tfoot th thead tr".split())  # by what follows
BARRIERS = {"list_item", "blockquote", "th", "td"}  # elements of Markdown that end what is opened in them


class Kept:
    """The elements of HTML that are open in a cell, or in an output, which may have styles."""

    def __init__(self, output=False):
        self.open = []
        self.unseen = UNSEEN_IN_OUTPUTS if output else UNSEEN
        self.left_out = LEFT_OUT - {"style"} if output else LEFT_OUT

    def html(self, source):
        """Return a piece of HTML without what would reach beyond its cell."""
        source = self.unseen.sub("", source)
        out, at = [], 0
        for m in TAG.finditer(source):
            out += [START.sub("&lt;", source[at : m.start()]), self.tag(m[0])]
            at = m.end()
        return "".join(out) + START.split(source[at:])[0]  # a tag that does not end is none

    def tag(self, text):
        m = NAME.match(text)
        if not m:  # a comment
            return text
        name = m[2].lower()
        if name in self.left_out:
            return ""
        if name in VOID or name in ENDED:
            return text
        if not m[1]:
            if not (text.endswith("/>") and {"svg", "math"} & set(self.open)):
                self.open.append(name)
            return text
        for depth in range(len(self.open) - 1, -1, -1):
            if self.open[depth] == name:
                return self.ends(depth)
            if not self.open[depth]:
                break
        return ""

    def ends(self, depth):
        """Return the end tags of what is open beyond a depth."""
        ended = "".join(f"</{name}>" for name in reversed(self.open[depth:]) if name)
        del self.open[depth:]
        return ended


def output(source):
    """Return the HTML of an output, kept to it."""
    kept = Kept(output=True)
    return kept.html(source) + kept.ends(0)


def contained(tokens):
    """Return the tokens of a cell with its HTML kept to it."""
    kept, out = Kept(), []

    def end(depth, kind, into):
        if ended := kept.ends(depth):
            into.append(Token(kind, "", 0, content=ended, map=[0, 0]))

    for token in tokens:
        name, _, side = token.type.rpartition("_")
        if name in BARRIERS and side == "open":
            kept.open.append("")
        if name in BARRIERS and side == "close":
            end(len(kept.open) - 1 - kept.open[::-1].index(""), "html_block", out)
        if token.type == "html_block":
            token.content = kept.html(token.content)
        if token.type == "inline":
            depth, unseen = len(kept.open), False
            for child in token.children:
                if m := QUIET.match(child.content) if child.type == "html_inline" else None:
                    unseen = not m[1]
                if child.type == "html_inline":
                    child.content = kept.html(child.content)
                elif unseen:
                    child.type, child.content = "text", ""
            end(depth, "html_inline", token.children)
        out.append(token)
    end(0, "html_block", out)
    return out


ADDRESS = re.compile(r"""(\s(?:href|src|poster)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+)""", re.I)
UNREAD = re.compile(r"<(script|style|textarea|pre|code)\b", re.I)  # where MathJax looks for no formulas


def marked(address, cell):
    return f"cell:{cell}:{address}"


def html_nodes(source, cell):
    """Return nodes for HTML of an author: with its addresses marked, and its formulas."""
    if re.match(r"\s*<\w+ data-site\b", source):
        return [nodes.raw("", source.replace(" data-site", "", 1), format="html")]
    out, kept = [], []

    def flush():
        if kept:
            out.append(nodes.raw("", "".join(kept), format="html"))
            kept.clear()

    def words(text):
        plain, at = html.unescape(text), 0
        parts = list(formulas(plain)) if "$" in text or "\\" in text else []
        if not parts:
            kept.append(text)
            return
        for start, end, kind, content in parts:
            kept.append(html.escape(plain[at:start], quote=False))
            at = end
            if kind == "text":
                kept.append(html.escape(content, quote=False))
                continue
            flush()
            out.append(nodes.math(content, content) if kind == "inline" else nodes.math_block(content, content, nowrap=False, number=None))
        kept.append(html.escape(plain[at:], quote=False))

    def address(m):
        value = m[2][1:-1] if m[2][0] in "\"'" else m[2]
        return f'{m[1]}"{html.escape(marked(html.unescape(value), cell))}"'

    at, quiet = 0, ""
    for m in TAG.finditer(source):
        text = source[at : m.start()]
        kept.append(text) if quiet else words(text)
        at = m.end()
        if quiet:
            quiet = "" if re.match(rf"</{quiet}\b", m[0], re.I) else quiet
        elif q := UNREAD.match(m[0]):
            quiet = q[1]
        kept.append(m[0] if m[0].startswith("<!--") else ADDRESS.sub(address, m[0]))
    kept.append(source[at:]) if quiet else words(source[at:])
    flush()
    return out
