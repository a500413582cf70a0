package notebooks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
)

// A lectureText is one of the five that the lectures follow, with its sections in their order.
type lectureText struct {
	key, title string
	sections   []section
}

// A section of a text is run by the cells whose metadata.marginalia.sections has its text's
// key and its own, as in "yuille 3". without says why no cell runs it. Slides without
// numbers have a word for a key.
type section struct{ key, title, without string }

// TestTexts wants a cell or a reason for each section of the texts.
func TestTexts(t *testing.T) {
	t.Parallel()
	cells := sectionCells(t)
	for _, x := range texts {
		for _, s := range x.sections {
			key := x.key + " " + s.key
			switch run := len(cells[key]) > 0; {
			case run && s.without != "":
				t.Errorf("%s: %v run it, and yet there is a reason why no cell does", key, cells[key])
			case !run && s.without == "":
				t.Errorf("%s, %q: no cell has it in metadata.marginalia.sections, and no reason is stated", key, s.title)
			}
			delete(cells, key)
		}
	}
	for key, of := range cells {
		t.Errorf("%v: %q is no section of a text in texts_test.go", of, key)
	}
}

// A place is a cell of a lecture.
type place struct{ file, id string }

// sectionCells returns the code cells of the lectures by the sections that they run, in the
// order of the lectures.
func sectionCells(t *testing.T) map[string][]place {
	t.Helper()
	cells := map[string][]place{}
	for file, nb := range notebooks(t) {
		for _, c := range nb.Cells {
			v, ok := c.Setting("sections")
			if !ok {
				continue
			}
			list, ok := v.([]any)
			if !ok || c.Type != "code" {
				t.Errorf("%s, cell %s: metadata.marginalia.sections = %v, want a list, in a code cell", file, c.ID, v)
			}
			for _, key := range list {
				cells[fmt.Sprint(key)] = append(cells[fmt.Sprint(key)], place{file, c.ID})
			}
		}
	}
	return cells
}

// textsCell makes the cell of the index that says where each section is run.
func textsCell(t *testing.T) *nbformat.Cell {
	cells := sectionCells(t)
	var b strings.Builder
	b.WriteString("## Where the texts are run\n\nThe lectures follow five texts. For each section, in the order of its text, these are the cells that run it.\n")
	for _, x := range texts {
		fmt.Fprintf(&b, "\n**%s**\n\n| section | cells |\n| --- | --- |\n", x.title)
		for _, s := range x.sections {
			where, before := s.without, ""
			for _, p := range cells[x.key+" "+s.key] {
				switch before {
				case p.file:
					where += ", "
				case "":
					where += p.file[:2] + ": "
				default:
					where += "; " + p.file[:2] + ": "
				}
				where += fmt.Sprintf("[%s](%s#cell-id=%s)", p.id, p.file, p.id)
				before = p.file
			}
			title := s.title
			if strings.ContainsAny(s.key[:1], "0123456789") {
				title = s.key + " " + title
			}
			fmt.Fprintf(&b, "| %s | %s |\n", title, where)
		}
	}
	return &nbformat.Cell{ID: "texts", Type: "markdown", Metadata: map[string]any{}, Source: strings.TrimSuffix(b.String(), "\n")}
}

// Each key names one section.
func TestTextsKeys(t *testing.T) {
	t.Parallel()
	var keys []string
	for _, x := range texts {
		for _, s := range x.sections {
			keys = append(keys, x.key+" "+s.key)
		}
	}
	slices.Sort(keys)
	for k := 1; k < len(keys); k++ {
		if keys[k] == keys[k-1] {
			t.Errorf("there are two sections %q", keys[k])
		}
	}
}

// texts are the five texts, in the order in which the lectures meet them.
var texts = []lectureText{
	{"theodoridis", "Theodoridis and Koutroumbas, Pattern Recognition, chapter 3, as in the slides of Fouladi-Ghaleh", []section{
		{"hyperplanes", "The problem; decision hyperplanes", ""},
		{"cost", "The perceptron: a cost that is piecewise linear", ""},
		{"descent", "The perceptron by gradient descent; conditions on ρ", ""},
		{"reward", "Reward and punishment; example 3.2", ""},
		{"neuron", "The perceptron as a neuron", ""},
		{"batch", "The batch algorithm from a random w(0); a step of it", ""},
		{"mse", "Mean square error estimation", ""},
		{"mse-classes", "Mean square error with many classes; posteriors", ""},
		{"squares", "Sum of error squares and the pseudoinverse", ""},
		{"ten-points", "The example of ten points", ""},
		{"regression", "Mean square error regression", ""},
		{"dilemma", "The bias-variance dilemma; figure 3.8", ""},
		{"logistic", "Logistic discrimination", ""},
		{"margin", "Support vector machines: the margin", ""},
		{"kkt", "The Karush-Kuhn-Tucker conditions; support vectors", ""},
		{"dual", "The dual problem", ""},
		{"slacks", "Classes that no hyperplane separates: slacks", ""},
		{"training", "Training: working sets and SMO", ""},
		{"figure-3-13", "Figure 3.13: the choice of C", ""},
		{"one-against-all", "Many classes, one against all", ""},
	}},
	{"yuille", "Yuille, Linear classifiers: perceptrons, margins and duality", []section{
		{"1", "Linear classifiers and perceptrons", ""},
		{"2", "More geometry: the projection of a point", ""},
		{"3", "The perceptron algorithm", ""},
		{"4", "Novikov's theorem", ""},
		{"5", "The perceptron in history", "Prose alone: what was claimed of the perceptron."},
		{"6", "What perceptrons can represent; chance alignments", ""},
		{"7", "Margins and duality", ""},
		{"8", "Slack variables", ""},
		{"9", "The criterion", ""},
		{"10", "Primal and dual", ""},
		{"11", "Support vectors", ""},
		{"12", "The dual", ""},
		{"13", "From the primal to the dual", ""},
		{"14", "The perceptron in dual form", ""},
		{"15", "The hinge, and other criteria", ""},
	}},
	{"cornell", "Cornell, CS 5785, lecture 15", []section{
		{"1", "Separating hyperplanes; figures 4.14 and 4.15", ""},
		{"table", "The table of models", ""},
		{"1.1", "Perceptron learning; figure 4.7", ""},
		{"1.2", "Stochastic gradient descent", ""},
		{"lifting", "Lifting the data; xor", ""},
		{"1.3", "Optimal separating hyperplanes; figure 4.16", ""},
		{"mark-1", "Rosenblatt's Mark I", ""},
		{"2", "Deriving the machine; beside LDA and logistic regression", ""},
		{"3", "Classes that overlap; faces and neighbours", ""},
		{"4", "Kernels", ""},
		{"4.1", "Examples of kernels", ""},
		{"figure-12", "Figure 12: spectral clustering, kernel PCA", ""},
	}},
	{"cmu", "CMU, Perceptron: geometric margins, kernel methods, support vector machines", []section{
		{"online", "The online model and mistakes", ""},
		{"separators", "Linear separators; a constant feature for the bias", ""},
		{"algorithm", "The perceptron algorithm; the example of six points", ""},
		{"margins", "Margins of points and of sets", ""},
		{"bound", "The mistake bound and its proof", ""},
		{"extensions", "Extensions: mistakes as a rate, the hinge", ""},
		{"complexity", "Complexity of large margins", ""},
		{"not-separable", "Data that no line separates", ""},
		{"kernels", "What a kernel is", ""},
		{"implicit", "Feature spaces are large", ""},
		{"kernelising", "Algorithms that take kernels", ""},
		{"kernel-perceptron", "The kernel perceptron and its margin", ""},
		{"examples", "More kernels", ""},
		{"svm-margin", "Support vector machines: the widest margin directly", ""},
		{"svm-errors", "Errors: their number, and the hinge", ""},
		{"svm-dual", "The dual, and with kernels", ""},
		{"svm-properties", "What support vector machines are said to be", ""},
	}},
	{"ee559", "Fleuret, EE-559 Deep learning, 3a", []section{
		{"history", "Threshold logic units", ""},
		{"perceptron", "The perceptron and its algorithm", ""},
		{"convergence", "Convergence", ""},
		{"svm", "The hinge and support vector machines", ""},
		{"lda", "Linear discriminant analysis: from Gaussians to the sigmoid", ""},
		{"logistic", "Logistic regression", ""},
		{"layer", "Many outputs: a layer", ""},
		{"xor", "Limits, and the product that solves xor", ""},
		{"polynomials", "Polynomials; Stone and Weierstrass", ""},
		{"eight", "An 8 or not, with products of pixels", ""},
		{"bias-variance", "Bias and variance", ""},
		{"invariance", "Features that do not change; votes of neighbours", ""},
		{"hog", "Histograms of oriented gradients", ""},
		{"channels", "Channel features", "Named by one sentence of the text; the lectures do not run them: pedestrians and their data would be a lecture of its own."},
		{"kernel-trick", "The kernel trick", ""},
	}},
}
