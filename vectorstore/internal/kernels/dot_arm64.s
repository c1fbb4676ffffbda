#include "textflag.h"

// Go's assembler has no names for these vector instructions; the encodings are
// those of the Arm Architecture Reference Manual (A64), registers by number.
#define FMUL4S(m, n, d) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FADD4S(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FADDP4S(m, n, d) WORD $(0x6E20D400 | (m)<<16 | (n)<<5 | (d))
#define ADDP4S(m, n, d) WORD $(0x4EA0BC00 | (m)<<16 | (n)<<5 | (d))
#define SMULL8H(m, n, d) WORD $(0x0E20C000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2X8H(m, n, d) WORD $(0x4E208000 | (m)<<16 | (n)<<5 | (d))
#define SADALP4S(n, d) WORD $(0x4E606800 | (n)<<5 | (d))

// MULADD adds the products of the query in V16…V19 and sixteen columns in
// V20…V23 to the sixteen lanes a, b, c, d.
#define MULADD(a, b, c, d) \
	FMUL4S(20, 16, 24); \
	FMUL4S(21, 17, 25); \
	FMUL4S(22, 18, 26); \
	FMUL4S(23, 19, 27); \
	FADD4S(24, a, a);   \
	FADD4S(25, b, b);   \
	FADD4S(26, c, c);   \
	FADD4S(27, d, d)

// FOLD16 adds up sixteen lanes a, b, c, d to a pair of sums in the low half of
// a: lanes i and i+8 first, then neighbours twice.
#define FOLD16(a, b, c, d) \
	FADD4S(c, a, a);  \
	FADD4S(d, b, b);  \
	FADDP4S(b, a, a); \
	FADDP4S(a, a, a)

// func dotNEON(query, rows *float32, columns, n int, out *float32)
// Row r has its lanes in V(4r)…V(4r+3).
TEXT ·dotNEON(SB), NOSPLIT, $0-40
	MOVD query+0(FP), R0
	MOVD rows+8(FP), R1
	MOVD columns+16(FP), R2
	MOVD n+24(FP), R3
	MOVD out+32(FP), R4
	LSL  $2, R2, R5 // bytes of a row

four:
	SUBS $4, R3, R3
	BLT  rest
	ADD  R5, R1, R6
	ADD  R5, R6, R7
	ADD  R5, R7, R8
	MOVD R0, R9
	MOVD R2, R10
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16

columns4:
	VLD1.P 64(R9), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1.P 64(R1), [V20.S4, V21.S4, V22.S4, V23.S4]
	MULADD(0, 1, 2, 3)
	VLD1.P 64(R6), [V20.S4, V21.S4, V22.S4, V23.S4]
	MULADD(4, 5, 6, 7)
	VLD1.P 64(R7), [V20.S4, V21.S4, V22.S4, V23.S4]
	MULADD(8, 9, 10, 11)
	VLD1.P 64(R8), [V20.S4, V21.S4, V22.S4, V23.S4]
	MULADD(12, 13, 14, 15)
	SUBS   $16, R10, R10
	BGT    columns4

	// Pairs of rows share the last two steps: a pair of sums each in V0 and V8.
	FADD4S(2, 0, 0)
	FADD4S(3, 1, 1)
	FADD4S(6, 4, 4)
	FADD4S(7, 5, 5)
	FADD4S(10, 8, 8)
	FADD4S(11, 9, 9)
	FADD4S(14, 12, 12)
	FADD4S(15, 13, 13)
	FADDP4S(1, 0, 0)   // a+b, c+d, e+f, g+h of row 0
	FADDP4S(5, 4, 4)
	FADDP4S(9, 8, 8)
	FADDP4S(13, 12, 12)
	FADDP4S(4, 0, 0)   // the two halves of row 0, of row 1
	FADDP4S(12, 8, 8)
	FADDP4S(8, 0, 0)   // rows 0, 1, 2, 3
	VST1.P [V0.S4], 16(R4)
	MOVD   R8, R1      // row 3 has been read to its end
	B      four

rest:
	ADD $4, R3, R3

one:
	SUBS $1, R3, R3
	BLT  done
	MOVD R0, R9
	MOVD R2, R10
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16

columns1:
	VLD1.P 64(R9), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1.P 64(R1), [V20.S4, V21.S4, V22.S4, V23.S4]
	MULADD(0, 1, 2, 3)
	SUBS   $16, R10, R10
	BGT    columns1
	FOLD16(0, 1, 2, 3)
	FADDP4S(0, 0, 0)
	FMOVS  F0, (R4)
	ADD    $4, R4, R4
	B      one

done:
	RET

// BYTES adds the products of the query in V16 and sixteen columns of a row in
// V20 to the four sums acc. A row's bytes are offset by 128; with the offset
// taken off, two products of at most 127·128 fit 16 bits.
#define BYTES(acc) \
	VEOR V31.B16, V20.B16, V20.B16; \
	SMULL8H(16, 20, 24);   \
	SMLAL2X8H(16, 20, 24); \
	SADALP4S(24, acc)

// func dot8NEON(query *int8, rows *uint8, columns, n int, out *int32)
// It sums query·(row-128) and adds 128 times the sum of the query at the end.
TEXT ·dot8NEON(SB), NOSPLIT, $0-40
	MOVD query+0(FP), R0
	MOVD rows+8(FP), R1
	MOVD columns+16(FP), R2
	MOVD n+24(FP), R3
	MOVD out+32(FP), R4
	MOVD $0x80, R5
	VDUP R5, V31.B16

	// V30: four times 128 times the sum of the query, by the same steps with a
	// row of -128: 0x80 read as a signed byte, and then its negative.
	VEOR V30.B16, V30.B16, V30.B16
	MOVD R0, R9
	MOVD R2, R10

sum:
	VLD1.P 16(R9), [V16.B16]
	SMULL8H(31, 16, 24)
	SADALP4S(24, 30)
	VEXT   $8, V16.B16, V16.B16, V16.B16
	SMULL8H(31, 16, 24)
	SADALP4S(24, 30)
	SUBS   $16, R10, R10
	BGT    sum
	ADDP4S(30, 30, 30)
	ADDP4S(30, 30, 30)

four:
	SUBS $4, R3, R3
	BLT  done
	ADD  R2, R1, R6
	ADD  R2, R6, R7
	ADD  R2, R7, R8
	MOVD R0, R9
	MOVD R2, R10
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16

columns4:
	VLD1.P 16(R9), [V16.B16]
	VLD1.P 16(R1), [V20.B16]
	BYTES(0)
	VLD1.P 16(R6), [V20.B16]
	BYTES(1)
	VLD1.P 16(R7), [V20.B16]
	BYTES(2)
	VLD1.P 16(R8), [V20.B16]
	BYTES(3)
	SUBS   $16, R10, R10
	BGT    columns4
	ADDP4S(1, 0, 0)
	ADDP4S(3, 2, 2)
	ADDP4S(2, 0, 0)
	VSUB   V30.S4, V0.S4, V0.S4
	VST1.P [V0.S4], 16(R4)
	MOVD   R8, R1
	B      four

done:
	RET
