package plotting

import "marginalia/plotting/internal/pen"

// A Style changes one property of a layer. Each kind of layer takes styles of its own type, such
// as [LineStyle], and the type that a style's function returns lists the kinds that take it. A
// style that a layer has no use for does not compile.
type Style interface {
	// Set is for layers of this module.
	Set(*pen.Look)
}

// The styles that layers take.
type (
	// BarsStyle is a style of [Bars]: [Name], [Color], [Alpha], [Size], [Labeled].
	BarsStyle interface {
		Style
		ofBars()
	}
	// CellsStyle is a style of [Cells]: [Name], [Color], [Width], [Alpha], [Signed].
	CellsStyle interface {
		Style
		ofCells()
	}
	// ConfusionStyle is a style of [Confusion]: [Bar].
	ConfusionStyle interface {
		Style
		ofConfusion()
	}
	// ContourStyle is a style of [Contour] and [Boundary]: [Name], [Color], [Width], [Alpha],
	// [Dashed], [Labeled], [Samples], [Parallel].
	ContourStyle interface {
		Style
		ofContour()
	}
	// CornerStyle is a style of [RightAngle] and space.RightAngle: [Color], [Width], [Alpha],
	// [Dashed], [Size].
	CornerStyle interface {
		Style
		ofCorner()
	}
	// CurveStyle is a style of [Curve] and [Band]: [Name], [Color], [Width], [Alpha], [Dashed],
	// [Steps].
	CurveStyle interface {
		Style
		ofCurve()
	}
	// DigitsStyle is a style of [Digits]: [Scale], [Bar], [Captions].
	DigitsStyle interface {
		Style
		ofDigits()
	}
	// DropsStyle is a style of space.Drops: [Name], [Color], [Width], [Alpha], [Size].
	DropsStyle interface {
		Style
		ofDrops()
	}
	// EllipseStyle is a style of [Ellipse]: [Name], [Color], [Width], [Alpha], [Dashed], [Size],
	// [Shade].
	EllipseStyle interface {
		Style
		ofEllipse()
	}
	// FieldStyle is a style of [Score] and [Probability]: [Scale], [Bar], [Samples], [Parallel].
	FieldStyle interface {
		Style
		ofField()
	}
	// GramStyle is a style of [Gram]: [Name], [Scale], [Bar].
	GramStyle interface {
		Style
		ofGram()
	}
	// HistStyle is a style of [Hist]: [Name], [Color], [Width], [Alpha], [Bins], [Edges],
	// [Density].
	HistStyle interface {
		Style
		ofHist()
	}
	// ImageStyle is a style of [Matrix], [Image] and [SearchPair]: [Scale], [Bar].
	ImageStyle interface {
		Style
		ofImage()
	}
	// LearningStyle is a style of [Learning] and [Search]: [Name].
	LearningStyle interface {
		Style
		ofLearning()
	}
	// LineStyle is a style of [Line]: [Name], [Color], [Width], [Alpha], [Dashed], [Size],
	// [Steps].
	LineStyle interface {
		Style
		ofLine()
	}
	// MarginStyle is a style of [Margin]: [Name], [Color], [Width], [Alpha], [Dashed], [Size],
	// [Shade], [MarginAt].
	MarginStyle interface {
		Style
		ofMargin()
	}
	// NoteStyle is a style of [Note]: [Color], [Alpha], [Size].
	NoteStyle interface {
		Style
		ofNote()
	}
	// PlaneStyle is a style of [Plane]: [Name], [Color], [Width], [Alpha], [Dashed], [Shade].
	PlaneStyle interface {
		Style
		ofPlane()
	}
	// PointsStyle is a style of [Points] and [Classes], in the plane and in space: [Name],
	// [Color], [Alpha], [Size].
	PointsStyle interface {
		Style
		ofPoints()
	}
	// PosteriorsStyle is a style of [Posteriors]: [Alpha], [Samples], [Parallel].
	PosteriorsStyle interface {
		Style
		ofPosteriors()
	}
	// RegionsStyle is a style of [Regions]: [Color], [Width], [Alpha], [Dashed], [Samples],
	// [Parallel].
	RegionsStyle interface {
		Style
		ofRegions()
	}
	// SegmentStyle is a style of [Arrow], [Segment], [Perpendicular], [Ring], [ErrorBars],
	// space.Arrow and space.Segment: [Name], [Color], [Width], [Alpha], [Dashed], [Size].
	SegmentStyle interface {
		Style
		ofSegment()
	}
	// SlackStyle is a style of [Slack]: [Name], [Color], [Width], [Alpha], [Dashed], [Size],
	// [Labeled], [MarginAt].
	SlackStyle interface {
		Style
		ofSlack()
	}
	// StrokeStyle is a style of [ROC], [PrecisionRecall], space.Plane and space.Curve: [Name],
	// [Color], [Width], [Alpha], [Dashed].
	StrokeStyle interface {
		Style
		ofStroke()
	}
)

// The kinds of layers that take a style.
type (
	// WidthStyle is the type of [Width].
	WidthStyle interface {
		CellsStyle
		ContourStyle
		CornerStyle
		CurveStyle
		DropsStyle
		EllipseStyle
		HistStyle
		LineStyle
		MarginStyle
		PlaneStyle
		RegionsStyle
		SegmentStyle
		SlackStyle
		StrokeStyle
	}
	// ColorStyle is the type of [Color].
	ColorStyle interface {
		WidthStyle
		BarsStyle
		NoteStyle
		PointsStyle
	}
	// AlphaStyle is the type of [Alpha].
	AlphaStyle interface {
		ColorStyle
		PosteriorsStyle
	}
	// DashedStyle is the type of [Dashed].
	DashedStyle interface {
		ContourStyle
		CornerStyle
		CurveStyle
		EllipseStyle
		LineStyle
		MarginStyle
		PlaneStyle
		RegionsStyle
		SegmentStyle
		SlackStyle
		StrokeStyle
	}
	// NameStyle is the type of [Name].
	NameStyle interface {
		BarsStyle
		CellsStyle
		ContourStyle
		CurveStyle
		DropsStyle
		EllipseStyle
		GramStyle
		HistStyle
		LearningStyle
		LineStyle
		MarginStyle
		PlaneStyle
		PointsStyle
		SegmentStyle
		SlackStyle
		StrokeStyle
	}
	// SizeStyle is the type of [Size].
	SizeStyle interface {
		BarsStyle
		CornerStyle
		DropsStyle
		EllipseStyle
		LineStyle
		MarginStyle
		NoteStyle
		PointsStyle
		SegmentStyle
		SlackStyle
	}
	// SampledStyle is the type of [Samples] and [Parallel].
	SampledStyle interface {
		ContourStyle
		FieldStyle
		PosteriorsStyle
		RegionsStyle
	}
	// ScaleStyle is the type of [Scale].
	ScaleStyle interface {
		DigitsStyle
		FieldStyle
		GramStyle
		ImageStyle
	}
	// BarStyle is the type of [Bar].
	BarStyle interface {
		ScaleStyle
		ConfusionStyle
	}
)

// option is any style. The type that a function returns it as says which layers take it.
type option func(*pen.Look)

func (o option) Set(l *pen.Look) { o(l) }

func (option) ofBars()       {}
func (option) ofCells()      {}
func (option) ofConfusion()  {}
func (option) ofContour()    {}
func (option) ofCorner()     {}
func (option) ofCurve()      {}
func (option) ofDigits()     {}
func (option) ofDrops()      {}
func (option) ofEllipse()    {}
func (option) ofField()      {}
func (option) ofGram()       {}
func (option) ofHist()       {}
func (option) ofImage()      {}
func (option) ofLearning()   {}
func (option) ofLine()       {}
func (option) ofMargin()     {}
func (option) ofNote()       {}
func (option) ofPlane()      {}
func (option) ofPoints()     {}
func (option) ofPosteriors() {}
func (option) ofRegions()    {}
func (option) ofSegment()    {}
func (option) ofSlack()      {}
func (option) ofStroke()     {}
