package pen

// Traits are the effects of a layer on the axes.
type Traits struct {
	Features      bool     // the axes are features x₁ and x₂
	Equal         bool     // the axes have equal scales
	Plane, Normal bool     // both together, even in different layers, show a right angle
	Geometry      bool     // if all layers have it, the figure needs room around them
	Image, Sheet  bool     // cells up to the border, no numbers; no frame
	Exact         bool     // no part of the x range is rounding error
	Floor         bool     // no padding at y = 0 unless there are values on both sides
	Names         []string // of x = 1, 2, 3, …
	Rows          []string // of y = -1, -2, -3, … or of RowsAt if that is set
	RowsAt        []float64
	Across, Down  string // labels of the axes, unless Labels sets others
	Ground        bool   // paints the whole plane; the legend may hide a part of it
}
