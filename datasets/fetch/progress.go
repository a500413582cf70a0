package main

import (
	"fmt"
	"io"
	"time"
)

// progress writes a line at the start of a download and at intervals during a long one.
// It never overwrites a line: a notebook would show every version.
type progress struct {
	log         io.Writer
	every       time.Duration
	name, host  string
	have, total int64 // bytes; total is -1 if unknown
	last        time.Time
}

func (p *progress) start() {
	p.last = time.Now()
	how := "from"
	if p.have > 0 {
		how = "goes on from"
	}
	fmt.Fprintf(p.log, "MNIST: %s %s %s: %s\n", p.name, how, p.host, p.amount())
}

func (p *progress) add(n int) {
	p.have += int64(n)
	if now := time.Now(); now.Sub(p.last) >= p.every {
		p.last = now
		fmt.Fprintf(p.log, "MNIST: %s: %s\n", p.name, p.amount())
	}
}

// amount returns the bytes received out of the total.
func (p *progress) amount() string {
	switch {
	case p.total < 0:
		return size(p.have)
	case p.have == 0:
		return size(p.total)
	default:
		return fmt.Sprintf("%s of %s", size(p.have), size(p.total))
	}
}

func size(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
