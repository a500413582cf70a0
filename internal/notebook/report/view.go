package report

import (
	"bytes"
	"encoding/base64"
	"html/template"
	"image"
	"image/png"
	"net/http"

	"marginalia/internal/notebook/outputs"
	"marginalia/internal/notebook/picture"
)

// maxPage is how many bytes of pictures and text a page may have. 200 figures of the lectures, with
// what differs, have about 30 MB; a browser opens twice that in a few seconds.
const maxPage = 64 << 20

type cellView struct {
	Cell
	Views []view
}

// A view is a difference as the page shows it.
type view struct {
	What, Note string
	Lines      []line
	Pictures   []pictureView
	Full       bool // the page has no room for it
}

type pictureView struct {
	Caption, Alt  string
	URL           template.URL
	Width, Height int // 0 if the file does not say
}

func viewOf(d outputs.Difference, room *int) view {
	v := view{What: outputs.Visible(d.What), Note: outputs.Visible(d.Note)}
	if d.Note == "" {
		v.Lines = lines(d.Want, d.Got)
	}
	for _, l := range v.Lines {
		*room -= l.size()
	}
	for _, p := range []struct {
		caption, alt string
		file         []byte
	}{
		{"stored", "The picture in the notebook", d.Old},
		{"new", "The picture drawn now", d.New},
		{"difference", "Where they differ", difference(d.Old, d.New)},
	} {
		if p.file != nil {
			v.Pictures = append(v.Pictures, shown(p.caption, p.alt, p.file))
			*room -= len(v.Pictures[len(v.Pictures)-1].URL)
		}
	}
	if *room < 0 {
		return view{What: v.What, Note: v.Note, Full: true}
	}
	return v
}

// difference returns the file of a picture that shows where two differ, nil if they do not have pixels.
func difference(stored, drawn []byte) []byte {
	want, err1 := picture.Decode(stored)
	got, err2 := picture.Decode(drawn)
	if err1 != nil || err2 != nil {
		return nil
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture.Map(want, got)); err != nil {
		return nil // pictures without a pixel
	}
	return b.Bytes()
}

// shown puts a picture into the page itself. In an <img> scripts of an SVG do not run, and what it
// links to is not loaded.
func shown(caption, alt string, file []byte) pictureView {
	kind := "image/svg+xml"
	c, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err == nil {
		kind = http.DetectContentType(file)
	}
	return pictureView{caption, alt, template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(file)), c.Width, c.Height}
}
