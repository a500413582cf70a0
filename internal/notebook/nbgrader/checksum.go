package nbgrader

import (
	"crypto/md5"
	"fmt"
	"io"
	"strconv"
	"strings"

	"marginalia/internal/notebook/nbformat"
)

// Checksum returns the checksum of a cell as nbgrader computes it: the MD5 sum, in
// hexadecimal, of the source, the cell type, what the cell is for, its grade_id, and
// its points if it has Grade.
func Checksum(c *nbformat.Cell, m Meta) string {
	h := md5.New()
	io.WriteString(h, c.Source)
	io.WriteString(h, c.Type)
	for _, b := range []bool{m.Grade, m.Solution, m.ReadOnly()} {
		io.WriteString(h, map[bool]string{true: "True", false: "False"}[b])
	}
	io.WriteString(h, m.ID)
	if m.Grade {
		io.WriteString(h, pythonFloat(m.Points))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// pythonFloat returns x as Python's str(float(x)) does: the shortest digits that
// give x again, with an exponent below 10⁻⁴ and from 10¹⁶ on.
func pythonFloat(x float64) string {
	s := strconv.FormatFloat(x, 'e', -1, 64)
	at := strings.IndexByte(s, 'e')
	if at < 0 { // inf, nan
		return strings.ToLower(strings.TrimPrefix(s, "+"))
	}
	if e, _ := strconv.Atoi(s[at+1:]); e < -4 || e >= 16 {
		return s
	}
	s = strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
