"""Sphinx extension of marginalia's site: Go code with links, and formulas as SVG.

A block of Go gets its colours here, since its identifiers link to their documentation. The links
are made in Go, by the type checker: a list of [line, column, length, address], counted from 0, in
characters. An address that begins with # makes the identifier the place that it names.

MathJax turns formulas into SVG while pages are made, in QuickJS: readers run no script for them,
and see what JupyterLab shows. Beside each SVG stands its MathML for screen readers. The outlines of
the glyphs that a page uses stand once at its end.
"""

import html
import json
import pathlib
import re
import sys
from xml.etree import ElementTree

from docutils import nodes
from docutils.parsers.rst import Directive
from pygments.formatters.html import _get_ttype_class
from pygments.lexer import inherit
from pygments.lexers.go import GoLexer
from pygments.token import Comment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

logger = logging.getLogger(__name__)


class GoNBLexer(GoLexer):
    """Go, and the lines with which a cell speaks to GoNB: %%, %test, !ls."""

    tokens = {"root": [(r"^[%!][^\n]*\n?", Comment.Preproc), inherit]}


plain = {"n", "nx", "p"}  # names and punctuation, which both of conf.py's styles give the colour of the block


def coloured(code, links=()):
    """Return Go code as HTML with its links."""
    starts, at = [0], 0
    for line in code.split("\n"):
        at += len(line) + 1
        starts.append(at)
    to, ids = {}, {}
    for line, column, length, address in links:
        if address.startswith("#"):
            ids[starts[line] + column] = address[1:]
        else:
            to[starts[line] + column] = length, address
    out = []
    for at, kind, text in GoNBLexer(stripnl=False, ensurenl=False).get_tokens_unprocessed(code):
        piece, css = html.escape(text, quote=False), _get_ttype_class(kind)
        if css and css not in plain and text.strip():
            piece = f'<span class="{css}">{piece}</span>'
        length, address = to.get(at, (0, ""))
        if length and length == len(text):
            rel = ' rel="nofollow"' if text == "Start" else ""  # Lighthouse takes this field for a link that says nothing
            piece = f'<a href="{html.escape(address)}"{rel}>{piece}</a>'
        if at in ids:
            piece = f'<span id="{html.escape(ids[at])}" class="go-anchor">{piece}</span>'
        out.append(piece)
    return f'<div class="highlight-go notranslate"><div class="highlight"><pre><span></span>{"".join(out).rstrip()}\n</pre></div></div>\n'


class GoCode(Directive):
    """A block of Go. The first line of its content has its links in JSON."""

    has_content = True

    def run(self):
        code = "\n".join(self.content[1:])
        return [nodes.literal_block(code, code, language="go", links=json.loads(self.content[0]))]


def cell_of(node):
    """Return the container of the notebook cell that a node is in, or None."""
    while node is not None and "cell_metadata" not in getattr(node, "attributes", {}):
        node = node.parent
    return node


class GoBlocks(SphinxPostTransform):
    """Replaces blocks of Go by their HTML, and gives cells their ids."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs):
        for cell in self.document.findall(lambda n: isinstance(n, nodes.container) and "cell_metadata" in n):
            anchor = cell["cell_metadata"].get("anchor")
            if anchor:
                cell["ids"].append(anchor)
        for block in list(self.document.findall(nodes.literal_block)):
            if block.get("language") not in ("go", "gonb"):
                continue
            links = block.get("links")
            if links is None:
                cell = cell_of(block)
                links = cell["cell_metadata"].get("links", []) if cell is not None else []
            page = coloured(block.rawsource or block.astext(), links)
            block.replace_self(nodes.raw("", page, format="html"))


class Punctuation(SphinxPostTransform):
    """Moves brackets and punctuation beside a formula into it, since browsers break lines there."""

    default_priority = 901
    formats = ("html",)

    def run(self, **kwargs):
        for node in list(self.document.findall(nodes.math)):
            at = node.parent.index(node)
            for side, place, pattern in ("head", at - 1, r"[(\[{“‘]+$"), ("tail", at + 1, r"^[.,;:!?)\]}”’]+"):
                beside = node.parent[place] if 0 <= place < len(node.parent) else None
                found = isinstance(beside, nodes.Text) and re.search(pattern, beside)
                if found:
                    node[side] = found[0]
                    node.parent[place] = nodes.Text(beside.replace(found[0], "", 1) if side == "tail" else beside[: found.start()])


def flat(svg):
    """Return a formula without the groups that change nothing: a page has thousands of them."""

    def within(element):
        parts = [part for child in element for part in within(child)]
        if element.tag == "g" and not element.attrib:
            return parts
        if element.tag == "g" and element.keys() == ["transform"] and [p.tag for p in parts] == ["use"] and "transform" not in parts[0].attrib:
            parts[0].set("transform", element.get("transform"))
            return parts
        element[:] = parts
        return [element]

    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError:  # MathJax writes HTML: what is wrong with a formula may have any letters
        return svg
    return ElementTree.tostring(within(root)[0], encoding="unicode").replace(" />", "/>")


class Typesetter:
    """MathJax in QuickJS."""

    parts = ["loader", "core", "adaptors/liteDOM", "input/tex-full", "output/svg", "output/svg/fonts/tex"]
    start = """
    const _ = MathJax._;
    const adaptor = _.adaptors.liteAdaptor.liteAdaptor();
    _.handlers.html_ts.RegisterHTMLHandler(adaptor);
    const packages = _.input.tex.AllPackages.AllPackages.filter((p) => !['require', 'autoload', 'html'].includes(p));
    const tex = new _.input.tex_ts.TeX({packages, ignoreDuplicateLabels: true}); // a formula is read twice
    const SVG = _.output.svg_ts.SVG;
    const out = new SVG({fontCache: 'global', font: new _.output.svg.fonts.tex_ts.TeXFont()});
    const page = _.mathjax.mathjax.document('', {InputJax: tex, OutputJax: out});
    const visitor = new _.core.MmlTree.SerializedMmlVisitor.SerializedMmlVisitor();
    function typeset(formula, display) {
        const how = {display, em: 16, ex: 8, containerWidth: 1280};
        const svg = adaptor.outerHTML(adaptor.firstChild(page.convert(formula, how)));
        const mathml = visitor.visitTree(page.convert(formula, {display, end: _.core.MathItem.STATE.CONVERT}));
        return JSON.stringify({svg, mathml});
    }
    function glyphs() { return JSON.stringify(String(adaptor.outerHTML(out.fontCache.defs))); }
    """

    def __init__(self):
        import quickjs

        folder = next(p for p in (pathlib.Path(s) / "sphinx-mathjax-offline/static/mathjax" for s in sys.path) if p.is_dir())
        self.js = quickjs.Context()
        self.js.eval("var global = globalThis, console = {log() {}, warn() {}, error() {}}, MathJax = {loader: {load: []}};")
        for part in self.parts:
            self.js.eval((folder / f"{part}.js").read_text(encoding="utf-8"))
        self.js.eval(self.start)
        self.done = {}
        self.outlines = {}

    def typeset(self, formula, display):
        """Return a formula as HTML, and what is wrong with it or None."""
        key = formula, display
        if key not in self.done:
            try:
                got = json.loads(self.js.eval(f"typeset({json.dumps(formula)}, {json.dumps(display)})"))
            except Exception as error:  # in MathJax itself: the formula shows as it was written
                self.done[key] = html.escape(formula), str(error).split("\n")[0]
                return self.done[key]
            svg, mathml = got["svg"], got["mathml"]
            fault = re.search(r'data-mjx-error="([^"]*)"', svg)
            svg = re.sub(r' (?:data-[\w-]+|xmlns(?::xlink)?|role|focusable|title)="[^"]*"', "", svg)
            svg = flat(svg.replace(" xlink:href=", " href=")).replace("<svg ", '<svg aria-hidden="true" ', 1)
            mathml = re.sub(r">\s+<", "><", re.sub(r' (?:data-[\w-]+|xmlns|title)="[^"]*"', "", mathml)).strip()
            self.done[key] = svg + mathml, fault and html.unescape(fault[1])
        return self.done[key]

    def glyphs(self, page):
        """Return the outlines of the glyphs that a page uses."""
        wanted = dict.fromkeys(re.findall(r'<use href="#(MJX-[\w-]+)"', page))
        if not wanted:
            return ""
        if not self.outlines.keys() >= wanted.keys():
            for path in re.findall(r"<path [^>]*>", json.loads(self.js.eval("glyphs()"))):
                self.outlines[re.search(r'id="([^"]*)"', path)[1]] = path[:-1].rstrip("/") + "/>"
        return f'<svg class="glyphs" aria-hidden="true" width="0" height="0"><defs>{"".join(self.outlines[w] for w in wanted)}</defs></svg>'


# A formula with more than this, in the height of an x, has a line of its own on a phone, 320 pixels
# wide with 15 on either side: an x is 8.3 pixels high in Arial of 16 pixels.
PHONE = 34

typesetter = None


def drawn(node, display):
    """Return the formula of a node, as HTML, and what is wrong with it or None."""
    global typesetter
    if typesetter is None:
        typesetter = Typesetter()
    formula = node.astext().strip()
    return formula, *typesetter.typeset(formula, display)


def typeset(translator, node, display):
    """Append the formula of a node to a page."""
    formula, page, fault = drawn(node, display)
    if fault:
        logger.warning("formula: %s in %s", fault, formula, location=node)
    tag, css = ("div", "formula display") if display else ("span", "formula")
    width = re.search(r'width="([0-9.]+)ex"', page)
    if not display and width and float(width[1]) > PHONE:
        css += " long"
    if display or "long" in css:  # the stylesheet lets it shrink on a phone
        page = re.sub(r'style="([^"]*)" width="([0-9.]+)ex" height="([0-9.]+)ex"', r'style="\1 --wide: \2ex; aspect-ratio: \2 / \3;" width="\2ex" height="\3ex"', page, count=1)
    translator.body.append(f'<{tag} class="{css}">{node.get("head", "")}{page}{node.get("tail", "")}</{tag}>')
    raise nodes.SkipNode


def inline(translator, node):
    typeset(translator, node, False)


def block(translator, node):
    typeset(translator, node, True)


def description(doctree):
    """Return a page's title and its text up to the end of the first paragraph that has any."""
    said = []
    for node in doctree.findall(lambda n: isinstance(n, (nodes.title, nodes.literal_block, nodes.paragraph))):
        text = " ".join("".join(t for t in node.findall(nodes.Text) if not isinstance(t.parent, nodes.raw)).split())
        if text and isinstance(node, nodes.title):
            text = text.rstrip(".") + "."
        said += [text] if text else []
        if text and isinstance(node, nodes.paragraph):
            break
    return " ".join(said)


def complete(app, pagename, templatename, context, doctree):
    """Give a page its description, for search engines, and the glyphs of its formulas."""
    words = f"Search the lectures, exercises and documentation of {app.config.project}." if doctree is None else description(doctree)
    if len(words) > 155:
        words = words[:155].rsplit(" ", 1)[0] + " …"
    context["metatags"] = context.get("metatags", "") + f'<meta name="description" content="{html.escape(words)}">'
    if typesetter is not None and "body" in context:
        context["body"] += typesetter.glyphs(context["body"] + (context.get("toc") or ""))


def setup(app):
    app.add_lexer("go", GoNBLexer)
    app.add_directive("go-code", GoCode)
    app.add_post_transform(GoBlocks)
    app.add_post_transform(Punctuation)
    app.add_html_math_renderer("svg", (inline, None), (block, None))
    app.connect("html-page-context", complete)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
