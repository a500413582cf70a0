package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	_ "image/gif" // the sizes of pictures
	_ "image/jpeg"
	_ "image/png"
)

// kinds are the pictures that pages show, with the ends of their files' names: those of one output, the
// first of them, as in JupyterLab.
var kinds = []struct{ mime, ext string }{
	{"image/svg+xml", ".svg"}, {"image/png", ".png"}, {"image/jpeg", ".jpg"}, {"image/gif", ".gif"}, {"image/webp", ".webp"}, {"image/bmp", ".bmp"},
}

var errNoPicture = errors.New("it has no picture")

// pictureOf is the picture in a bundle of an output or an attachment, and the end of its file's name.
func pictureOf(bundle map[string]any) (ext string, data []byte, err error) {
	for _, k := range kinds {
		text, ok := bundle[k.mime].(string)
		switch {
		case !ok || text == "":
			continue
		case k.ext == ".svg" && strings.Contains(text, "<svg"):
			if head, _, _ := strings.Cut(text[strings.Index(text, "<svg"):], ">"); !strings.Contains(head, "xmlns=") {
				text = strings.Replace(text, "<svg", `<svg xmlns="http://www.w3.org/2000/svg"`, 1)
			}
			return k.ext, []byte(text), nil
		}
		data, err := base64.StdEncoding.DecodeString(text64(text))
		if err != nil {
			return "", nil, fmt.Errorf("its %s is not base64: %w", k.mime, err)
		}
		return k.ext, data, nil
	}
	return "", nil, errNoPicture
}

// text64 is base64 as nbformat has it, without line ends.
func text64(data any) string {
	text, _ := data.(string)
	return strings.Join(strings.Fields(text), "")
}

// sumName is the name of a picture by its content.
func sumName(data []byte, ext string) string {
	return fmt.Sprintf("figures/%.8x%s", sha256.Sum256(data), cmp.Or(ext, ".png"))
}

// drawn reports whether a picture is likely to be a figure on white, and no photograph.
func drawn(ext string) bool { return ext == ".svg" || ext == ".png" }
