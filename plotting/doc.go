// Package plotting draws the figures of lectures on linear classifiers:
// points by class, hyperplanes with their normals, margins, curves, weights as
// images. A figure is one expression, right without settings, and the same
// bytes every time:
//
//	x := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
//	y := []int{-1, -1, 1, 1}
//	w, b := []float64{1, -1}, 0.0
//	plotting.Show("boundary", plotting.New("the boundary and its normal",
//		plotting.Plane(w, b, plotting.Shade()),
//		plotting.Classes(x, y),
//		plotting.Arrow(0, 0, w[0], w[1], "w"),
//	))
//
// # Figures and layers
//
// [New] makes a figure of layers, which are drawn in their order. Layers are
// values:
//
//   - data: [Points], [Line], [Curve], [Classes], [Ring], [Bars], [Hist], [Band],
//     [ErrorBars]
//   - fields: [Score], [Probability], [Regions], [Contour], [Boundary], [Ellipse]
//   - geometry: [Plane], [Margin], [Slack], [Arrow], [Segment], [Perpendicular],
//     [RightAngle], [Note]
//   - images: [Matrix], [Image], [Digits], [Cells], [Confusion], [Gram]
//   - [Space], three dimensions with layers of its own
//
// Their last arguments are styles: [Name] for the legend, [Colour], [Width], [Size], [Alpha], [Dashed],
// [Steps], [Shade], [Scale], [Bar], [Captions], [Labelled], [MarginAt], [Bins],
// [Edges], [Density], [Signed], [Samples], [Parallel].
//
// The axes cover what the layers show. Both have the same scale where a right
// angle is to be seen. Lines get the colours of Okabe and Ito in turn; a class
// always has the same colour and the same shape, so it can be told apart in
// grey print and with any colour vision. The legend stands where it hides
// nothing: in a free corner, or beside the axes if there is none; with
// [Figure.EndLabels] names stand where curves end.
//
// Figure's methods change the rest: [Figure.Labels], [Figure.Range],
// [Figure.Equal], [Figure.LogX], [Figure.LogY], [Figure.Size]. [Tile] sets
// figures side by side.
//
// # Text
//
// All text is set in DejaVu Sans, which has the Unicode letters and signs of
// the subject (γ ξ ‖ ∈ ∇ ℝ ⟨ ⟩ ₁ ²). What Unicode has no raised or lowered
// form of is written x_{ij} and e^{−m}. A new line is \n.
//
// # Output
//
// [Show] displays a figure in the notebook. [Figure.PNG], [Figure.SVG]
// and [Figure.PDF] return files, [Figure.Alt] a description in words for those who do not see
// the figure, and [Figure.Draw] draws on a canvas of any back end of
// gonum.org/v1/plot/vg. [Live] redraws a figure while a fit runs, [Slide] while the
// reader drags a slider, and [Play] makes a film of figures.
//
// # Together with gonum/plot
//
// A [Layer] is a plot.Plotter of gonum.org/v1/plot, so both ways work. A plotter
// of that module, or your own, is a layer of a figure, and the figure's axes cover its
// DataRange. A layer of this package can be added to a *plot.Plot, and the axes of the
// plot cover the layer's data. [Plane], [Margin], [Curve] and fields have no data and are
// drawn over the axes' range, as plotter.Function is.
//
// Show takes a *plot.Plot as it takes a Figure: it appears in the notebook, and
// "go run . figures" writes it as SVG, PNG and PDF. It keeps the fonts and the layout
// of gonum/plot. The files are the same each time, unless it has a plotter.Contour,
// which draws its lines in an order that changes; [Contour] doesn't.
//
// # Mistakes
//
// Builders panic if their arguments do not fit together, since that is a
// mistake in the program: "plotting: Classes: 6 rows, 5 labels". Samples with
// coordinates that are NaN or infinite are not drawn.
package plotting
