/* rules_laplace.h - the rules of Laplace: see check.h. */
#ifndef SPOOR_RULES_LAPLACE_H
#define SPOOR_RULES_LAPLACE_H

/* clang-format off */
#define LAPLACE_RULES(R) \
	R(BAD_REF_TORN, "laplace-ref-torn", ERROR, SPEC, READ, \
	  "The size of a file of references is a multiple of 18 bytes", "19 bytes") \
	R(BAD_REF_TYPE, "laplace-ref-type", WARNING, SPEC, 0, \
	  "The type of a reference is r, w or i; another letter is reported once", "type 00") \
	R(BAD_REF_TIME, "laplace-ref-time", ERROR, SPEC, 0, "Times of references do not decrease", "9 then 5") \
	R(BAD_REF_LENGTH, "laplace-ref-length", ERROR, MODEL, 0, \
	  "The length of a reference is 1 to 16, or 32 or 64 bytes", "length 0") \
	R(BAD_REF_WRAP, "laplace-ref-wrap", ERROR, SPEC, 0, \
	  "The address and length of a reference stay within 32 bits", "fffffffe +4") \
	R(BAD_REF_CROSS, "laplace-ref-cross", NOTE, SMELL, OFF, \
	  "A reference does not cross a page of 4096 bytes", "ffe +4") \
	R(BAD_REF_ALIGN, "laplace-ref-align", NOTE, SMELL, OFF, \
	  "Loads and stores of 2, 4 or 8 bytes are aligned; a finding has their share", "1001 +4") \
	R(BAD_REF_FETCH, "laplace-ref-fetch", NOTE, MODEL, OFF, \
	  "An instruction fetch has at most 15 bytes", "i 16") \
	R(BAD_REF_ORDER, "laplace-ref-order", WARNING, MODEL, BYTES, \
	  "The byte order of references is little-endian", "big-endian") \
	R(BAD_TEXT_FORM, "laplace-text-form", ERROR, SPEC, BYTES, \
	  "A reference line has five fields, single blanks, small hexadecimal digits, and no leading zeros", \
	  "r 01 4 1 1000") \
	R(BAD_TEXT_WIDTH, "laplace-text-width", ERROR, SPEC, READ, \
	  "The fields of a reference line fit the fields of a record", "r 1 1ff 1 1000") \
	R(BAD_TAG, "laplace-tag", ERROR, SPEC, READ, "A kernel line begins with one of the 22 tags", "Z 1 64") \
	R(BAD_FIELDS, "laplace-fields", ERROR, SPEC, READ, \
	  "A kernel line has the fields of its tag", "F 2 65") \
	R(BAD_HEX, "laplace-hex", ERROR, SPEC, READ, "Numbers are hexadecimal, without 0x", "s zz 64") \
	R(BAD_TIME, "laplace-time", ERROR, SPEC, 0, "Times of kernel events do not decrease", "s 9, s 5") \
	R(BAD_END, "laplace-end", ERROR, SPEC, WHOLE | READ, "A kernel trace ends with c", "no c") \
	R(BAD_END_AFTER, "laplace-end-after", ERROR, SPEC, READ, "No event follows c", "c, then s") \
	R(BAD_PID_DEAD, "laplace-pid-dead", ERROR, SPEC, 0, \
	  "After its exit a process does nothing until it is forked again", "T 64, s 64") \
	R(BAD_EXIT_ONCE, "laplace-exit-once", ERROR, SPEC, 0, "A process exits once", "T 64 T 64") \
	R(BAD_FORK_NEW, "laplace-fork-new", ERROR, SPEC, 0, \
	  "A forked process is not alive, and is not its parent", "F 65 64 twice") \
	R(BAD_PID_KNOWN, "laplace-pid-known", NOTE, SMELL, WHOLE, \
	  "After the first schedule a process is forked or scheduled before it acts", "m of pid 99") \
	R(BAD_RUNNING, "laplace-running", NOTE, MODEL, OFF, \
	  "A process that maps, opens, reads, writes, or runs a program is the one that is scheduled", \
	  "s 64, m of 65") \
	R(BAD_SCHEDULE_SAME, "laplace-schedule-same", NOTE, SMELL, OFF, \
	  "A schedule changes the process", "s 64 s 64") \
	R(BAD_FORK_SPACE, "laplace-fork-space", NOTE, SPEC, OFF, \
	  "A forked process has a space before it is scheduled (threads have none)", "F 65 64, s 65") \
	R(BAD_SPACE_LIVE, "laplace-space-live", NOTE, SPEC, OFF, \
	  "A space that is given up was given to a process", "u 9f8e7 unknown") \
	R(BAD_DUP, "laplace-dup", ERROR, SPEC, 0, \
	  "A copied range is of whole pages, not empty, and of another space", "start 2000 end 1000") \
	R(BAD_DUP_SPACE, "laplace-dup-space", WARNING, SPEC, 0, \
	  "A range is copied into a space that was given after the last fork", "D into an unknown space") \
	R(BAD_PAGE, "laplace-page", ERROR, SPEC, 0, \
	  "Addresses of pages are multiples of 4096", "C 64 1a2b3001") \
	R(BAD_MAP_ALIGN, "laplace-map-align", WARNING, MODEL, 0, \
	  "Address, length and file offset of a mapping are multiples of 4096, and the length is not 0", \
	  "m 64 1001 1000") \
	R(BAD_UNMAP, "laplace-unmap", NOTE, MODEL, OFF, "An unmapped range was mapped", "U of nothing") \
	R(BAD_OVERLAP, "laplace-overlap", NOTE, MODEL, OFF, \
	  "A mapping does not cover another one", "m m same") \
	R(BAD_COW, "laplace-cow", NOTE, SMELL, OFF, \
	  "A page that is copied on a write is in a shared range, and was not copied before", "C without D") \
	R(BAD_REF_MAPPED, "laplace-ref-mapped", NOTE, MODEL, OFF, \
	  "A reference is in a mapped region (laplace-merge knows)", "r of an unmapped page") \
	R(BAD_CACHE, "laplace-cache", WARNING, SPEC, 0, "A page that is allocated is free", "B B") \
	R(BAD_CACHE_KIND, "laplace-cache-kind", WARNING, SPEC, 0, \
	  "b frees what B took, p what P took", "B then p") \
	R(BAD_CACHE_PAGE, "laplace-cache-page", NOTE, MODEL, OFF, \
	  "A page of a file is in the cache once", "P P of one page") \
	R(BAD_CLOSE, "laplace-close", NOTE, MODEL, OFF, \
	  "A process closes only files that it opened", "close without open") \
	R(BAD_IO_OPEN, "laplace-io-open", NOTE, MODEL, OFF, \
	  "A file that is read or written is open", "read without open") \
	R(BAD_IO_ZERO, "laplace-io-zero", NOTE, SMELL, OFF, "A read or write moves bytes", "length 0") \
	R(BAD_DELETED, "laplace-deleted", WARNING, SPEC, 0, \
	  "No event but an open names a file after its deletion", "- then read") \
	R(BAD_EXEC_ORDER, "laplace-exec-order", NOTE, SMELL, OFF, \
	  "Before an exec the process gets a space, maps its stack, and gives up the old space", "X alone") \
	R(BAD_EXIT_UNMAP, "laplace-exit-unmap", NOTE, SMELL, OFF, \
	  "The last process of a space gives it up before it exits", "T without u") \
	R(BAD_MERGE_CLOCK, "laplace-merge-clock", WARNING, MODEL, 0, \
	  "References and kernel events of one run overlap in time", "disjoint clocks")
/* clang-format on */

#endif
