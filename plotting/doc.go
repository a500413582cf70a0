// Package plotting draws the figures of lectures on linear classifiers:
// points by class, hyperplanes with their normals, margins, curves, weights as
// images. One expression makes a figure. The defaults suit a lecture, and the
// output is the same bytes every time:
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
// [New] makes a figure from layers and draws them in order. Layers are values:
//
//   - data: [Points], [Line], [Curve], [Classes], [Ring], [Bars], [Hist], [Band],
//     [ErrorBars]
//   - fields: [Score], [Probability], [Posteriors], [Regions], [Contour], [Boundary],
//     [Ellipse]
//   - geometry: [Plane], [Margin], [Slack], [Arrow], [Segment], [Perpendicular],
//     [RightAngle], [Note]
//   - measures: [Learning], [Search], [SearchPair], [ROC], [PrecisionRecall], [Confusion]
//   - images: [Matrix], [Image], [Digits], [Cells], [Gram]
//   - three dimensions: those of [marginalia/plotting/space]
//
// The last arguments of a layer are styles: [Name] for the legend, [Color],
// [Width], [Size], [Alpha], [Dashed], [Steps], [Shade], [Scale], [Bar],
// [Captions], [Labeled], [MarginAt], [Bins], [Edges], [Density], [Signed],
// [Samples], [Parallel]. Each kind of layer has a type of the styles that it takes, such as
// [LineStyle], and a style that it has no use for does not compile. A program that chooses
// styles as it runs collects them in a slice of that type:
//
//	looks := []plotting.LineStyle{plotting.Name("test"), plotting.Width(3)}
//	fig.With(plotting.Line(nil, errors, looks...))
//
// The axes cover the data of the layers, with equal scales if the figure shows a right angle. A
// note at an axis' end says what is added to all its numbers, as in +1.7×10⁹. Lines cycle through
// the colours of Okabe and Ito, from the ninth on with dashes. A class always has the same colour
// and glyph, which tell up to 26 classes apart in greyscale print and under colour blindness. The
// legend covers no data; if it lacks room, its letters get smaller and its names shorter, and it
// says how many entries are left out, as in +15. With [Figure.EndLabels] the names stand where the
// curves end, if they all have room there.
//
// The methods of Figure change the rest: [Figure.Labels], [Figure.Range],
// [Figure.Equal], [Figure.LogX], [Figure.LogY], [Figure.NoTicks], [Figure.Size]. [Tile] sets
// figures side by side.
//
// # Text
//
// All text is set in DejaVu Sans, which has the Unicode letters and signs of
// the subject (γ ξ ‖ ∈ ∇ ℝ ⟨ ⟩ ₁ ²), and bold and italic for 𝐰 and 𝑥. Write x_{ij} and e^{−m} for
// subscripts and superscripts that Unicode lacks, and \n for a line break. [Note] says what becomes
// of other characters.
//
// # Output
//
// [Show] displays a figure in the notebook. [Figure.PNG], [Figure.SVG] and
// [Figure.PDF] return files. [Figure.Alt] returns a description in words for
// readers who can't see the figure. In JupyterLab and in SVG files a sample's values appear
// under the mouse. [Figure.Draw] draws on a canvas of any back end of gonum.org/v1/plot/vg.
// [Figure.Save] writes a file, in the format that its name ends in: fig.Save("roc.svg").
// [Live] redraws a figure while a fit runs, and [Slide] while the reader drags a
// slider.
//
// # Together with gonum/plot
//
// A [Layer] is a plot.Plotter of gonum.org/v1/plot, so the two packages mix: a plotter of that
// module, or your own, is a layer of a figure, and a layer is a plotter of a *plot.Plot. [Show]
// accepts a *plot.Plot too, and keeps its fonts and layout.
//
// # Mistakes
//
// Functions that make layers panic if their arguments don't fit together, since that is a mistake
// in the program: "plotting: Classes: 6 rows, 5 labels". What can go wrong in a correct program,
// such as a file that can't be written, is an error: Show prints it and ends the program, [ShowErr]
// returns it. Samples with NaN or infinite coordinates are not drawn.
//
// # Files
//
// Each kind of layer has a file of its name, but ErrorBars is in band, Score and Probability in
// field_shade, Posteriors and Regions in field_posterior and field_regions, Boundary in contour,
// Arrow in segment, Learning in validation, SearchPair in search, PrecisionRecall in roc, Matrix
// and Digits in image, Cells in hog.
//
// A drawing passes through figure (what the caller set), view (ranges and colours), layout
// (margins, place of the legend) and frame (axes and text). layer has what a figure asks of a
// layer, style has the styles, and style_kinds says which layers take them. Below lie
// internal/pen (colours, glyphs, text), internal/axis (the numbers of the axes),
// internal/canvas (SVG, PDF and PNG) and internal/notebook, through which show, slide and live
// reach a notebook, and save a file.
package plotting
