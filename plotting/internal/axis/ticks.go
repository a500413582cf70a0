package axis

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/pen"
)

// mostTicks bounds the labelled ticks of an axis; there are at least two.
const mostTicks = 10

// SetTicks chooses about n labelled ticks. Their labels don't touch on an axis that runs along the
// given way on paper.
func (a *Axis) SetTicks(n int, along vg.Point) {
	a.Note, a.along = "", along
	n = max(2, min(n, mostTicks))
	if !a.Log || !a.setPowers(n) {
		a.setEven(n)
	}
}

// setEven sets ticks at the multiples of a step: the smallest one, of the form 1, 2 or 5 times a
// power of ten, with at most n of them and labels that don't touch. If there is none, as on a short
// axis, ticks of a smaller step stay without labels, or the numbers become shorter.
func (a *Axis) setEven(n int) {
	type way struct{ whole, once bool }
	ways := []way{{a.Whole, false}, {false, false}, {false, true}}
	for _, w := range ways {
		smallest := true
		for _, s := range a.Steps(n, w.whole) {
			if len(s.At) <= n && (smallest || len(s.At) > 2) && a.Take(s, 1, w.once) {
				return
			}
			smallest = smallest && len(s.At) > n
		}
	}
	for _, w := range ways {
		all := a.Steps(n, w.whole)
		for i := len(all) - 1; i >= max(0, len(all)-4); i-- {
			for every := 1; every < len(all[i].At); every++ {
				if a.Take(all[i], every, w.once) {
					return
				}
			}
		}
	}
	a.Ticks, a.Note = nil, "" // no room for two numbers
}

// multiples are the ticks at[i]·10^exp.
type multiples struct {
	At  []int64
	exp int
}

// value returns the number nearest to k·10^exp.
func value(k int64, exp int) float64 {
	if exp == 0 {
		return float64(k)
	}
	v, _ := strconv.ParseFloat(strconv.FormatInt(k, 10)+"e"+strconv.Itoa(exp), 64) // an infinite v has an error too
	return v
}

// Steps returns the multiples on the axis of rising steps, from more than n down to two.
func (a *Axis) Steps(n int, whole bool) (all []multiples) {
	exp := int(math.Floor(log10(math.Max(a.Length()/float64(n), math.SmallestNonzeroFloat64))))
	if whole && exp < 0 {
		exp = 0
	}
	for ; exp <= 308; exp++ {
		for _, m := range []int64{1, 2, 5} {
			step := value(m, exp)
			first := a.Min / step
			if step == 0 || math.Abs(first) > 1e17 {
				continue // finer than numbers are
			}
			s := multiples{exp: exp}
			slack := 1e-9 * step
			for k := int64(math.Floor(first)-1-math.Abs(first)*0x1p-51) * m; ; k += m {
				v := value(k, exp)
				if v > a.Max+slack || math.IsInf(v, 1) {
					break
				}
				if v >= a.Min-slack && !math.IsInf(v, -1) && !(a.Log && v <= 0) {
					s.At = append(s.At, k)
				}
			}
			if len(s.At) < 2 {
				return all
			}
			all = append(all, s)
		}
	}
	return all
}

// Take sets the ticks, each every-th with a label, if their labels don't touch.
func (a *Axis) Take(s multiples, every int, once bool) bool {
	labels, note := numerals(s, once)
	ticks := make([]plot.Tick, len(labels))
	for i, k := range s.At {
		ticks[i].Value = value(k, s.exp)
		if i%every == 0 {
			ticks[i].Label = labels[i]
		}
	}
	return a.accept(ticks, note)
}

// accept sets ticks if two to ten have labels, and these don't touch.
func (a *Axis) accept(ticks []plot.Tick, note string) bool {
	if !a.Apart(ticks, a.along) || a.Widest > 0 && widestLabel(ticks) > a.Widest {
		return false
	}
	a.Ticks, a.Note = ticks, note
	return true
}

// Apart reports whether two to ten ticks have labels, and these don't touch.
func (a *Axis) Apart(ticks []plot.Tick, along vg.Point) bool {
	const across, upward = 4, 1 // the least distances, in points
	sty := pen.Style(pen.TickSize)
	var before vg.Rectangle
	n := 0
	for _, t := range ticks {
		if t.Label == "" {
			continue
		}
		if n++; n > mostTicks {
			return false
		}
		box := sty.Rectangle(t.Label).Add(along.Scale(vg.Length(a.Place(t.Value))))
		gapX := max(box.Min.X-before.Max.X, before.Min.X-box.Max.X)
		gapY := max(box.Min.Y-before.Max.Y, before.Min.Y-box.Max.Y)
		if n > 1 && gapX < across && gapY < upward {
			return false
		}
		before = box
	}
	return n > 1
}

// numerals returns the labels of ticks in one notation, with as many decimals each. A power of ten
// is common to all and stands in each of them or, if once is set, in the note. What all numbers
// have in common moves into the note as well if they would have too many digits: 1700000000 and
// 1700003600 become 0 and 3600 with the note +1.7×10⁹.
func numerals(s multiples, once bool) (labels []string, note string) {
	const longest, digits = 7, 4 // of a number without and with a power of ten
	low, high := s.At[0], s.At[len(s.At)-1]
	plain := func() bool { return s.exp >= -4 && s.exp <= 4 && (!once || places(low, high, s.exp) <= 4) }
	fits := places(low, high, s.exp) <= longest
	if !plain() {
		fits = places(low, high, 0) <= digits
	}
	if base := common(low, high); !fits && base != 0 {
		note = offset(base, s.exp)
		s.At = append([]int64(nil), s.At...)
		for i := range s.At {
			s.At[i] -= base
		}
		low, high = low-base, high-base
	}
	power := ""
	exp := s.exp
	if !plain() {
		point := places(low, high, 0) - 1
		power, exp = "×10^{"+strings.Replace(strconv.Itoa(s.exp+point), "-", "−", 1)+"}", -point
	}
	if once {
		note, power = power+note, ""
	}
	for _, k := range s.At {
		label := decimal(k, exp)
		if k == 0 {
			label = "0"
		} else {
			label += power
		}
		labels = append(labels, label)
	}
	return labels, note
}

// places returns the length of the longer of two numbers k·10^exp, without the sign.
func places(low, high int64, exp int) int {
	return max(len(strings.TrimPrefix(decimal(low, exp), "−")), len(strings.TrimPrefix(decimal(high, exp), "−")))
}

// common returns leading digits of low or of high, followed by as many zeros as their difference
// has digits, or 0 if they have different signs. Of the two it takes the rounder number.
func common(low, high int64) int64 {
	if low <= 0 && high >= 0 {
		return 0
	}
	p := int64(1)
	for p <= high-low {
		p *= 10
	}
	a, b := low/p, high/p
	for a%10 == 0 && b%10 == 0 && a != 0 && b != 0 {
		a, b, p = a/10, b/10, p*10
	}
	if b%10 == 0 && b != 0 {
		return b * p
	}
	return a * p
}

// offset returns k·10^exp with its sign and with all its digits.
func offset(k int64, exp int) string {
	sign := "+"
	if k < 0 {
		sign, k = "−", -k
	}
	for k%10 == 0 {
		k, exp = k/10, exp+1
	}
	digits := len(strconv.FormatInt(k, 10))
	if size := exp + digits; size > 5 || size < -3 {
		power := "10^{" + strings.Replace(strconv.Itoa(size-1), "-", "−", 1) + "}"
		if k > 1 {
			power = decimal(k, 1-digits) + "×" + power
		}
		return sign + power
	}
	return sign + decimal(k, exp)
}

// decimal formats k·10^exp, with a true minus sign and -exp decimals.
func decimal(k int64, exp int) string {
	s := strings.TrimPrefix(strconv.FormatInt(k, 10), "-")
	switch {
	case k == 0 || exp == 0:
	case exp > 0:
		s += strings.Repeat("0", exp)
	default:
		if len(s) <= -exp {
			s = strings.Repeat("0", 1-exp-len(s)) + s
		}
		s = s[:len(s)+exp] + "." + s[len(s)+exp:]
	}
	if k < 0 {
		s = "−" + s
	}
	return s
}

// setPowers labels the powers of ten, only some if there are many, and adds unlabelled ticks at
// their multiples. Over less than a decade and a half it also labels the multiples by 2 and 5.
// It reports whether there are two to ten labels that don't touch.
func (a *Axis) setPowers(n int) bool {
	lo, hi := int(math.Floor(log10(a.Min))), int(math.Ceil(log10(a.Max)))
	if logRatio(a.Min, a.Max) < 1.5*math.Ln10 && a.accept(a.decades(lo, hi, 0, 1, true), "") {
		return true
	}
	for _, every := range []int{1, 2, 3, 4, 5, 6, 10, 20, 25, 50, 100, 200} {
		if every > (hi-lo)/(n+1) && a.accept(a.decades(lo, hi, 0, every, false), "") {
			return true
		}
	}
	return hi-lo > 2 && a.accept(a.decades(lo, hi, lo+1, hi-lo-2, false), "") // the first and the last
}

// decades returns ticks at the powers of ten from lo to hi and at their multiples. Each
// every-th power has a label, counted from 10^from; in the fine form its multiples by 2 and 5 too.
func (a *Axis) decades(lo, hi, from, every int, fine bool) (ticks []plot.Tick) {
	for e := lo; e <= hi; e++ {
		for m := int64(1); m < 10; m++ {
			v := value(m, e)
			if v < a.Min*(1-1e-9) || v > a.Max*(1+1e-9) || v == 0 || math.IsInf(v, 1) {
				continue
			}
			t := plot.Tick{Value: v}
			switch labelled := m == 1 && (e-from)%every == 0 || fine && (m == 2 || m == 5); {
			case labelled && lo >= -3 && hi <= 4:
				t.Label = decimal(m, e)
			case labelled:
				t.Label = "10^{" + strings.Replace(strconv.Itoa(e), "-", "−", 1) + "}"
				if m > 1 {
					t.Label = decimal(m, 0) + "×" + t.Label
				}
			case every > 1:
				continue
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}
