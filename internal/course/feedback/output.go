package feedback

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"image"
	_ "image/jpeg" // the sizes of pictures
	_ "image/png"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"marginalia/internal/notebook/nbformat"
)

const (
	maxOutputs = 100      // of a cell
	maxOutput  = 64 << 10 // bytes of a text
	maxLines   = 2000     // of a text
	maxPicture = 4 << 20  // bytes
	maxPixels  = 40e6     // a browser takes 4 bytes for each
	maxSVG     = 1 << 20  // bytes
)

// outputs returns what a cell printed and drew.
func (b *builder) outputs(id string, all []nbformat.Output) (shown []output) {
	all = nbformat.MergeStreams(all)
	for i, o := range all {
		if i == maxOutputs {
			return append(shown, output{Left: fmt.Sprintf("%d more outputs are left out", len(all)-i)})
		}
		switch o.Type {
		case "stream":
			shown = append(shown, b.printed(nbformat.Shown(o.Text), o.Name == "stderr"))
		case "error":
			text := strings.Join(o.Traceback, "\n")
			if text == "" {
				text = o.EName + ": " + o.EValue
			}
			shown = append(shown, b.printed(text, true))
		default:
			if url := b.picture(o.Data); url != "" {
				b.figures++
				words, _ := o.Metadata["alt"].(string)
				shown = append(shown, output{Image: url, Alt: fmt.Sprintf("Figure %d: drawn by the cell %s", b.figures, id), Words: Line(words, maxMessage), Width: width(o.Metadata)})
			} else if text, ok := plain(o.Data); ok {
				shown = append(shown, b.printed(text, false))
			} else {
				types := Line(strings.Join(slices.Sorted(maps.Keys(o.Data)), ", "), 200)
				shown = append(shown, output{Left: "an output that can't be shown here: " + types})
			}
		}
	}
	return shown
}

// width returns how wide the picture of a bundle is to be shown, 0 if its metadata do not say. A figure has more pixels
// than that, for fine screens and for print.
func width(metadata map[string]any) int {
	for _, mime := range pictures {
		size, _ := metadata[mime].(map[string]any)
		if n, ok := size["width"].(json.Number); ok {
			if px, err := n.Float64(); err == nil && px >= 1 && px <= 10000 {
				return int(px)
			}
		}
	}
	return 0
}

func (b *builder) printed(text string, wrong bool) output {
	text, left := b.take(strings.TrimRight(text, "\n"), maxOutput, maxLines)
	return output{Text: clean(text), Wrong: wrong, Left: left}
}

// plain returns the words of a bundle.
func plain(data map[string]any) (string, bool) {
	for _, mime := range []string{"text/plain", "text/markdown", "text/latex"} {
		if text, ok := data[mime].(string); ok && strings.TrimSpace(text) != "" {
			return text, true
		}
	}
	text, ok := data["text/html"].(string)
	return textOf(text), ok
}

// textOf returns the words of HTML, a row of a table on a line.
func textOf(source string) string {
	if len(source) > 4*maxOutput {
		source = source[:4*maxOutput]
	}
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(source))
	hidden := false // within a script or a style
	for {
		switch z.Next() {
		case html.ErrorToken: // the end
			return b.String()
		case html.TextToken:
			if !hidden {
				b.WriteString(html.UnescapeString(string(z.Raw())))
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			hidden = string(name) == "script" || string(name) == "style"
		case html.EndTagToken:
			hidden = false
			name, _ := z.TagName()
			switch atom.Lookup(name) {
			case atom.Td, atom.Th:
				b.WriteString("\t")
			case atom.Tr, atom.P, atom.Div, atom.Li, atom.Pre, atom.H1, atom.H2, atom.H3, atom.H4:
				b.WriteString("\n")
			}
		}
	}
}

// pictures are the kinds that a page shows, the best first. In an <img> no SVG runs scripts or
// loads anything (SVG Integration, W3C, secure static mode).
var pictures = []string{"image/png", "image/jpeg", svg}

const svg = "image/svg+xml"

// bombs are what makes a small SVG a large picture: entities, and references to elements.
var bombs = regexp.MustCompile(`(?i)<!|<(\w+:)?(use|pattern|filter|image|feimage|animate\w*|set)\b|@import`)

// picture returns the picture of a bundle for an <img>, "" if it has none that is what it says.
func (b *builder) picture(bundle map[string]any) template.URL {
	for _, mime := range pictures {
		text, ok := bundle[mime].(string)
		if !ok || len(text) > 2*maxPicture {
			continue
		}
		var data []byte
		if mime == svg {
			data = []byte(strings.TrimSpace(text))
			if _, rest, ok := bytes.Cut(data, []byte("?>")); ok && bytes.HasPrefix(data, []byte("<?xml")) {
				data = bytes.TrimSpace(rest)
			}
			if len(data) > maxSVG || !bytes.HasPrefix(data, []byte("<svg")) || bombs.Match(data) {
				continue
			}
		} else {
			var err error
			if data, err = io.ReadAll(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text))); err != nil {
				continue
			}
			config, kind, err := image.DecodeConfig(bytes.NewReader(data))
			if err != nil || "image/"+kind != mime || float64(config.Width)*float64(config.Height) > maxPixels {
				continue
			}
		}
		if len(data) > min(maxPicture, b.images) {
			continue
		}
		b.images -= len(data)
		return template.URL("data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data))
	}
	return ""
}
