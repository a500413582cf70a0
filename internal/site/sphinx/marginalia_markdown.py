"""Markdown as JupyterLab shows it: CommonMark with GitHub's tables, strikethrough, task lists and bare
addresses, and formulas as marginalia_tex finds them. MyST's own forms are text.

MyST-Parser's renderer makes docutils nodes of it. An address that an author has written, in Markdown
or in HTML, gets the form cell:N:ADDRESS, N for the number of its cell, 0 in a page of Markdown: the
finished page is where internal/site finds out what the address leads to. HTML that internal/site has
written begins with an element that says data-site, and its addresses stay.
"""

import functools
import html
import re

import mdit_py_plugins.gfm_autolink._match as addresses
import mdit_py_plugins.gfm_autolink.index
import myst_nb.core.render
import myst_nb.sphinx_
import myst_parser.parsers.sphinx_
from docutils import nodes
from markdown_it import MarkdownIt
from markdown_it.token import Token
from marginalia_html import contained, html_nodes, marked, output
from marginalia_tex import Hidden, formulas
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin
from myst_parser.parsers.mdit import create_md_parser
from sphinx.directives.other import TocTree

PAGES = "{site-pages}"  # the directive of the list of pages, which internal/site writes


def parser(app, config, renderer):
    """Return a parser for JupyterLab's Markdown, in place of MyST-Parser's own, which reads the pages
    that no author has written."""
    if app.env.docname not in app.config.authored:
        return create_md_parser(config, renderer)
    md = MarkdownIt("commonmark", renderer_cls=type(renderer.__name__, (Lab, renderer), {}))
    md.enable(["table", "strikethrough"]).use(gfm_autolink_plugin)
    md.validateLink = lambda url: True  # internal/site leaves out what a page should not have
    md.normalizeLinkText = lambda url: url
    md.options.update({"tasklists": True, "strikethrough_single_tilde": True, "myst_config": config})
    md.core.ruler.after("normalize", "hide_formulas", hide)
    md.core.ruler.push("formulas", show)
    return md


def hide(state):
    state.env["hidden"] = hidden = Hidden(state.src)
    state.src = hidden.text


def show(state):
    """Put back what was hidden, and make tokens of the formulas in the text."""
    hidden = state.env["hidden"]
    restore(state.tokens, hidden)
    for i, token in enumerate(state.tokens):
        if token.type == "inline":
            if state.tokens[i - 1].type == "heading_open":
                state.tokens[i - 1].meta["text"] = "".join(plain(t) for t in token.children)
            token.children = typeset(token.children)
    if not any(re.match(r"<\w+ data-site\b", token.content) for token in state.tokens):
        state.tokens = contained(state.tokens)


def restore(tokens, hidden):
    for token in tokens:
        token.content = hidden.html(token.content) if token.type.startswith("html_") else hidden.original(token.content)
        token.info = hidden.original(token.info)
        for name in ("href", "src", "title"):
            if name in token.attrs:
                token.attrs[name] = hidden.original(token.attrs[name])
        restore(token.children or [], hidden)


def plain(token):
    """Return what a browser has as the text of a token."""
    if token.type in ("text", "code_inline"):
        return token.content
    return "\n" if token.type == "softbreak" else ""


def typeset(tokens):
    """Return tokens in a paragraph with tokens for its formulas, which may go over lines, but not over
    other elements, and are none in code."""
    out, run, code = [], [], 0
    for token in tokens:
        if token.type == "html_inline" and (m := re.match(r"<(/?)(?:code|pre)\b", token.content, re.I)):
            code += -1 if m[1] else 1
        if token.type in ("text", "softbreak", "hardbreak") and code <= 0:
            run.append(token)
            continue
        out += found(run) + [token]
        run = []
    return out + found(run)


def found(run):
    text = "".join("\n" if t.type != "text" else t.content for t in run)
    parts = list(formulas(text))
    if not parts:
        return run
    breaks, at = {}, 0
    for token in run:
        if token.type != "text":
            breaks[at] = token
        at += 1 if token.type != "text" else len(token.content)
    out = []

    def words(start, end):
        for i in sorted(b for b in breaks if start <= b < end):
            out.extend([Token("text", "", 0, content=text[start:i]), breaks[i]])
            start = i + 1
        out.append(Token("text", "", 0, content=text[start:end]))

    at = 0
    for start, end, kind, content in parts:
        words(at, start)
        name = {"text": "text", "inline": "math_inline", "display": "math_inline_double"}[kind]
        out.append(Token(name, "", 0, content=content))
        at = end
    words(at, len(text))
    return [t for t in out if t.type != "text" or t.content]


class Lab:
    """What differs from MyST-Parser's renderer."""

    @property
    def cell(self):
        return self.md_env.get("cell", 0)

    def render_html_block(self, token):
        self.current_node.extend(html_nodes(token.content, self.cell))

    def render_link(self, token):
        token.attrs["href"] = marked(token.attrs["href"], self.cell)
        self.render_link_url(token)

    def render_image(self, token):
        title = f' title="{html.escape(token.attrs["title"])}"' if token.attrs.get("title") else ""
        alt = self.renderInlineAsText(token.children or [])
        self.current_node.append(nodes.raw("", f'<img alt="{html.escape(alt)}" src="{html.escape(marked(token.attrs["src"], self.cell))}"{title}>', format="html"))

    def render_s(self, token):
        self.current_node.append(nodes.raw("", "<s>", format="html"))
        self.render_children(token)
        self.current_node.append(nodes.raw("", "</s>", format="html"))

    def render_fence(self, token):
        name = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
        if name.startswith("{") and name != PAGES:
            token.token.info = "text"
        super().render_fence(token)

    def render_paragraph(self, token):
        """Render a paragraph: formulas on lines of their own part it."""
        super().render_paragraph(token)
        whole = self.current_node[-1]
        if not isinstance(whole, nodes.paragraph) or not any(isinstance(n, nodes.math_block) for n in whole):
            return
        self.current_node.remove(whole)
        part = None
        for node in list(whole.children):
            whole.remove(node)
            if isinstance(node, nodes.math_block):
                part = None
                self.current_node.append(node)
            elif part is not None or node.astext().strip() or not isinstance(node, nodes.Text):
                if part is None:
                    part = nodes.paragraph()
                    part.source, part.line = whole.source, whole.line
                    self.current_node.append(part)
                part.append(node)

    def generate_heading_target(self, token, level, node, title_node):
        """Give a heading JupyterLab's id, as well as its own: its text with - for spaces."""
        super().generate_heading_target(token, level, node, title_node)
        name = (token.meta or {}).get("text", "").replace(" ", "-")
        if name and not re.search(r"\s", name) and name not in self.document.ids:
            node["ids"].append(name)
            self.document.ids[name] = node

    def render_nb_cell_markdown(self, token):
        self.md_env["cell"] = token.meta["metadata"].get("cell", 0)
        super().render_nb_cell_markdown(token)

    def render_nb_cell_code(self, token):
        self.md_env["cell"] = token.meta["metadata"].get("cell", 0)
        super().render_nb_cell_code(token)
        for raw in list(self.current_node[-1].findall(nodes.raw)) if len(self.current_node) else []:
            if raw.get("format") == "html" and "text_html" in raw["classes"]:
                raw.parent.replace(raw, html_nodes(output(raw.astext()), self.cell))


def cells(notebook, md, env, logger):
    """Return the tokens of a notebook, in place of myst_nb.core.nb_to_tokens': what a cell of text
    defines holds in this cell alone, and headings stand below the title, the first of the first level."""
    out, titles = [Token("nb_initialise", "", 0, map=[0, 0])], 0
    for i, cell in enumerate(notebook.cells):
        meta = {"index": i, "metadata": cell.metadata}
        line = (i + 1) * 10000 + 1
        if cell.cell_type == "code":
            if cell.source.strip():
                out.append(Token("nb_cell_code", "code", 0, content=cell.source, meta=meta, map=[line, line]))
            continue
        match cell.metadata.get("form"):
            case "text/html":
                tokens = contained([Token("html_block", "", 0, content=cell.source, map=[0, 0])])
            case "text/plain":
                tokens = [Token("fence", "code", 0, content=cell.source, info="text", map=[0, 0])]
            case _:
                tokens = md.parse(cell.source, {})
        for token in tokens:
            if token.map:
                token.map = [line + token.map[0], line + token.map[1]]
            if token.type == "heading_open":
                titles += token.tag == "h1"
                if titles > 1 and token.tag != "h6":
                    token.tag = f"h{int(token.tag[1]) + 1}"
        if anchor := cell.metadata.get("anchor"):
            first = next((k for k, t in enumerate(tokens) if t.type == "heading_close"), -1) if tokens and tokens[0].type == "heading_open" else -1
            tokens.insert(first + 1, Token("html_block", "", 0, content=f'<a data-site class="cell-anchor" id="{html.escape(anchor)}"></a>', map=[line, line]))
        out += [
            Token("nb_cell_markdown_open", "", 1, hidden=True, meta=meta, map=[line, line]),
            *tokens,
            Token("nb_cell_markdown_close", "", -1, hidden=True),
        ]
    return [*out, Token("nb_finalise", "", 0, map=[0, 0])]


def setup(app):
    for module in (myst_parser.parsers.sphinx_, myst_nb.sphinx_, myst_nb.core.render):
        module.create_md_parser = functools.partial(parser, app)
    myst_nb.sphinx_.notebook_to_tokens = cells
    # In JupyterLab a bare address may follow any letter, and end in a bracket.
    mdit_py_plugins.gfm_autolink.index.check_prev = lambda before: True
    addresses._LINK_END_ASSORTMENT -= {"[", "]"}
    app.add_config_value("authored", [], "env")
    app.add_directive("site-pages", TocTree)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
