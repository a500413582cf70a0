package display

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// FigureType is the MIME type of a packed SVG document, see [Pack]. The output of a figure
// without a slider has it beside its PNG.
const FigureType = "application/vnd.marginalia.figure"

// Pack returns text as a notebook stores it: deflated (RFC 1951), in base64.
func Pack(text []byte) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // fails for an invalid level alone
	w.Write(text)                                      // to memory, which never fails
	w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// packedLimit bounds what unpacks: a hundred times what a figure or a slider may store.
const packedLimit = 30 << 20

// Unpack reads what [Pack] returned.
func Unpack(packed string) ([]byte, error) {
	r := flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed)))
	text, err := io.ReadAll(io.LimitReader(r, packedLimit+1))
	if err == nil && len(text) > packedLimit {
		err = fmt.Errorf("more than %d bytes", packedLimit)
	}
	return text, err
}
