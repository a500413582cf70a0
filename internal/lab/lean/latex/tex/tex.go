// Package tex stands in for TeX's boxes: see package drawtex.
package tex

// Node is a box.
type Node interface {
	Width() float64
	Height() float64
	Depth() float64
}

// Tree is a box of boxes.
type Tree interface{ Node }

// Ship would draw a tree.
type Ship struct{}

// Call does nothing.
func (*Ship) Call(x, y float64, t Tree) {}
