/* rules_spc.h - the rules of SPC: see check.h. */
#ifndef SPOOR_RULES_SPC_H
#define SPOOR_RULES_SPC_H

/* clang-format off */
#define SPC_RULES(R) \
	R(SPC_FIELDS, "spc-fields", ERROR, SPEC, READ, \
	  "A record has at least five comma-separated fields", "0,1,512,R") \
	R(SPC_CHARSET, "spc-charset", WARNING, SPEC, BYTES, \
	  "A record is ASCII: no NUL, control or 8-bit byte in the required fields; in the optional ones " \
	  "only a note", "0,1,512,R,0.5,caf\\xe9") \
	R(SPC_NEWLINE, "spc-newline", NOTE, SPEC, BYTES, \
	  "The last record ends with a newline", "...R,0.5<EOF>") \
	R(SPC_CRLF, "spc-crlf", WARNING, SPEC, BYTES, \
	  "No carriage return stands before the newline", "0,1,512,R,0.5\\r\\n") \
	R(SPC_BLANK_PLACE, "spc-blank-place", ERROR, SPEC, READ, \
	  "White space in required fields stands only between a comma and the next field", "0 ,1,512,R,0.5") \
	R(SPC_BLANK_START, "spc-blank-start", ERROR, SPEC, READ, \
	  "No white space stands before the first field", "\" 0,1,512,R,0.5\"") \
	R(SPC_BLANK_LINE, "spc-blank-line", ERROR, SPEC, READ, "There is no empty line", "(empty line)") \
	R(SPC_COMMENT, "spc-comment", ERROR, SPEC, READ, \
	  "There are no comment or heading lines", "# asu,lba,...") \
	R(SPC_ASU, "spc-asu", ERROR, SPEC, READ, \
	  "The ASU is a decimal integer, zero or more", "x,1,512,R,0.5") \
	R(SPC_ASU_ZERO, "spc-asu-zero", ERROR, SPEC, WHOLE, \
	  "At least one record is of ASU 0", "only 1,1,512,R,0.5") \
	R(SPC_ASU_DENSE, "spc-asu-dense", ERROR, SPEC, WHOLE, \
	  "Every ASU from 0 to the greatest one seen has a record", "ASUs 0 and 2 only") \
	R(SPC_LBA, "spc-lba", ERROR, SPEC, READ, \
	  "The LBA is a decimal integer, zero or more, in 64 bits", "0,-1,512,R,0.5") \
	R(SPC_SIZE, "spc-size", ERROR, SPEC, READ, \
	  "The size is a decimal integer, zero or more", "0,1,4.5,R,0.5") \
	R(SPC_SIZE_ZERO, "spc-size-zero", NOTE, SPEC, OFF, \
	  "A size of 0 is legal but means what the subsystem makes of it", "0,1,0,R,0.5") \
	R(SPC_SIZE_BLOCK, "spc-size-block", NOTE, SMELL, OFF, \
	  "The size is a multiple of the block (512 bytes, or -O block)", "0,1,500,R,0.5") \
	R(SPC_CAPACITY, "spc-capacity", ERROR, SPEC, 0, \
	  "LBA x block (512 bytes, or -O block) + size stays within the ASU (only with --capacity)", \
	  "--capacity 0=1M: 0,4096,512,R,0.5") \
	R(SPC_LBA_HUGE, "spc-lba-huge", WARNING, SMELL, 0, \
	  "LBA x block + size fits in 64 bits; LBA below 2^48", "0,18446744073709551615,512,R,0.5") \
	R(SPC_OPCODE, "spc-opcode", ERROR, SPEC, READ, \
	  "The opcode is one of R r W w, alone", "0,1,512,Read,0.5") \
	R(SPC_OPCODE_CASE, "spc-opcode-case", NOTE, SMELL, OFF | BYTES, \
	  "One trace writes its opcodes in one case", "R ... then w") \
	R(SPC_TIME_FORM, "spc-time-form", ERROR, SPEC, READ, \
	  "The timestamp is digits, a point, digits", "0,1,512,R,7") \
	R(SPC_TIME_SIGN, "spc-time-sign", ERROR, SPEC, READ, \
	  "The timestamp has no sign, exponent, nan or inf", "0,1,512,R,-0.5") \
	R(SPC_TIME_ORDER, "spc-time-order", ERROR, SPEC, 0, \
	  "A timestamp is not less than the greatest before it; report the jump, then go on from the " \
	  "greatest", "R,2.0 then R,1.0") \
	R(SPC_TIME_DIGITS, "spc-time-digits", NOTE, SMELL, READ, \
	  "Timestamps keep one number of digits after the point and no more than nine", \
	  "0.5 then 0.500000001") \
	R(SPC_TIME_UNIT, "spc-time-unit", WARNING, SMELL, 0, \
	  "The timestamps look like seconds: gaps mean less than 1000 s, no more than 10 million requests a " \
	  "second", "1000000.0 apart") \
	R(SPC_TIME_TIES, "spc-time-ties", NOTE, SMELL, OFF, \
	  "Fewer than half of the gaps are 0 (the clock's grain is printed)", "0.5 four times")
/* clang-format on */

#endif
