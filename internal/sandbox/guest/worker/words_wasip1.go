package worker

import (
	"syscall"
	"unsafe"
)

// errorTexts returns the address of package syscall's table of what errors say.
func errorTexts() unsafe.Pointer

// Errors of files say in the guest what they say on the kernel, since tests and answers may compare the words: Go's table for this system
// begins with capital letters, and those of Linux and macOS do not.
func init() {
	for e, text := range map[syscall.Errno]string{
		syscall.EACCES:    "permission denied",
		syscall.EBADF:     "bad file descriptor",
		syscall.EEXIST:    "file exists",
		syscall.EINVAL:    "invalid argument",
		syscall.EISDIR:    "is a directory",
		syscall.ENOENT:    "no such file or directory",
		syscall.ENOSYS:    "function not implemented",
		syscall.ENOTDIR:   "not a directory",
		syscall.ENOTEMPTY: "directory not empty",
		syscall.EPERM:     "operation not permitted",
		syscall.EROFS:     "read-only file system",
	} {
		*(*string)(unsafe.Add(errorTexts(), uintptr(e)*unsafe.Sizeof(text))) = text
	}
}
