package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// cpu writes the two functions that tell what the processor and the operating system
// support.
func cpu() {
	TEXT("cpuid", NOSPLIT, "func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)")
	Load(Param("leaf"), EAX)
	Load(Param("subleaf"), ECX)
	CPUID()
	for i, r := range []Register{EAX, EBX, ECX, EDX} {
		Store(r, ReturnIndex(i))
	}
	RET()

	TEXT("xgetbv", NOSPLIT, "func() (eax, edx uint32)")
	XORL(ECX, ECX)
	XGETBV()
	Store(EAX, ReturnIndex(0))
	Store(EDX, ReturnIndex(1))
	RET()
}
