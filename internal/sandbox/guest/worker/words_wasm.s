#include "textflag.h"

// func errorTexts() unsafe.Pointer
TEXT ·errorTexts(SB), NOSPLIT, $0-8
	MOVD $syscall·errorstr(SB), ret+0(FP)
	RET
