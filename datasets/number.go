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
// optional exponent. It refuses infinities, NaN, hexadecimal numbers, underscores, separators
// of thousands, and numbers too large for float64. A number too small becomes 0.
func finite(s string) (float64, bool) {
	if len(s) <= 17 {
		if v, ok := short(s); ok {
			return v, true
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

// short parses a number of at most 15 digits without an exponent, which most fields are.
// Its digits n and the power of ten are exact in float64, so that n/10ᵏ is rounded once, as
// it has to be. W. D. Clinger, How to read floating point numbers accurately, 1990.
func short(s string) (float64, bool) {
	digits, n, point := 0, 0, -1
	negative := s != "" && s[0] == '-'
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			n = 10*n + int(c-'0')
			digits++
		case c == '.' && point < 0:
			point = digits
		case i > 0 || !negative:
			return 0, false
		}
	}
	if digits == 0 || digits > 15 {
		return 0, false
	}
	v := float64(n)
	if point >= 0 {
		v /= powers[digits-point]
	}
	if negative {
		v = -v
	}
	return v, true
}

var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// cell returns the value of a field of column c: a number or the index of a category. The
// first value decides which of them the column has.
func (t *table) cell(c *feature, field string, at place) (float64, error) {
	v, isNumber := t.number(field)
	if c.kind == unknown {
		switch {
		case isNumber:
			c.kind = numbers
		case t.opt.Encode != NoEncoding:
			c.kind, c.index = categories, map[string]int{}
		default:
			return 0, t.bad(at, "%q is not a finite number, in %s%s", field, c, t.advice(c, field))
		}
		c.example, c.at = strings.Clone(field), at
	}
	switch {
	case c.kind == numbers && isNumber:
		return v, nil
	case c.kind == numbers:
		return 0, t.bad(at, "%q is not a finite number, in %s%s", field, c, t.advice(c, field))
	case isNumber && c.example != "":
		header := ""
		if !t.opt.Header {
			header = ", set Header if the first line names the columns"
		}
		return 0, t.bad(at, "%q is a number, and %q in line %d is not, in %s; correct the wrong one%s, or list the column in Categories", field, c.example, c.at.line, c, header)
	}
	return t.category(c, t.point(field), at)
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
	if _, ok := finite(strings.NewReplacer(",", "", "'", "", " ", "", "\u00a0", "", "\u202f", "").Replace(field)); ok {
		decimal := ""
		if t.opt.Decimal == ',' {
			decimal = ", correct Decimal"
		}
		return "; remove separators of thousands" + decimal + ", or leave the column out with Drop"
	}
	if t.opt.Like != nil {
		return fmt.Sprintf("; correct it, or list it in NA if it marks a missing value; the column has numbers in %s", t.opt.Like.Name)
	}
	if c.kind == numbers {
		categories := ""
		if t.opt.Encode != NoEncoding {
			categories = ", list the column in Categories if it has categories"
		}
		return "; correct it, list it in NA if it marks a missing value" + categories + ", or leave the column out with Drop"
	}
	header := ""
	if len(t.ys.of) == 0 && t.leftOut == 0 && !t.opt.Header {
		header = fmt.Sprintf("set Header if the first line names the columns, Skip if it is no sample, Label to \"%d\" if this column has the classes, ", c.number)
	}
	return "; " + header + "set Encode if the column has categories, or leave it out with Drop"
}
