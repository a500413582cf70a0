package datasets

import (
	"fmt"
	"strconv"
	"strings"
)

// trimmed returns s without white space around it. Most fields have none.
func trimmed(s string) string {
	if n := len(s); n == 0 || s[0] > ' ' && s[0] < 0x80 && s[n-1] > ' ' && s[n-1] < 0x80 {
		return s
	}
	return strings.TrimSpace(s)
}

// finite parses a number: an optional sign, decimal digits with at most one point, and an
// optional exponent. Infinities, NaN, hexadecimal numbers, underscores and separators of
// thousands are none, and neither is a number too large for float64. One that is too
// small becomes 0.
func finite(s string) (float64, bool) {
	// Most fields of some files are short integers, which float64 holds exactly.
	if len(s) <= 15 && s != "" {
		n, i := 0, 0
		for ; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
			n = 10*n + int(s[i]-'0')
		}
		if i == len(s) {
			return float64(n), true
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v-v != 0 {
		return 0, false
	}
	// Of what ParseFloat reads beyond this rule, 1_000 and 0x1p-2 remain.
	if strings.IndexByte(s, '_') >= 0 || len(s) > 2 && (s[1]|0x20 == 'x' || s[2]|0x20 == 'x') {
		return 0, false
	}
	return v, true
}

// number parses a number, with the decimal comma if the options ask for it.
func (t *table) number(field string) (float64, bool) {
	if t.opt.Decimal == ',' {
		if strings.Contains(field, ".") {
			return 0, false
		}
		field = strings.Replace(field, ",", ".", 1)
	}
	return finite(field)
}

// point returns a number with a decimal comma in the form with a point, and any other text
// as it is.
func (t *table) point(field string) string {
	if t.opt.Decimal == ',' {
		if _, ok := t.number(field); ok {
			return strings.Replace(field, ",", ".", 1)
		}
	}
	return field
}

// advice suggests a remedy for a field of column c that is not a number.
func (t *table) advice(c *feature, field string) string {
	if t.form != inText {
		return ""
	}
	if _, ok := finite(strings.Replace(field, ",", ".", 1)); ok && t.opt.Decimal != ',' {
		return "; set Decimal to ',' if that is the decimal point, or remove separators of thousands"
	}
	if c.kind == numbers {
		categories := ""
		if t.opt.Encode != NoEncoding {
			categories = ", list the column in Categories if it has categories"
		}
		return "; correct it, list it in NA if it marks a missing value" + categories + ", or leave the column out with Drop"
	}
	header := ""
	if len(t.values) == 0 && t.leftOut == 0 && !t.opt.Header {
		header = fmt.Sprintf("set Header if the first line names the columns, Skip if it is no sample, Label to \"%d\" if this column has the classes, ", c.number)
	}
	return "; " + header + "set Encode if the column has categories, or leave it out with Drop"
}
