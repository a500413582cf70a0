package plotting

import "marginalia/plotting/internal/notebook"

// Save writes the figure to the named file, in the format that the name ends in: .svg, .pdf, or
// .png with 192 pixels per inch, as [Show] sends them; [Figure.PNG] takes another number. A
// file that is there is replaced whole or, if there is an error, not at all. Save returns an
// error if the name ends in anything else, or if the file can't be written.
func (f *Figure) Save(name string) error { return notebook.Save(name, newOnce(f)) }

// Save writes the panels to the named file; see [Figure.Save].
func (p *Panels) Save(name string) error { return notebook.Save(name, newOnce(p)) }
