package derive

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// markdownPoints is the number of random points at which Markdown checks.
const markdownPoints = 100

// Markdown returns the derivation for a notebook cell: a table with one line per step, in
// TeX for MathJax, each with its value for the quantities of Example. A line below says
// whether all steps hold at 100 random points.
func (d Derivation[Q]) Markdown() string {
	report, err := d.Check(markdownPoints, 1)
	if report.Steps == nil {
		return fmt.Sprintf("**%v**\n", err) // the derivation cannot be computed
	}
	verdict := fmt.Sprintf("Computed at %d random points: every step holds.", report.Points)
	if err != nil {
		verdict = fmt.Sprintf("**Computed at %d random points: step %d does not hold.**", report.Points, err.(*StepError).Number)
	}
	return d.table(d.example(), verdict)
}

// MarkdownAt is Markdown with the values for the given quantities. The line below says
// whether all steps hold for these quantities.
func (d Derivation[Q]) MarkdownAt(q Q) string {
	report, err := d.CheckAt(q)
	if report.Steps == nil {
		return fmt.Sprintf("**%v**\n", err)
	}
	verdict := "Every step holds for these numbers."
	if err != nil {
		verdict = fmt.Sprintf("**Step %d does not hold for these numbers.**", err.(*StepError).Number)
	}
	return d.table(q, verdict)
}

func (d Derivation[Q]) table(q Q, verdict string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", d.Title)
	if d.Source != "" {
		fmt.Fprintf(&b, "*%s*\n\n", d.Source)
	}
	if d.Given != nil {
		fmt.Fprintf(&b, "%s\n\n", d.Given(q))
	}
	b.WriteString("| | step | number | because |\n|---:|:---|:---|:---|\n")
	for i, s := range d.Steps {
		tex := s.TeX
		if s.Relation != Start {
			tex = s.Relation.tex() + " " + tex
		}
		fmt.Fprintf(&b, "| %d | $\\displaystyle %s$ | $%s$ | %s |\n", i+1, tex, numberTeX(s.Value(q), s.size(q)), s.Reason)
	}
	fmt.Fprintf(&b, "\n%s\n", verdict)
	if d.Notes != "" {
		fmt.Fprintf(&b, "\n%s\n", d.Notes)
	}
	return b.String()
}

// shown is the largest number of elements of a value that are written out.
const shown = 6

// number writes a value with six digits: "0.5", or "(1, 2, …, 9)". An element is written
// as 0 if it is only rounding error relative to scale or to the largest element.
func number(v []float64, scale float64) string {
	if len(v) == 1 {
		return digits(v[0], scale)
	}
	for _, x := range v {
		scale = max(scale, math.Abs(x))
	}
	var words []string
	for i, x := range v {
		if len(v) > shown && i == shown-1 {
			words = append(words, "…", digits(v[len(v)-1], scale))
			break
		}
		words = append(words, digits(x, scale))
	}
	return "(" + strings.Join(words, ", ") + ")"
}

// digits writes x with six digits, or 0 if it is only rounding error relative to scale.
func digits(x, scale float64) string {
	if math.Abs(x) <= 1e-12*scale {
		x = 0
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// numberTeX is number for TeX.
func numberTeX(v []float64, scale float64) string {
	words := strings.Split(strings.Trim(number(v, scale), "()"), ", ")
	for i, w := range words {
		if mantissa, exponent, ok := strings.Cut(w, "e"); ok {
			e, _ := strconv.Atoi(exponent) // FormatFloat wrote a valid exponent
			w = fmt.Sprintf(`%s\cdot 10^{%d}`, mantissa, e)
		}
		words[i] = strings.NewReplacer("…", `\dots`, "+Inf", `\infty`, "-Inf", `-\infty`, "NaN", `\text{NaN}`).Replace(w)
	}
	s := strings.Join(words, `,\ `)
	if len(v) == 1 {
		return s
	}
	return "(" + s + ")"
}

// numTeX writes one number for TeX.
func numTeX(x float64) string { return numberTeX([]float64{x}, 0) }
