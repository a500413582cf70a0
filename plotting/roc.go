package plotting

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// rates is a curve of rates from 0 to 1, with the chance level.
type rates struct {
	line
	chance       line
	across, down string
	area         string // under the curve, in words
}

// ROC draws a receiver operating characteristic: the true over the false positive rate, as
// in an eval.ROC. The dashed diagonal is the chance level, the curve of random scores. The
// legend has the area under the curve (AUC), after the name if there is one. Several curves
// share the axes; where they coincide, [Dashed] shows what lies below.
//
//	r, err := eval.NewROC(y, scores)
//	plotting.Show("roc", plotting.New("", plotting.ROC(r.FPR, r.TPR, plotting.Name("perceptron"))))
func ROC(fpr, tpr []float64, s ...StrokeStyle) Layer {
	checkRates("ROC", "fpr", fpr, "tpr", tpr)
	area := 0.0
	for k := 1; k < len(fpr); k++ {
		if fpr[k] < fpr[k-1] {
			panic(fmt.Sprintf("plotting: ROC: fpr[%d] = %g after %g, want ascending values", k, fpr[k], fpr[k-1]))
		}
		area += (fpr[k] - fpr[k-1]) * (tpr[k] + tpr[k-1]) / 2
	}
	return newRates("ROC", fpr, tpr, []float64{0, 1}, s, "false positive rate", "true positive rate", fmt.Sprintf("AUC %.3f", area))
}

// PrecisionRecall draws precision over recall, as in an eval.PrecisionRecall: the recall
// ascends. Each precision holds back to the previous recall, because a straight line between
// two points would promise precisions that no threshold reaches. The dashed line is the
// chance level, the share of +1. The legend has the average precision, the area under the
// steps, after the name if there is one.
//
// Source: Jesse Davis and Mark Goadrich, The relationship between precision-recall and ROC
// curves, ICML 2006, section 4: linear interpolation is too optimistic.
func PrecisionRecall(precision, recall []float64, s ...StrokeStyle) Layer {
	checkRates("PrecisionRecall", "precision", precision, "recall", recall)
	var xs, ys, chance []float64
	average, before := 0.0, 0.0
	for k, r := range recall {
		chance = []float64{precision[k], precision[k]}
		if r < before {
			panic(fmt.Sprintf("plotting: PrecisionRecall: recall[%d] = %g after %g, want ascending values", k, r, before))
		}
		if r > before {
			average += (r - before) * precision[k]
			xs, ys = append(xs, before, r), append(ys, precision[k], precision[k])
			before = r
		}
	}
	return newRates("PrecisionRecall", xs, ys, chance, s, "recall", "precision", fmt.Sprintf("average precision %.3f", average))
}

// checkRates panics unless xs and ys are as long and have rates.
func checkRates(what, nameX string, xs []float64, nameY string, ys []float64) {
	if len(xs) != len(ys) {
		panic(fmt.Sprintf("plotting: %s: %d values of %s, %d of %s", what, len(xs), nameX, len(ys), nameY))
	}
	for i := range xs {
		for _, v := range []struct {
			name string
			at   float64
		}{{nameX, xs[i]}, {nameY, ys[i]}} {
			if !(v.at >= 0 && v.at <= 1) {
				panic(fmt.Sprintf("plotting: %s: %s[%d] = %g, want 0 to 1", what, v.name, i, v.at))
			}
		}
	}
}

// newRates returns the curve; chance has the heights of the dashed line at 0 and 1, or is
// empty.
func newRates(what string, xs, ys, chance []float64, s []StrokeStyle, across, down, area string) *rates {
	l := &rates{line: line{pen.NewLook(what, s), xs, ys}, across: across, down: down, area: area}
	if len(chance) > 0 {
		l.chance = line{pen.Look{Alpha: 1, Color: pen.Zero, Dashed: true, Width: 1.2}, []float64{0, 1}, chance}
	}
	if l.line.Width == 0 {
		l.line.Width = 1.8
	}
	name := l.Name()
	if name != "" {
		name += ", "
	}
	l.Names = []string{name + area}
	return l
}

// coords has ½ too, so that the axes have numbers between 0 and 1.
func (l *rates) coords() (xs, ys []float64) { return []float64{0, 0.5, 1}, []float64{0, 0.5, 1} }

func (l *rates) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *rates) Traits() pen.Traits { return pen.Traits{Equal: true, Across: l.across, Down: l.down} }

func (l *rates) tint(next int) (Layer, bool) {
	t := *l
	tinted, took := l.line.tint(next)
	t.line = *tinted.(*line)
	return &t, took
}

func (l *rates) Plot(c draw.Canvas, p *plot.Plot) {
	l.chance.Plot(c, p)
	l.line.Plot(c, p)
}

func (l *rates) Alt() string { return "curve" + pen.Called(l.Name()) }
