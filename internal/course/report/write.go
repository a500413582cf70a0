package report

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"text/tabwriter"

	"marginalia/internal/course/feedback"
	"marginalia/internal/course/similar"
	"marginalia/plotting"
)

// WriteText writes the report as tables for a terminal.
func (r *Report) WriteText(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s: %d handed in; %s\n", r.Assignment, len(r.Marks), r.Summary())
	for _, q := range r.Questions {
		fmt.Fprintf(w, "\n%s\t%s\n", q.Name(), r.Points(q))
		for _, k := range q.Shown() {
			fmt.Fprintf(w, "  %s%s\tfailed by %d of %d\n", k.Words, hidden(k), k.Failed, k.Run)
			for _, m := range k.Messages {
				fmt.Fprintf(w, "    %d× %s\n", m.Count, m.Text)
			}
		}
	}
	if len(r.Seconds) > 0 {
		fmt.Fprintf(w, "\n%s\n", r.Time())
	}
	if len(r.Alike) > 0 {
		fmt.Fprintf(w, "\nsolutions that are alike: a reason to look, no proof\n")
		for _, p := range r.Pairs() {
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", p.A, p.B, p.Share, p.Where)
		}
	}
	for _, why := range r.Unjudged {
		fmt.Fprintf(w, "\nwithout a record: %s\n", why)
	}
	return w.Flush()
}

func hidden(k *Check) string {
	if k.Hidden {
		return " (hidden, " + k.Name + ")"
	}
	return ""
}

// Summary says mean, median and what is missing.
func (r *Report) Summary() string {
	text := fmt.Sprintf("mean %.3g, median %.3g of %g points", mean(r.Marks), quantile(r.Marks, 0.5), r.Max)
	if r.Unfinished > 0 {
		text += fmt.Sprintf("; %d with marks still to be given by hand", r.Unfinished)
	}
	if r.Ungraded > 0 {
		text += fmt.Sprintf("; %d with a notebook that can't be graded", r.Ungraded)
	}
	return text
}

// Time says what the tests took.
func (r *Report) Time() string {
	return fmt.Sprintf("processor time of the tests: median %.2g s, 95%% below %.2g s, most %.2g s", quantile(r.Seconds, 0.5), quantile(r.Seconds, 0.95), quantile(r.Seconds, 1))
}

// Name is what a question is called: as on students' pages, if a heading stands above it.
func (q *Question) Name() string {
	if q.Title == "" {
		return q.Notebook + ": " + q.Cell
	}
	return q.Notebook + ": " + q.Title + " (" + q.Cell + ")"
}

// Points says the mean of a question.
func (r *Report) Points(q *Question) string {
	switch {
	case q.Given == 0:
		return "not marked yet"
	case q.Given < len(r.Marks):
		return fmt.Sprintf("mean %.3g of %g, of %d that are marked", q.Mean, q.Max, q.Given)
	}
	return fmt.Sprintf("mean %.3g of %g", q.Mean, q.Max)
}

// Shown returns the checks without subtests, and those that failed with a message of their own.
func (q *Question) Shown() (all []*Check) {
	for _, k := range q.Checks {
		if q.leaf(k) || len(k.Messages) > 0 {
			all = append(all, k)
		}
	}
	return all
}

// A pair is a similar.Pair in words.
type pair struct{ A, B, Share, Where string }

// Pairs returns the pairs that are alike, each with its longest common part.
func (r *Report) Pairs() (all []pair) {
	for _, p := range r.Alike {
		w := pair{A: feedback.Line(p.A, maxWords), B: feedback.Line(p.B, maxWords), Share: fmt.Sprintf("%.0f%%", 100*p.Share)}
		longest := similar.Part{}
		for _, part := range p.Parts {
			if part.Tokens > longest.Tokens {
				longest = part
			}
		}
		if longest.Tokens > 0 {
			w.Where = feedback.Line(place(longest.A)+", and "+place(longest.B), maxWords)
		}
		all = append(all, w)
	}
	return all
}

func place(l similar.Lines) string {
	if l.From == l.To {
		return fmt.Sprintf("cell %s, line %d", l.Cell, l.From)
	}
	return fmt.Sprintf("cell %s, lines %d to %d", l.Cell, l.From, l.To)
}

// bins is how many the histogram has at most.
const bins = 20

// Distribution is the histogram of the marks.
func (r *Report) Distribution() *plotting.Figure {
	top := max(r.Max, quantile(r.Marks, 1), 1)
	n := bins
	if top == float64(int(top)) && top < bins {
		n = int(top) // one bin per point
	}
	edges := make([]float64, n+1)
	for i := range edges {
		edges[i] = top * float64(i) / float64(n)
	}
	return plotting.New("Marks of "+r.Assignment, plotting.Hist([][]float64{r.Marks}, plotting.Edges(edges...))).Labels("points", "submissions")
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("report").Parse(pageText))

// WriteHTML writes the report as one file that runs no script and loads nothing.
func (r *Report) WriteHTML(w io.Writer) error {
	data := struct {
		Policy string
		Style  template.CSS
		Figure template.URL
		Alt    string
		R      *Report
	}{Policy: feedback.Policy(), Style: template.CSS(feedback.Style), R: r}
	if len(r.Marks) > 0 {
		f := r.Distribution()
		data.Figure, data.Alt = template.URL("data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString(f.SVG())), f.Alt()
	}
	return page.Execute(w, data)
}
