/* rules_ovni.h - the rules of ovni: see check.h. */
#ifndef SPOOR_RULES_OVNI_H
#define SPOOR_RULES_OVNI_H

/* clang-format off */
#define OVNI_RULES(R) \
	R(BAD_MAGIC, "ovni-magic", ERROR, PEER, READ | BYTES, \
	  "A file named *.obs begins with the letters ovni", "6f 76 6e 61") \
	R(BAD_STREAM_VERSION, "ovni-stream-version", ERROR, PEER, READ | BYTES, \
	  "The version of a stream is 1", "ovni 02 00 00 00") \
	R(BAD_HEADER_SHORT, "ovni-header-short", ERROR, PEER, READ | BYTES, \
	  "A stream has at least the 8 bytes of its header", "6f 76 6e") \
	R(BAD_EMPTY, "ovni-empty", WARNING, PEER, WHOLE, \
	  "A stream has at least one event", "8-byte header alone") \
	R(BAD_FLAGS, "ovni-flags", ERROR, SPEC, READ | BYTES, \
	  "The three upper bits of an event's flags are 0", "20 4f 48 65 ...") \
	R(BAD_JUMBO_NIBBLE, "ovni-jumbo-nibble", ERROR, SPEC, READ | BYTES, \
	  "The lower half of a jumbo event's flags is 3", "17 56 59 63 ...") \
	R(BAD_TORN, "ovni-torn", ERROR, PEER, READ | BYTES, \
	  "The last event of a stream is complete", "OHe less its last byte") \
	R(BAD_MCV_TEXT, "ovni-mcv-text", WARNING, SPEC, 0, \
	  "Model, category and value are printable ASCII", "00 00 00 00 ...") \
	R(BAD_CLOCK_BACK, "ovni-clock-back", ERROR, PEER, READ | BYTES, \
	  "Outside OU[ and OU] the clock of a stream does not go back", "OHx@200 OHe@100") \
	R(BAD_OLD_TAIL, "ovni-old-tail", WARNING, SMELL, BYTES, \
	  "The clock does not fall below the first one of the stream, as it does where the rest of an " \
	  "earlier run follows", "OHx@200 OHe@300 OHx@50") \
	R(BAD_CLOCK_WILD, "ovni-clock-wild", WARNING, SMELL, BYTES, \
	  "A clock is below 2^63, and less than 24 h after the one before", "clock 1<<63") \
	R(BAD_REGION_PAIR, "ovni-region-pair", ERROR, PEER, END, \
	  "OU[ and OU] alternate, and the last OU[ is closed", "OU[ OHe") \
	R(BAD_REGION_EMPTY, "ovni-region-empty", NOTE, PEER, OFF | BYTES, \
	  "A region from OU[ to OU] has an event", "OU[ OU]") \
	R(BAD_REGION_UNSORTED, "ovni-region-unsorted", WARNING, PEER, BYTES, \
	  "The events of a region are in order of time (ovnisort sorts them)", \
	  "OHx@100 OU[@200 KCO@150 KCI@160 OU]@300") \
	R(BAD_FLUSH_PAIR, "ovni-flush-pair", ERROR, PEER, 0, "OF[ and OF] alternate", "OF[ OF[") \
	R(BAD_FLUSH_LONG, "ovni-flush-long", NOTE, PEER, OFF, "A flush takes at most 10 ms", "OF[@0 OF]@20ms") \
	R(BAD_MODEL, "ovni-model", WARNING, PEER, 0, \
	  "The letter of the model is one of O 6 V D K T M P", "Z??") \
	R(BAD_EVENT, "ovni-event", WARNING, PEER, 0, "The event is one of its model", "OHz") \
	R(BAD_PAYLOAD, "ovni-payload", ERROR, PEER, BYTES, \
	  "The payload has the bytes of the event's arguments", "OAs with 2 bytes") \
	R(BAD_JUMBO_KIND, "ovni-jumbo-kind", ERROR, PEER, BYTES, \
	  "An event is a jumbo event if it has a label or counters, and only then", "03 VYc 01 00 00 00") \
	R(BAD_STRING, "ovni-string", ERROR, PEER, BYTES, \
	  "A label ends with a NUL, and only NULs follow", "VYc 1 \"ab\" without 00") \
	R(BAD_LABEL, "ovni-label", WARNING, PEER, BYTES, \
	  "A label is UTF-8 without control characters, and shorter than 512 bytes", "VYc 1 \"a\\nb\"") \
	R(BAD_TH_STATE, "ovni-th-state", ERROR, PEER, 0, \
	  "A thread begins with OHx; OHp and OHe come while it runs or cools, OHr while it is paused or " \
	  "warms, OHc while it runs, OHw while it is paused", \
	  "OHx OHx | OHx OHp OHp | OHx OHr | OHc OHc | OHx OHw") \
	R(BAD_TH_DEAD, "ovni-th-dead", WARNING, PEER, END | WHOLE, "A thread ends with OHe", "OHx <EOF>") \
	R(BAD_TH_ACTIVE, "ovni-th-active", ERROR, PEER, 0, \
	  "A thread with events of nanos6 and nosv runs, cools or warms", "VTc before OHx") \
	R(BAD_TH_RUNNING, "ovni-th-running", ERROR, PEER, 0, \
	  "A thread with events of mpi, tampi, nodes and openmp runs", "OHx OHc MUf") \
	R(BAD_CPU_OUT, "ovni-cpu-out", ERROR, PEER, 0, \
	  "Between KCO and KCI a thread has no other event", "KCO OHe") \
	R(BAD_KERNEL_PAIR, "ovni-kernel-pair", ERROR, PEER, 0, "KCO and KCI alternate", "KCI alone") \
	R(BAD_CPU_KNOWN, "ovni-cpu-known", ERROR, PEER, 0, \
	  "The cpu of OHx, OAs and OAr is an index of the loom's cpus, or -1", "OHx cpu=7") \
	R(BAD_CPU_BUSY, "ovni-cpu-busy", ERROR, PEER, 0, \
	  "At most one thread runs on a cpu at a time", "two OHx cpu=0") \
	R(BAD_AFFINITY, "ovni-affinity", ERROR, PEER, 0, \
	  "A thread with OAs runs, cools or warms", "OHx OHp OAs") \
	R(BAD_AFFINITY_REMOTE, "ovni-affinity-remote", ERROR, PEER, 0, \
	  "OAr names a thread of the loom that has begun and has not ended", "OAr cpu=0 tid=99") \
	R(BAD_NEST, "ovni-nest", ERROR, PEER, 0, \
	  "A leave is of the innermost open region of its channel", "MUf MUT") \
	R(BAD_NEST_SAME, "ovni-nest-same", WARNING, PEER, 0, \
	  "A region of mpi, tampi, nodes or nanos6 is not directly inside the same region", "MUf MUf") \
	R(BAD_NEST_DEPTH, "ovni-nest-depth", ERROR, PEER, 0, \
	  "At most 512 regions of a channel are open at once", "513 x 6W[ / 6Wt") \
	R(BAD_NEST_OPEN, "ovni-nest-open", WARNING, PEER, END | WHOLE, \
	  "No region is open at the end", "MUf <EOF>") \
	R(BAD_TYPE_NEW, "ovni-type-new", ERROR, PEER, 0, \
	  "A type of tasks is created once in its process", "VYc 1 twice") \
	R(BAD_TASK_NEW, "ovni-task-new", ERROR, PEER, 0, \
	  "A task is created once in its process", "VTc 1 1 twice") \
	R(BAD_ID_ZERO, "ovni-id-zero", ERROR, PEER, 0, \
	  "Numbers of tasks and of their types are not 0", "VTc 0; VYc 0 \"a\"") \
	R(BAD_TASK_TYPE, "ovni-task-type", ERROR, PEER, WHOLE, \
	  "The type of a task is created before the task", "VTc 1 9") \
	R(BAD_TASK_KNOWN, "ovni-task-known", ERROR, PEER, WHOLE, \
	  "A task is created before other events name it", "VTx 5") \
	R(BAD_TASK_STATE, "ovni-task-state", ERROR, PEER, 0, \
	  "A body is executed when it is created or ended, paused and ended while it runs, and resumed while " \
	  "it is paused", "VTx 1 VTx 1 | VTx VTp VTp | VTx VTr | VTx VTp VTe") \
	R(BAD_TASK_STACK, "ovni-task-stack", ERROR, PEER, 0, \
	  "The thread that executes a body pauses, resumes and ends it, as its topmost body", \
	  "VTx 1 VTp 1 VTx 2 VTp 2 VTr 1") \
	R(BAD_TASK_NEST, "ovni-task-nest", ERROR, PEER, 0, \
	  "A nosv task is not executed while another one runs on the thread", "VTx 1 VTx 2") \
	R(BAD_TASK_RERUN, "ovni-task-rerun", ERROR, PEER, 0, \
	  "A body of a parallel nosv task, and a nanos6 task, is executed once", \
	  "VTC 1; VTx 1 1 VTe 1 1 VTx 1 1") \
	R(BAD_TASK_PARALLEL_PAUSE, "ovni-task-parallel-pause", ERROR, PEER, 0, \
	  "A parallel task is not paused", "VTC 1; VTx 1 1 VTp 1 1") \
	R(BAD_TASK_BODY, "ovni-task-body", ERROR, PEER, 0, \
	  "The body is 0 for a task of VTc, and above 0 for a task of VTC", "VTc 1; VTx 1 3") \
	R(BAD_TASK_LEFT, "ovni-task-left", NOTE, SMELL, OFF | END | WHOLE, \
	  "Every task is executed, and ends", "VTc 1 <EOF>") \
	R(BAD_WS_TYPE, "ovni-ws-type", ERROR, PEER, WHOLE, \
	  "The type of a worksharing event is created before, and not 0", "PQx 9") \
	R(BAD_HWC, "ovni-hwc", ERROR, PEER, BYTES, \
	  "VWC has 8 bytes for each counter that the metadata name", "VWC 3 bytes") \
	R(BAD_MARK_TYPE, "ovni-mark-type", ERROR, PEER, 0, \
	  "The metadata define the type of a mark", "OM= type=5") \
	R(BAD_MARK_KIND, "ovni-mark-kind", ERROR, PEER, 0, \
	  "OM[ and OM] are for marks of a stack, and pair by value; OM= is for single marks", \
	  "OM] of an empty stack") \
	R(BAD_MARK_DEF, "ovni-mark-def", ERROR, PEER, 0, \
	  "Types of marks are 0 to 99, with a title and the chan_type single or stack, alike in all threads", \
	  "\"mark\":{\"100\":..}") \
	R(BAD_OLD_EVENT, "ovni-old-event", NOTE, PEER, OFF, "No event is the obsolete OCn", "OCn") \
	R(BAD_META_MISSING, "ovni-meta-missing", ERROR, SPEC, READ | BYTES, \
	  "A stream has metadata: stream.json, or before version 3 metadata.json of its process", \
	  "no stream.json") \
	R(BAD_META_JSON, "ovni-meta-json", ERROR, SPEC, READ | BYTES, \
	  "Metadata are an object of JSON", "{\"version\":3,") \
	R(BAD_META_VERSION, "ovni-meta-version", ERROR, SPEC, READ | BYTES, \
	  "The version of metadata is that of the layout: 1, 2 or 3", "\"version\": 9") \
	R(BAD_META_KEYS, "ovni-meta-keys", ERROR, PEER, 0, \
	  "Metadata of version 3 have part, tid, pid, loom, and an app_id above 0", "no ovni.tid") \
	R(BAD_META_FINISHED, "ovni-meta-finished", WARNING, PEER, 0, \
	  "ovni.finished is 1; a run that died lacks it", "no ovni.finished") \
	R(BAD_META_RANK, "ovni-meta-rank", ERROR, SPEC, 0, \
	  "rank and nranks come together, and rank is less than nranks", "rank 3 nranks 2") \
	R(BAD_META_SAME, "ovni-meta-same", ERROR, PEER, 0, \
	  "The threads of a process have the same app_id, rank and nranks", "app_id 1 and 2") \
	R(BAD_META_NRANKS, "ovni-meta-nranks", WARNING, MODEL, WHOLE, \
	  "An application has nranks processes, and each rank once", "nranks 4, one process") \
	R(BAD_META_REQUIRE, "ovni-meta-require", ERROR, PEER, 0, \
	  "ovni.require names each model that has events, with a version that the emulator knows", \
	  "VTc without require.nosv") \
	R(BAD_META_LIB, "ovni-meta-lib", NOTE, PEER, OFF, \
	  "One version of libovni wrote all threads", "1.14.0 and 1.12.0") \
	R(BAD_CPUS, "ovni-cpus", ERROR, SPEC, READ | BYTES, \
	  "The processes of a loom list its cpus (before version 3 one of them), at least one cpu", \
	  "no loom_cpus") \
	R(BAD_CPU_INDEX, "ovni-cpu-index", ERROR, SPEC, READ | BYTES, \
	  "The indexes of a loom's cpus are 0 to N-1, each once", "index 0 twice") \
	R(BAD_CPU_PHYID, "ovni-cpu-phyid", ERROR, PEER, READ | BYTES, \
	  "A phyid is 0 or more, and has one index", "phyid -1") \
	R(BAD_TID, "ovni-tid", ERROR, PEER, BYTES, "A thread has one stream", "tid 1 in two streams") \
	R(BAD_PATH, "ovni-path", WARNING, SPEC, BYTES, \
	  "The loom, pid and tid of a path are those of the metadata", "thread.1 holds tid 2") \
	R(BAD_DIRS, "ovni-dirs", NOTE, SPEC, OFF | BYTES, \
	  "A stream is in loom.NAME/proc.PID/thread.TID, and NAME has no slash", "ovni/x/stream.obs") \
	R(BAD_CLOCK_GATE, "ovni-clock-gate", ERROR, PEER, READ | BYTES, \
	  "All streams begin within an hour, after the correction by clock-offsets.txt", "starts 2 h apart") \
	R(BAD_OFFSETS, "ovni-offsets", ERROR, PEER, READ | BYTES, \
	  "clock-offsets.txt has rows of five fields, one for each host of the trace", "row of 3 fields") \
	R(BAD_OFFSETS_MISSING, "ovni-offsets-missing", WARNING, MODEL, READ | BYTES, \
	  "A trace of several machines has clock-offsets.txt", "looms of two hosts")
/* clang-format on */

#endif
