// Package pdf writes figures as PDF, for slides and print: vector graphics with
// the text in DejaVu Sans, of which the letters that occur are embedded.
//
//	err := os.WriteFile("margin.pdf", pdf.Encode(figure), 0o644)
//
// It is apart from package plotting since it brings much code along, which no
// cell of a notebook should have to link. A program that imports it, be it for
// nothing else, also lets [plotting.Show] write PDF files.
package pdf

import (
	"bytes"
	"fmt"
	"regexp"
	"time"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting"
)

func init() { plotting.RegisterFormat("pdf", Encode) }

// Encode returns the drawing as a PDF document of one page of its size. The same
// drawing gives the same bytes: the document bears no date.
func Encode(d plotting.Drawing) []byte {
	w, h := d.Extent()
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w.Points(), Ht: h.Points()}})
	doc.SetCatalogSort(true)
	doc.SetCreationDate(noDate)
	doc.SetModificationDate(noDate)
	doc.SetProducer("marginalia", true)
	doc.SetSubject(d.Alt(), true)
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddUTF8FontFromBytes(face, "", dejavusans.TTF)
	doc.AddPage()
	c := &canvas{doc: doc, w: w, h: h}
	vg.Initialize(c)
	d.Draw(draw.New(c))
	var b bytes.Buffer
	if err := doc.Output(&b); err != nil {
		panic(fmt.Sprintf("pdf: %v", err)) // nothing of the drawing can be at fault
	}
	return undated(b.Bytes())
}

// fpdf writes a date in any case. It is blanked afterwards, by as many spaces as
// the table of positions at the end of the file counts on.
var (
	noDate = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	dates  = regexp.MustCompile(`/(CreationDate|ModDate) (\(D:[^)]*\)|<[0-9A-F]*>)`)
)

func undated(doc []byte) []byte {
	return dates.ReplaceAllFunc(doc, func(date []byte) []byte { return bytes.Repeat([]byte{' '}, len(date)) })
}
