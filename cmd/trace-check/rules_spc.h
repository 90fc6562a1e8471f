/* rules_spc.h - the rules of SPC: see check.h. */
#ifndef SPOOR_RULES_SPC_H
#define SPOOR_RULES_SPC_H

#define SPC_RULES(R)                                                                       \
	R(SPC_FIELDS, "spc-fields", LEVEL_ERROR, BASIS_SPEC, RULE_READ,                    \
	  "A record has at least five comma-separated fields", "0,1,512,R")                \
	R(SPC_CHARSET, "spc-charset", LEVEL_WARNING, BASIS_SPEC, RULE_BYTES,               \
	  "A record is ASCII: no NUL, control or 8-bit byte in the required fields; in "   \
	  "the optional ones only a note",                                                 \
	  "0,1,512,R,0.5,caf\\xe9")                                                        \
	R(SPC_NEWLINE, "spc-newline", LEVEL_NOTE, BASIS_SPEC, RULE_BYTES,                  \
	  "The last record ends with a newline", "...R,0.5<EOF>")                          \
	R(SPC_CRLF, "spc-crlf", LEVEL_WARNING, BASIS_SPEC, RULE_BYTES,                     \
	  "No carriage return stands before the newline", "0,1,512,R,0.5\\r\\n")           \
	R(SPC_BLANK_PLACE, "spc-blank-place", LEVEL_ERROR, BASIS_SPEC, RULE_READ,          \
	  "White space in required fields stands only between a comma and the next field", \
	  "0 ,1,512,R,0.5")                                                                \
	R(SPC_BLANK_START, "spc-blank-start", LEVEL_ERROR, BASIS_SPEC, RULE_READ,          \
	  "No white space stands before the first field", "\" 0,1,512,R,0.5\"")            \
	R(SPC_BLANK_LINE, "spc-blank-line", LEVEL_ERROR, BASIS_SPEC, RULE_READ,            \
	  "There is no empty line", "(empty line)")                                        \
	R(SPC_COMMENT, "spc-comment", LEVEL_ERROR, BASIS_SPEC, RULE_READ,                  \
	  "There are no comment or heading lines", "# asu,lba,...")                        \
	R(SPC_ASU, "spc-asu", LEVEL_ERROR, BASIS_SPEC, RULE_READ,                          \
	  "The ASU is a decimal integer, zero or more", "x,1,512,R,0.5")                   \
	R(SPC_ASU_ZERO, "spc-asu-zero", LEVEL_ERROR, BASIS_SPEC, RULE_WHOLE,               \
	  "At least one record is of ASU 0", "only 1,1,512,R,0.5")                         \
	R(SPC_ASU_DENSE, "spc-asu-dense", LEVEL_ERROR, BASIS_SPEC, RULE_WHOLE,             \
	  "Every ASU from 0 to the greatest one seen has a record", "ASUs 0 and 2 only")   \
	R(SPC_LBA, "spc-lba", LEVEL_ERROR, BASIS_SPEC, RULE_READ,                          \
	  "The LBA is a decimal integer, zero or more, in 64 bits", "0,-1,512,R,0.5")      \
	R(SPC_SIZE, "spc-size", LEVEL_ERROR, BASIS_SPEC, RULE_READ,                        \
	  "The size is a decimal integer, zero or more", "0,1,4.5,R,0.5")                  \
	R(SPC_SIZE_ZERO, "spc-size-zero", LEVEL_NOTE, BASIS_SPEC, RULE_OFF,                \
	  "A size of 0 is legal but means what the subsystem makes of it", "0,1,0,R,0.5")  \
	R(SPC_SIZE_BLOCK, "spc-size-block", LEVEL_NOTE, BASIS_SMELL, RULE_OFF,             \
	  "The size is a multiple of the block (--block, 512)", "0,1,500,R,0.5")           \
	R(SPC_CAPACITY, "spc-capacity", LEVEL_ERROR, BASIS_SPEC, 0,                        \
	  "LBA x block + size stays within the ASU (only with --capacity ASU=BYTES)",      \
	  "--capacity 0=1M: 0,4096,512,R,0.5")                                             \
	R(SPC_LBA_HUGE, "spc-lba-huge", LEVEL_WARNING, BASIS_SMELL, 0,                     \
	  "LBA x block + size fits in 64 bits; LBA below 2^48",                            \
	  "0,18446744073709551615,512,R,0.5")                                              \
	R(SPC_OPCODE, "spc-opcode", LEVEL_ERROR, BASIS_SPEC, RULE_READ,                    \
	  "The opcode is one of R r W w, alone", "0,1,512,Read,0.5")                       \
	R(SPC_OPCODE_CASE, "spc-opcode-case", LEVEL_NOTE, BASIS_SMELL,                     \
	  RULE_OFF | RULE_BYTES, "One trace writes its opcodes in one case",               \
	  "R ... then w")                                                                  \
	R(SPC_TIME_FORM, "spc-time-form", LEVEL_ERROR, BASIS_SPEC, RULE_READ,              \
	  "The timestamp is digits, a point, digits", "0,1,512,R,7")                       \
	R(SPC_TIME_SIGN, "spc-time-sign", LEVEL_ERROR, BASIS_SPEC, RULE_READ,              \
	  "The timestamp has no sign, exponent, nan or inf", "0,1,512,R,-0.5")             \
	R(SPC_TIME_ORDER, "spc-time-order", LEVEL_ERROR, BASIS_SPEC, 0,                    \
	  "A timestamp is not less than the greatest before it; report the jump, then go " \
	  "on from the greatest",                                                          \
	  "R,2.0 then R,1.0")                                                              \
	R(SPC_TIME_DIGITS, "spc-time-digits", LEVEL_NOTE, BASIS_SMELL, RULE_READ,          \
	  "Timestamps keep one number of digits after the point and no more than nine",    \
	  "0.5 then 0.500000001")                                                          \
	R(SPC_TIME_UNIT, "spc-time-unit", LEVEL_WARNING, BASIS_SMELL, 0,                   \
	  "The timestamps look like seconds: gaps mean less than 1000 s, no more than 10 " \
	  "million requests a second",                                                     \
	  "1000000.0 apart")                                                               \
	R(SPC_TIME_TIES, "spc-time-ties", LEVEL_NOTE, BASIS_SMELL, RULE_OFF,               \
	  "Fewer than half of the gaps are 0 (the clock's grain is printed)",              \
	  "0.5 four times")

#endif
