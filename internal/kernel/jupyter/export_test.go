package jupyter

import "time"

// SetInterruptTime sets how long interrupted code has to end; undo sets what it was.
func SetInterruptTime(to time.Duration) (undo func()) {
	was := interruptTime
	interruptTime = to
	return func() { interruptTime = was }
}

// SetPageTime sets how long code that asked for a page may show nothing; undo sets what it was.
func SetPageTime(to time.Duration) (undo func()) {
	was := pageTime
	pageTime = to
	return func() { pageTime = was }
}
