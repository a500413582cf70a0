//go:build !minimal

package canvas

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"time"
	"unicode/utf16"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// EncodePDF returns a drawing as a PDF document of one page, in vector graphics, with the used
// glyphs of the font embedded. The same drawing gives the same bytes: the document has no
// date.
func EncodePDF(d document) []byte {
	w, h := d.Extent()
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w.Points(), Ht: h.Points()}})
	doc.SetCatalogSort(true)
	doc.SetCreationDate(noDate)
	doc.SetModificationDate(noDate)
	doc.SetProducer("marginalia", true)
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddPage()
	c := &pdfCanvas{doc: doc, w: w, h: h, fonts: map[string]bool{}}
	vg.Initialize(c)
	d.Draw(draw.New(c))
	doc.SetSubject(utf16BE(d.Alt()), false)
	var b bytes.Buffer
	if err := doc.Output(&b); err != nil {
		panic(fmt.Sprintf("plotting: PDF: %v", err)) // no drawing can cause this
	}
	return undated(b.Bytes())
}

// utf16BE returns a text string of the document's information. fpdf converts only characters up to
// U+FFFF itself.
//
// Source: ISO 32000-2:2020, Document management — Portable document format, 7.9.2.2.
func utf16BE(txt string) string {
	b := []byte{0xFE, 0xFF}
	for _, unit := range utf16.Encode([]rune(Legible(txt))) {
		b = binary.BigEndian.AppendUint16(b, unit)
	}
	return string(b)
}

// fpdf always writes dates. undated overwrites them with as many spaces, which keeps the
// offsets in the table at the end of the file valid.
var (
	noDate = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	dates  = regexp.MustCompile(`/(CreationDate|ModDate) (\(D:[^)]*\)|<[0-9A-F]*>)`)
)

func undated(doc []byte) []byte {
	return dates.ReplaceAllFunc(doc, func(date []byte) []byte { return bytes.Repeat([]byte{' '}, len(date)) })
}
