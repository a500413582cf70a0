package jupyter

import "time"

// SetInterruptTime sets how long interrupted code has to end; undo sets what it was.
func SetInterruptTime(to time.Duration) (undo func()) {
	was := interruptTime
	interruptTime = to
	return func() { interruptTime = was }
}
