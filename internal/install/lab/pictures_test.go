//go:build browser

package lab

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/testkit/testfile"
)

// A page that nbconvert makes has the pictures of its texts, whatever form their addresses have. One that is not
// there keeps its alternative text, and is said. What stands between the tags of HTML stays there.
func TestPictures(t *testing.T) {
	_, python := nbconvert(t)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "img"), 0o755); err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, filepath.Join(dir, "img", "my pic.png"), "PNG")
	attached := markdown("![coded](attachment:my%20pic.png) ![angle](<attachment:my pic.png>) ![ref][r] <img src='attachment:my%20pic.png' alt='tag'>\n" +
		"![gone](attachment:gone%20one.png) <img alt='gone tag' src='attachment:gone-tag.png'> ![empty](attachment:empty.png) `![a](attachment:code.png)`\n\n[r]: <attachment:кот.png>")
	attached["attachments"] = map[string]any{"my pic.png": map[string]any{"image/png": "UE5H"}, "кот.png": map[string]any{"image/png": []string{"UE", "5H"}}, "empty.png": map[string]any{}}
	writeNotebook(t, filepath.Join(dir, "pictures.ipynb"), attached,
		markdown("## Part\n\n[l](https://example.org) <script>alert(1)</script> <a href='&#100;ata:text/html,x' onclick='alert(2)'>d</a> <img src='javascript:alert(3)' onerror='alert(4)'>"),
		markdown("A <b>bold *word*</b>.\n\n<details>\n<summary>More</summary>\n\nhidden\n\n</details>"),
		markdown("![beside](img/my%20pic.png) <img alt='beside tag' src='img/my pic.png'> ![nothing]() ![folder](img) ![above](../x.png)"),
		code("x := 1", map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": map[string]any{"text/markdown": "![output](attachment:output.png) ![output beside](img/my%20pic.png)"}}))
	const picture = "data:image/png;base64,UE5H"
	want := map[string]string{"coded": picture, "angle": picture, "ref": picture, "tag": picture, "beside": picture, "beside tag": picture, "output beside": picture,
		"gone": "data:image/png;base64,", "gone tag": "data:image/png;base64,", "empty": "data:image/png;base64,", "output": "data:image/png;base64,",
		"nothing": "", "folder": "img", "above": "../x.png"}
	for format, page := range map[string]string{"html": "pictures.html", "slides": "pictures.slides.html", "html --HTMLExporter.sanitize_html=True": "pictures.html"} {
		nbconvert := exec.CommandContext(t.Context(), python, append(strings.Fields("-m nbconvert --to "+format), "pictures.ipynb")...)
		nbconvert.Dir = dir
		said, err := nbconvert.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", format, err, said)
		}
		sanitized := strings.Contains(format, "sanitize") // as JupyterLab's menu proposes
		for _, warning := range []string{"Cell 1 has no attachment gone one.png", "Cell 1 has no attachment gone-tag.png", "Cell 1 has no attachment empty.png", "Cell 5 has no attachment output.png"} {
			if strings.Count(string(said), warning) != 1 {
				t.Errorf("%s: nbconvert says %s, want %q once", format, said, warning)
			}
		}
		b := testfile.Read(t, filepath.Join(dir, page))
		got := map[string]string{}
		for _, tag := range pictureTag.FindAllStringSubmatch(b, -1) {
			got[tag[1]] = tag[2]
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: the pictures are %q, want %q", format, got, want)
		}
		for _, text := range []string{"<b>bold <em>word</em></b>", "<p>hidden</p>\n</details>", "![a](attachment:code.png)", `href="https://example.org"`, `<h2 id="Part`} {
			if !strings.Contains(b, text) {
				t.Errorf("%s: the page has no %s", format, text)
			}
		}
		if runs.MatchString(b) == sanitized {
			t.Errorf("%s: the page has %q", format, runs.FindAllString(b, -1))
		}
	}
}

var runs = regexp.MustCompile(`<script>alert|<a [^>]*onclick=|<img [^>]*onerror=|href="data:|javascript:alert`)

var pictureTag = regexp.MustCompile(`<img alt="([^"$]*)" src="([^"]*)"/>`)
