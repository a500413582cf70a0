package notebooks

import (
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/notebook/picture"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

var update = flag.Bool("update", false, "write anew what a test makes")

const thumbnailWidth = 200

// 00-index.ipynb has an entry for each lecture: its title, what README.md says
// of it if it does, and a figure made small. At its end it says which cells run which sections
// of the texts. After a new lecture, a new line in README.md or a change of
// metadata.marginalia.sections:
//
//	go test ./notebooks -run TestIndex -update
func TestIndex(t *testing.T) {
	t.Parallel()
	cells := indexCells(t)
	if *update {
		nb := nbtest.Read(t, "01-perceptron.ipynb")
		nb.Cells, nb.Metadata["title"] = cells, "Index"
		nbtest.Write(t, nb, index)
	}
	nb := nbtest.Read(t, index)
	const how = "to write it anew: go test ./notebooks -run TestIndex -update"
	if len(nb.Cells) != len(cells) {
		t.Fatalf("%s has %d cells, want %d; %s", index, len(nb.Cells), len(cells), how)
	}
	for i, want := range cells {
		have := nb.Cells[i]
		if have.ID != want.ID || have.Source != want.Source || len(have.Attachments) != len(want.Attachments) {
			t.Errorf("%s, cell %s: is\n%s\nwant\n%s\n%s", index, have.ID, have.Source, want.Source, how)
		}
		for file, bundle := range have.Attachments {
			thumbnail := decode(t, bundle.(map[string]any)["image/png"].(string))
			drawn := have.ID == "prerequisites"
			if w := thumbnail.Bounds().Dx(); w > thumbnailWidth && !drawn {
				t.Errorf("%s, cell %s: %s is %d pixels wide, want at most %d", index, have.ID, file, w, thumbnailWidth)
			}
			made, ok := want.Attachments[file].(map[string]any)
			if !ok {
				t.Errorf("%s, cell %s: %s is no figure of the lecture; %s", index, have.ID, file, how)
			} else if today := decode(t, made["image/png"].(string)); !bytes.Equal(thumbnail.Pix, today.Pix) && !(drawn && picture.Compare(today, thumbnail).Same()) {
				t.Errorf("%s, cell %s: %s is not the lecture's figure of today; %s", index, have.ID, file, how)
			}
		}
	}
}

// indexCells makes the cells of the index.
func indexCells(t *testing.T) []*nbformat.Cell {
	cells := []*nbformat.Cell{{ID: "title", Type: "markdown", Metadata: map[string]any{}, Source: `# Linear classifiers, margins, kernels

A course in running notebooks. Open a lecture, run its cells from top to bottom with Shift-Enter, and change numbers: no cell does harm.

**In which order?** As they are numbered, if the subject is new to you. 06 can be read at any time. 08 lets all machines read the same digits and is best read when some of them are known. 09 lists what is wrong in the texts that the lectures follow.

**In an hour?** The core of each lecture fits one. Parts that can be left out are marked as *more* and listed in the lecture's first cells; the slides have the core alone. The minutes below are ` + howMinutes}}
	c, titles := readCourse(t), map[string]string{}
	readme := testfile.Read(t, "README.md")
	for file, nb := range notebooks(t) {
		line := regexp.MustCompile(`(?m)^- \[.*\]\(` + regexp.QuoteMeta(file) + `\): (.*)$`).FindStringSubmatch(readme)
		title, _, _ := strings.Cut(strings.TrimPrefix(nb.Cells[0].Source, "# "), "\n")
		name := lectureName(file)
		titles[file] = title
		c := &nbformat.Cell{ID: "lecture-" + name, Type: "markdown", Metadata: map[string]any{},
			Source: fmt.Sprintf("## %s [%s](%s)", name[:2], title, file)}
		if line != nil {
			c.Source += "\n\n" + line[1]
		}
		if sections := outline(file, nb); len(sections) > 0 {
			c.Source += "\n\n" + minutesOf(sections) + "."
		}
		if figure := frontFigure(nb); figure != "" {
			c.Source += fmt.Sprintf("\n\n[![A figure of the lecture: %s](attachment:%s.png)](%s)", title, name, file)
			c.Attachments = map[string]any{name + ".png": map[string]any{"image/png": thumbnail(t, decode(t, figure))}}
		}
		cells = append(cells, c)
	}
	cells = slices.Insert(cells, 1, prerequisitesCell(t, c, titles))
	return append(cells, &nbformat.Cell{ID: "notation", Type: "markdown", Metadata: map[string]any{}, Source: notation}, textsCell(t))
}

// notation is what the lectures and the five texts call the same things.
const notation = `## Letters

The five texts use different letters for the same things. These are the ones of the lectures, and what each text calls them.

| here | what it is | Theodoridis | Yuille | Cornell | CMU | EE-559 |
| --- | --- | --- | --- | --- | --- | --- |
| $x$ | a sample, a row of $X$ | $x$ | $x_\mu$ | $x_i$ | $x$ | $x_n$ |
| $y$ | its label, $-1$ or $+1$ | $y$, or $\omega_1$, $\omega_2$ | $y_\mu$ | $y_i$ | $l(x)$, $y_i$ | $y_n$, for LDA $0$ or $1$ |
| $w$ | the weights, the normal of the hyperplane | $w$ | $a$ | $\beta$ | $w$ | $w$ |
| $b$ | the bias | $w_0$ | $b$ | $\beta_0$ | $w_0$ | $b$ |
| $w \cdot x + b$ | the score | $g(x)$ | $a \cdot x + b$ | $f(x)$ | $w \cdot x + w_0$ | $w \cdot x + b$ |
| $\rho$ | the learning rate | $\rho$, also $\mu$ | | $\rho$ | | |
| $R$ | the largest distance of a sample from the origin | | $\beta$, in section 14 $K$ | | $R$ | $R$ |
| $\Delta$ | the margin, the distance of the nearest sample from the hyperplane | half of the margin | $m/\lvert a\rvert$, from section 7 on $C$ | $M$ | $\gamma$ | $\gamma/2$ |
| $\alpha_i$ | the multiplier of a sample; in lecture 1 its mistakes | $\lambda_i$ | $\alpha_\mu$ | $\alpha_i$ | $\alpha_i$ | |
| $\xi_i$ | the slack of a sample | $\xi_i$ | $z_\mu$ | $\xi_i$ | $\xi_i$ | $\max(0, \dots)$ |
| $C$ | the price of slack | $C$ | $\gamma$ | $c$ | $C/2$, in its dual $C$ | $1/(2\lambda N)$ |
| $\tau_i$ | the multiplier of $\xi_i \ge 0$, which is $C - \alpha_i$ | $\mu_i$ | $\tau_\mu$ | | | |
| $\lambda$ | the weight of $\lVert w\rVert^2$ in a cost (in section 3 of lecture 5 and in lecture 6 an eigenvalue) | | | | | $\lambda$ |
| $\sigma$ | the activation of a unit, from lecture 3 on the sigmoid | | | | | $\sigma$, threshold and sigmoid |
| $s$ | a standard deviation, also the width of a Gaussian | | | | $\sigma$ | |
| $\gamma$ | the parameter of a kernel; $\gamma = 1/(2s^2)$ for a Gaussian | | | $1/\alpha$ | $1/(2\sigma^2)$ | |
| $k(x, z)$ | a kernel | | | $k(x, y)$ | $K(x, z)$ | $\kappa(x, x')$ |
| $\phi$ | the map to its space, in lecture 7 $\Phi$ | | | $\phi$ | $\phi$, $\Phi$ | $\Phi$ |
| $M$ | the number of classes | $M$ | | | | $M$, units of a layer |
| $G$ | the Gram matrix, $G_{ij} = k(x_i, x_j)$ | | | | | |
| $K$ | the number of clusters, or of neighbours that vote | | | $K$ | | $K$ |`

// frontFigure returns the figure of the cell whose metadata.marginalia.thumbnail
// is true, or the first that is no sheet but about as high as wide, or else the
// first, in base64.
func frontFigure(nb *nbformat.Notebook) (first string) {
	chosen := slices.ContainsFunc(nb.Cells, wanted)
	for _, c := range nb.Cells {
		if chosen && !wanted(c) {
			continue
		}
		for _, o := range c.Outputs {
			data, ok := o.Data["image/png"].(string)
			if !ok {
				continue
			}
			if first == "" {
				first = data
			}
			raw, _ := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(data), ""))
			if size, err := png.DecodeConfig(bytes.NewReader(raw)); err == nil && size.Width < 2*size.Height {
				return data
			}
		}
	}
	return first
}

func wanted(c *nbformat.Cell) bool {
	v, _ := c.Setting("thumbnail")
	return v == true
}

func decode(t *testing.T, data string) *image.RGBA {
	t.Helper()
	raw := must.Get(base64.StdEncoding.DecodeString(strings.Join(strings.Fields(data), ""))).Or(t)
	im := must.Get(picture.Decode(raw)).Or(t)
	return im
}

// thumbnail returns im as a PNG of thumbnailWidth pixels, each of which is the
// mean of those it stands for, in 32 levels so that the file is small.
func thumbnail(t *testing.T, im *image.RGBA) string {
	from := im.Bounds()
	w := min(thumbnailWidth, from.Dx())
	h := max(1, from.Dy()*w/from.Dx())
	small := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var sum [3]uint32
			n := uint32(0)
			for v := y * from.Dy() / h; v < (y+1)*from.Dy()/h; v++ {
				for u := x * from.Dx() / w; u < (x+1)*from.Dx()/w; u++ {
					c := im.RGBAAt(from.Min.X+u, from.Min.Y+v)
					sum[0], sum[1], sum[2], n = sum[0]+uint32(c.R), sum[1]+uint32(c.G), sum[2]+uint32(c.B), n+1
				}
			}
			level := func(s uint32) uint8 { return uint8((s/n*31 + 127) / 255 * 255 / 31) }
			small.SetRGBA(x, y, color.RGBA{level(sum[0]), level(sum[1]), level(sum[2]), 255})
		}
	}
	var b bytes.Buffer
	must.Do(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, small))
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
