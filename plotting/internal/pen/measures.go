package pen

import "gonum.org/v1/plot/vg"

// The measures of the parts around the data, in points.
const (
	Border     vg.Length = 5 // white around everything
	FrameWidth vg.Length = 0.7
	TickLength vg.Length = 3.5
	TickGap    vg.Length = 2.5 // between tick and number
	LabelGap   vg.Length = 3   // between numbers and label
	TitleGap   vg.Length = 5
)
