/* rules_charisma.h - the rules of CHARISMA: see check.h. */
#ifndef SPOOR_RULES_CHARISMA_H
#define SPOOR_RULES_CHARISMA_H

/* clang-format off */
#define CHARISMA_RULES(R) \
	R(CHR_MAGIC, "charisma-magic", ERROR, SPEC, READ, \
	  "A trace begins with 0x01234567, in one of the two byte orders", "45 67 01 23") \
	R(CHR_VERSION, "charisma-version", ERROR, SPEC, READ, \
	  "The format version is 1, in the byte order of the magic number", "version 2") \
	R(CHR_HEADER, "charisma-header", ERROR, SPEC, READ, \
	  "The first record is a header record", "starts with type 1") \
	R(CHR_HEADER_AGAIN, "charisma-header-again", WARNING, SPEC, READ, \
	  "No second header record follows", "header twice") \
	R(CHR_TYPE, "charisma-type", ERROR, SPEC, READ, \
	  "The type of a record is 1 to 15, or one that the layout names", "type 77") \
	R(CHR_TORN, "charisma-torn", ERROR, SPEC, READ, "The last record is complete", "RW cut") \
	R(CHR_SYSTYPE, "charisma-systype", NOTE, SPEC, OFF, \
	  "The system_type is one of the eight known ones", "system_type 200") \
	R(CHR_UNIT, "charisma-unit", ERROR, SPEC, READ, \
	  "The timestamp_unit is finite and greater than 0", "unit 0") \
	R(CHR_DATE, "charisma-date", WARNING, SPEC, 0, \
	  "The start_date is between 1985 and now, and gmt_offset a multiple of 15 minutes within 14 hours", \
	  "gmt 999999") \
	R(CHR_CONFIG, "charisma-config", NOTE, SPEC, OFF, \
	  "There is at least one processor, disk and I/O node", "num_processors -4") \
	R(CHR_TIME_START, "charisma-time-start", WARNING, SPEC, 0, \
	  "No record is older than the header", "record 1, header 1000") \
	R(CHR_TIME_NODE, "charisma-time-node", WARNING, MODEL, 0, \
	  "Times of the records of a client do not go back", "client 1: 50 then 20") \
	R(CHR_RW_TIMES, "charisma-rw-times", ERROR, SPEC, READ, \
	  "A synchronous request does not end before it starts", "start 9 end 4") \
	R(CHR_TIME_FAR, "charisma-time-far", WARNING, SMELL, 0, \
	  "A time is within 30 days of the one before it", "2^63-1") \
	R(CHR_APP_LOAD, "charisma-app-load", WARNING, SPEC, WHOLE, \
	  "An application is loaded before it does something", "exit 9 without load") \
	R(CHR_APP_UNIQUE, "charisma-app-unique", ERROR, SPEC, 0, \
	  "An application is not loaded while it lives, nor after its exit", "load 5 load 5") \
	R(CHR_APP_EXIT, "charisma-app-exit", NOTE, MODEL, OFF | END, "Each application exits", "no exit") \
	R(CHR_EXIT_QUIET, "charisma-exit-quiet", ERROR, SPEC, 0, \
	  "A client does nothing after the exit of its application", "exit, then open of client 1") \
	R(CHR_CLIENTS, "charisma-clients", ERROR, SPEC, 0, "A load names each client once", "n=65535") \
	R(CHR_CLIENT_UNIQUE, "charisma-client-unique", ERROR, SPEC, 0, \
	  "A client belongs to one application that lives", "client 1 in apps 5 and 6") \
	R(CHR_CLIENT_KNOWN, "charisma-client-known", WARNING, SPEC, WHOLE, \
	  "A client that does something was in a load or a join", "open of client 9") \
	R(CHR_JOIN, "charisma-join", ERROR, SPEC, 0, \
	  "A client joins a living application once, and leaves that application once", "join 1 twice") \
	R(CHR_STRINGS, "charisma-strings", WARNING, SPEC, 0, \
	  "A name or path is printable and ends with a NUL byte", "32 bytes without NUL") \
	R(CHR_FD_OPEN, "charisma-fd-open", NOTE, SPEC, WHOLE, \
	  "A descriptor that is used was opened by the client, its application, or another client of it", \
	  "close fd 9") \
	R(CHR_FD_TWICE, "charisma-fd-twice", ERROR, SPEC, 0, \
	  "A descriptor is closed before it is opened again", "open 3 open 3") \
	R(CHR_FD_CLOSE, "charisma-fd-close", ERROR, SPEC, 0, "A descriptor is closed once", "close 3 close 3") \
	R(CHR_FD_LEFT, "charisma-fd-left", NOTE, MODEL, OFF | END, \
	  "A file is closed before the application exits", "open, exit") \
	R(CHR_OPEN_MODE, "charisma-open-mode", ERROR, SPEC, 0, \
	  "The open_flags have one of READ, RW and WRITE, and no unknown bits", "flags 0x05") \
	R(CHR_OPEN_TRUNC, "charisma-open-trunc", NOTE, MODEL, OFF, \
	  "TRUNC and APPEND come with WRITE or RW, and TRUNC with a file_size of 0", "READ|TRUNC") \
	R(CHR_MODE_READ, "charisma-mode-read", ERROR, MODEL, 0, \
	  "A descriptor that was opened with WRITE is not read, nor one with READ written", \
	  "open READ, write") \
	R(CHR_SIZE, "charisma-size", WARNING, MODEL, 0, \
	  "A file_size is not less than the last size that is known of the file", \
	  "write to 100, close size 50") \
	R(CHR_READ_END, "charisma-read-end", NOTE, MODEL, OFF, \
	  "A read does not end beyond the end of the file", "size 10, read 0+100") \
	R(CHR_FILE_NAME, "charisma-file-name", WARNING, SPEC, 0, \
	  "A file_id keeps its name and creation date while the file has links", "77 as f, then as g") \
	R(CHR_OP_BITS, "charisma-op-bits", ERROR, SPEC, 0, \
	  "The operation_type has known bits only", "operation 255") \
	R(CHR_RW_ONE, "charisma-rw-one", ERROR, SPEC, 0, \
	  "A client's request names one client", "n=2 with bit 4") \
	R(CHR_RW_NONE, "charisma-rw-none", WARNING, SPEC, 0, "An application's request names clients", "n=0") \
	R(CHR_RW_APP, "charisma-rw-app", WARNING, SPEC, 0, \
	  "An application's request names its application, and clients of it, each once", \
	  "app=-1 with bit 4 clear") \
	R(CHR_ASYNC_END, "charisma-async-end", ERROR, SPEC, WHOLE, \
	  "An async-end names an asynchronous request that is open, of this client or application", \
	  "end of 7 without start") \
	R(CHR_ASYNC_LEFT, "charisma-async-left", NOTE, SPEC, OFF | END, \
	  "Each asynchronous request has its end", "RW async 7, no end") \
	R(CHR_ASYNC_AGAIN, "charisma-async-again", ERROR, SPEC, 0, \
	  "The async_id of an open request is not given again", "7 twice") \
	R(CHR_ASYNC_TIME, "charisma-async-time", ERROR, MODEL, 0, \
	  "An asynchronous request does not end before it starts", "start 9, end 4") \
	R(CHR_ASYNC_SYNC, "charisma-async-sync", NOTE, SMELL, OFF, \
	  "A synchronous request has the async_id 0", "sync with async_id 7") \
	R(CHR_CLOSE_ASYNC, "charisma-close-async", WARNING, MODEL, 0, \
	  "No asynchronous request of a descriptor is open when it is closed", "async 7, close, end") \
	R(CHR_OFFSET, "charisma-offset", ERROR, MODEL, 0, \
	  "Offset and IO_size sum to less than 2^63", "2^63-1 + 9") \
	R(CHR_TRUNC, "charisma-trunc", ERROR, SPEC, 0, \
	  "A truncate does not make a file longer, nor an extend shorter", "truncate 5 -> 9") \
	R(CHR_TRUNC_ORIG, "charisma-trunc-orig", WARNING, MODEL, OFF, \
	  "The original_size is the size that is known of the file", "open size 0; truncate 50 -> 9") \
	R(CHR_LINK, "charisma-link", WARNING, SPEC, OFF, \
	  "A link adds 1 to the count, an unlink subtracts 1, and a file without links is not opened", \
	  "unlink to 0, open 77") \
	R(CHR_LAYOUT, "charisma-layout", ERROR, MODEL, OFF | READ, \
	  "The layout of the records is known, not found by trying", "ambiguous header-only")
/* clang-format on */

#endif
