#include "textflag.h"

// Four rows are scanned side by side, so that each load of the query serves
// four rows and four chains of additions hide each other's latency.
//
//	SI       query
//	R8…R11   the four rows
//	BX       bytes of a row, DX rows left, DI out
//	CX       bytes of the row that are done

// ROWS sets R8…R11 to the next four rows, which begin at R8, and CX to the
// first column.
#define ROWS \
	LEAQ (R8)(BX*1), R9;  \
	LEAQ (R8)(BX*2), R10; \
	LEAQ (R9)(BX*2), R11; \
	XORL CX, CX

// FOLD8 adds up rows Y0…Y3 of eight lanes each to X0. VHADDPS adds
// neighbours, which gives (a+b)+(c+d) of the low and of the high half.
#define FOLD8 \
	VHADDPS      Y1, Y0, Y0; \
	VHADDPS      Y3, Y2, Y2; \
	VHADDPS      Y2, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; \
	VADDPS       X1, X0, X0

// FOLD8I does the same for int32, where the order is of no account.
#define FOLD8I \
	VPHADDD      Y1, Y0, Y0; \
	VPHADDD      Y3, Y2, Y2; \
	VPHADDD      Y2, Y0, Y0; \
	VEXTRACTI128 $1, Y0, X1; \
	VPADDD       X1, X0, X0

// func dotAVX2(query, rows *float32, columns, n int, out *float32)
// Row r has lanes 0…7 in Y(r) and lanes 8…15 in Y(r+4).
TEXT ·dotAVX2(SB), NOSPLIT, $0-40
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ columns+16(FP), BX
	MOVQ n+24(FP), DX
	MOVQ out+32(FP), DI
	SHLQ $2, BX

four:
	SUBQ   $4, DX
	JLT    rest
	ROWS
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7

columns4:
	VMOVUPS (SI)(CX*1), Y8
	VMULPS  (R8)(CX*1), Y8, Y10
	VMULPS  (R9)(CX*1), Y8, Y11
	VMULPS  (R10)(CX*1), Y8, Y12
	VMULPS  (R11)(CX*1), Y8, Y13
	VADDPS  Y10, Y0, Y0
	VADDPS  Y11, Y1, Y1
	VADDPS  Y12, Y2, Y2
	VADDPS  Y13, Y3, Y3
	VMOVUPS 32(SI)(CX*1), Y9
	VMULPS  32(R8)(CX*1), Y9, Y10
	VMULPS  32(R9)(CX*1), Y9, Y11
	VMULPS  32(R10)(CX*1), Y9, Y12
	VMULPS  32(R11)(CX*1), Y9, Y13
	VADDPS  Y10, Y4, Y4
	VADDPS  Y11, Y5, Y5
	VADDPS  Y12, Y6, Y6
	VADDPS  Y13, Y7, Y7
	ADDQ    $64, CX
	CMPQ    CX, BX
	JLT     columns4
	VADDPS  Y4, Y0, Y0
	VADDPS  Y5, Y1, Y1
	VADDPS  Y6, Y2, Y2
	VADDPS  Y7, Y3, Y3
	FOLD8
	VMOVUPS X0, (DI)
	ADDQ    $16, DI
	LEAQ    (R8)(BX*4), R8
	JMP     four

rest:
	ADDQ $4, DX

one:
	SUBQ   $1, DX
	JLT    done
	XORL   CX, CX
	VXORPS Y0, Y0, Y0
	VXORPS Y4, Y4, Y4

columns1:
	VMOVUPS (SI)(CX*1), Y8
	VMULPS  (R8)(CX*1), Y8, Y10
	VADDPS  Y10, Y0, Y0
	VMOVUPS 32(SI)(CX*1), Y9
	VMULPS  32(R8)(CX*1), Y9, Y11
	VADDPS  Y11, Y4, Y4
	ADDQ    $64, CX
	CMPQ    CX, BX
	JLT     columns1
	VADDPS  Y4, Y0, Y0
	FOLD8
	VMOVSS  X0, (DI)
	ADDQ    $4, DI
	ADDQ    BX, R8
	JMP     one

done:
	VZEROUPPER
	RET

// func dotAVX512(query, rows *float32, columns, n int, out *float32)
// Row r has its sixteen lanes in Z(r).
TEXT ·dotAVX512(SB), NOSPLIT, $0-40
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ columns+16(FP), BX
	MOVQ n+24(FP), DX
	MOVQ out+32(FP), DI
	SHLQ $2, BX

four:
	SUBQ   $4, DX
	JLT    rest
	ROWS
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3

columns4:
	VMOVUPS (SI)(CX*1), Z8
	VMULPS  (R8)(CX*1), Z8, Z10
	VMULPS  (R9)(CX*1), Z8, Z11
	VMULPS  (R10)(CX*1), Z8, Z12
	VMULPS  (R11)(CX*1), Z8, Z13
	VADDPS  Z10, Z0, Z0
	VADDPS  Z11, Z1, Z1
	VADDPS  Z12, Z2, Z2
	VADDPS  Z13, Z3, Z3
	ADDQ    $64, CX
	CMPQ    CX, BX
	JLT     columns4

	VEXTRACTF64X4 $1, Z0, Y4
	VEXTRACTF64X4 $1, Z1, Y5
	VEXTRACTF64X4 $1, Z2, Y6
	VEXTRACTF64X4 $1, Z3, Y7
	VADDPS        Y4, Y0, Y0
	VADDPS        Y5, Y1, Y1
	VADDPS        Y6, Y2, Y2
	VADDPS        Y7, Y3, Y3
	FOLD8
	VMOVUPS       X0, (DI)
	ADDQ          $16, DI
	LEAQ          (R8)(BX*4), R8
	JMP           four

rest:
	ADDQ $4, DX

one:
	SUBQ   $1, DX
	JLT    done
	XORL   CX, CX
	VPXORD Z0, Z0, Z0

columns1:
	VMOVUPS (SI)(CX*1), Z8
	VMULPS  (R8)(CX*1), Z8, Z10
	VADDPS  Z10, Z0, Z0
	ADDQ    $64, CX
	CMPQ    CX, BX
	JLT     columns1

	VEXTRACTF64X4 $1, Z0, Y4
	VADDPS        Y4, Y0, Y0
	FOLD8
	VMOVSS        X0, (DI)
	ADDQ          $4, DI
	ADDQ          BX, R8
	JMP           one

done:
	VZEROUPPER
	RET

// func dot8AVX2(query *int8, rows *uint8, columns, n int, out *int32)
// Both sides are widened to 16 bits: the instruction that multiplies bytes
// saturates. The rows are read 8 rows ahead, as the loop is too slow for the
// processor to do it unasked.
TEXT ·dot8AVX2(SB), NOSPLIT, $0-40
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ columns+16(FP), BX
	MOVQ n+24(FP), DX
	MOVQ out+32(FP), DI

four:
	SUBQ  $4, DX
	JLT   done
	ROWS
	LEAQ  (R8)(BX*8), R12
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3

columns4:
	PREFETCHT0 (R12)(CX*4)
	VPMOVSXBW  (SI)(CX*1), Y8
	VPMOVZXBW  (R8)(CX*1), Y4
	VPMOVZXBW  (R9)(CX*1), Y5
	VPMOVZXBW  (R10)(CX*1), Y6
	VPMOVZXBW  (R11)(CX*1), Y7
	VPMADDWD   Y8, Y4, Y4
	VPMADDWD   Y8, Y5, Y5
	VPMADDWD   Y8, Y6, Y6
	VPMADDWD   Y8, Y7, Y7
	VPADDD     Y4, Y0, Y0
	VPADDD     Y5, Y1, Y1
	VPADDD     Y6, Y2, Y2
	VPADDD     Y7, Y3, Y3
	ADDQ       $16, CX
	CMPQ       CX, BX
	JLT        columns4
	FOLD8I
	VMOVDQU    X0, (DI)
	ADDQ       $16, DI
	LEAQ       (R8)(BX*4), R8
	JMP        four

done:
	VZEROUPPER
	RET

// func dot8VNNI(query *int8, rows *uint8, columns, n int, out *int32)
TEXT ·dot8VNNI(SB), NOSPLIT, $0-40
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ columns+16(FP), BX
	MOVQ n+24(FP), DX
	MOVQ out+32(FP), DI

four:
	SUBQ   $4, DX
	JLT    done
	ROWS
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3

columns4:
	VMOVDQU32 (SI)(CX*1), Z8
	VMOVDQU32 (R8)(CX*1), Z4
	VMOVDQU32 (R9)(CX*1), Z5
	VMOVDQU32 (R10)(CX*1), Z6
	VMOVDQU32 (R11)(CX*1), Z7
	VPDPBUSD  Z8, Z4, Z0
	VPDPBUSD  Z8, Z5, Z1
	VPDPBUSD  Z8, Z6, Z2
	VPDPBUSD  Z8, Z7, Z3
	ADDQ      $64, CX
	CMPQ      CX, BX
	JLT       columns4

	VEXTRACTI64X4 $1, Z0, Y4
	VEXTRACTI64X4 $1, Z1, Y5
	VEXTRACTI64X4 $1, Z2, Y6
	VEXTRACTI64X4 $1, Z3, Y7
	VPADDD        Y4, Y0, Y0
	VPADDD        Y5, Y1, Y1
	VPADDD        Y6, Y2, Y2
	VPADDD        Y7, Y3, Y3
	FOLD8I
	VMOVDQU       X0, (DI)
	ADDQ          $16, DI
	LEAQ          (R8)(BX*4), R8
	JMP           four

done:
	VZEROUPPER
	RET
