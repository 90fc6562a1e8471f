/* rules_ovni.h - the rules of a format: see check.h. */
#ifndef SPOOR_RULES_OVNI_H
#define SPOOR_RULES_OVNI_H

#define OVNI_RULES(R)                                                                      \
	R(BAD_MAGIC, "ovni-magic", LEVEL_ERROR, BASIS_PEER, 0,                             \
	  "A stream starts with \"ovni\" (v1 and later); without it the flags of the "     \
	  "first event say that it is headerless",                                         \
	  "6f 76 6e 61")                                                                   \
	R(BAD_STREAM_VERSION, "ovni-stream-version", LEVEL_ERROR, BASIS_PEER, 0,           \
	  "The stream header's version is 1 (0x01000000 = other byte order: note)",        \
	  "ovni 02 00 00 00")                                                              \
	R(BAD_HEADER_SHORT, "ovni-header-short", LEVEL_ERROR, BASIS_PEER, 0,               \
	  "A stream is empty or at least 8 bytes long", "6f 76 6e")                        \
	R(BAD_EMPTY, "ovni-empty", LEVEL_WARNING, BASIS_PEER, 0,                           \
	  "A stream holds at least one event", "8-byte header alone")                      \
	R(BAD_FLAGS, "ovni-flags", LEVEL_ERROR, BASIS_SPEC, 0,                             \
	  "The three upper flag bits are 0", "20 4f 48 65 ...")                            \
	R(BAD_JUMBO_NIBBLE, "ovni-jumbo-nibble", LEVEL_ERROR, BASIS_SPEC, 0,               \
	  "A jumbo event's size nibble is 3", "17 56 59 63 ...")                           \
	R(BAD_TORN, "ovni-torn", LEVEL_ERROR, BASIS_PEER, 0,                               \
	  "The last event ends where the stream ends", "OHe less its last byte")           \
	R(BAD_MCV_TEXT, "ovni-mcv-text", LEVEL_WARNING, BASIS_SPEC, 0,                     \
	  "Model, category and value are printable ASCII", "00 00 00 00 ...")              \
	R(BAD_CLOCK_BACK, "ovni-clock-back", LEVEL_ERROR, BASIS_PEER, 0,                   \
	  "Outside OU[ OU] an event's clock is not less than the one before",              \
	  "OHx@200 OHe@100")                                                               \
	R(BAD_OLD_TAIL, "ovni-old-tail", LEVEL_WARNING, BASIS_SMELL, 0,                    \
	  "The clock does not fall below the stream's first: what follows is the tail of " \
	  "an earlier run",                                                                \
	  "OHx@200 OHe@300 OHx@50")                                                        \
	R(BAD_CLOCK_WILD, "ovni-clock-wild", LEVEL_WARNING, BASIS_SMELL, 0,                \
	  "A clock is below 2^63 and within 24 h of its neighbours", "clock 1<<63")        \
	R(BAD_REGION_PAIR, "ovni-region-pair", LEVEL_ERROR, BASIS_PEER, RULE_END,          \
	  "OU[ and OU] alternate and the last is closed; they do not nest", "OU[ OHe")     \
	R(BAD_REGION_EMPTY, "ovni-region-empty", LEVEL_NOTE, BASIS_PEER, RULE_OFF,         \
	  "A sort region holds an event", "OU[ OU]")                                       \
	R(BAD_REGION_UNSORTED, "ovni-region-unsorted", LEVEL_WARNING, BASIS_PEER, 0,       \
	  "A sort region needs no sorting (ovnisort was run)",                             \
	  "OHx@100 OU[@200 KCO@150 KCI@160 OU]@300")                                       \
	R(BAD_FLUSH_PAIR, "ovni-flush-pair", LEVEL_ERROR, BASIS_PEER, 0,                   \
	  "OF[ and OF] alternate", "OF[ OF[")                                              \
	R(BAD_FLUSH_LONG, "ovni-flush-long", LEVEL_NOTE, BASIS_PEER, RULE_OFF,             \
	  "A flush takes at most 10 ms", "OF[@0 OF]@20ms")                                 \
	R(BAD_MODEL, "ovni-model", LEVEL_WARNING, BASIS_PEER, 0,                           \
	  "The model letter is one that is known (O 6 V D K T M P)", "Z??")                \
	R(BAD_EVENT, "ovni-event", LEVEL_WARNING, BASIS_PEER, 0,                           \
	  "The MCV is in its model's table", "OHz")                                        \
	R(BAD_PAYLOAD, "ovni-payload", LEVEL_ERROR, BASIS_PEER, 0,                         \
	  "The payload has exactly the bytes of the event's signature (nosv VT? of 4 or "  \
	  "8 by version)",                                                                 \
	  "OAs with 2 bytes")                                                              \
	R(BAD_JUMBO_KIND, "ovni-jumbo-kind", LEVEL_ERROR, BASIS_PEER, 0,                   \
	  "An event is jumbo when its signature is, and only then", "03 VYc 01 00 00 00")  \
	R(BAD_STRING, "ovni-string", LEVEL_ERROR, BASIS_PEER, 0,                           \
	  "A string argument ends with its NUL within the jumbo data; nothing but NULs "   \
	  "follows",                                                                       \
	  "VYc 1 \"ab\" without 00")                                                       \
	R(BAD_LABEL, "ovni-label", LEVEL_WARNING, BASIS_PEER, 0,                           \
	  "A label is UTF-8 without control bytes and shorter than 512",                   \
	  "VYc 1 \"a\\nb\"")                                                               \
	R(BAD_TH_STATE, "ovni-th-state", LEVEL_ERROR, BASIS_PEER, RULE_WHOLE,              \
	  "Thread events follow the machine: OHx from unknown or dead; OHp and OHe from "  \
	  "running or cooling; OHr from paused or warming; OHc from running; OHw from "    \
	  "paused",                                                                        \
	  "OHx OHx | OHx OHp OHp | OHx OHr | OHc OHc | OHx OHw | OHp OHe")                 \
	R(BAD_TH_DEAD, "ovni-th-dead", LEVEL_WARNING, BASIS_PEER, RULE_END,                \
	  "Every thread has ended (OHe) at the end of the trace", "OHx <EOF>")             \
	R(BAD_TH_ACTIVE, "ovni-th-active", LEVEL_ERROR, BASIS_PEER, 0,                     \
	  "Events of nanos6 and nosv come from a thread that is running, cooling or "      \
	  "warming",                                                                       \
	  "VTc before OHx")                                                                \
	R(BAD_TH_RUNNING, "ovni-th-running", LEVEL_ERROR, BASIS_PEER, 0,                   \
	  "Events of mpi, tampi, nodes and openmp come from a running thread",             \
	  "OHx OHc MUf")                                                                   \
	R(BAD_CPU_OUT, "ovni-cpu-out", LEVEL_ERROR, BASIS_PEER, 0,                         \
	  "No event of another model lies between KCO and KCI of its thread", "KCO OHe")   \
	R(BAD_KERNEL_PAIR, "ovni-kernel-pair", LEVEL_ERROR, BASIS_PEER, 0,                 \
	  "KCO and KCI alternate", "KCI alone")                                            \
	R(BAD_CPU_KNOWN, "ovni-cpu-known", LEVEL_ERROR, BASIS_PEER, 0,                     \
	  "The cpu of OHx, OAs, OAr is an index of the loom's cpus (-1: the virtual one)", \
	  "OHx cpu=7")                                                                     \
	R(BAD_CPU_BUSY, "ovni-cpu-busy", LEVEL_ERROR, BASIS_PEER, 0,                       \
	  "A physical CPU has at most one running thread at a time", "two OHx cpu=0")      \
	R(BAD_AFFINITY, "ovni-affinity", LEVEL_ERROR, BASIS_PEER, 0,                       \
	  "OAs comes from an active thread that has a CPU", "OHx OHp OAs")                 \
	R(BAD_AFFINITY_REMOTE, "ovni-affinity-remote", LEVEL_ERROR, BASIS_PEER, 0,         \
	  "OAr names a thread of the loom that has a CPU and is neither unknown nor dead", \
	  "OAr cpu=0 tid=99")                                                              \
	R(BAD_NEST, "ovni-nest", LEVEL_ERROR, BASIS_PEER, 0,                               \
	  "A leave event matches the innermost open enter event of its model's channel",   \
	  "MUf MUT")                                                                       \
	R(BAD_NEST_SAME, "ovni-nest-same", LEVEL_WARNING, BASIS_PEER, 0,                   \
	  "An enter event differs from the innermost open one (where the channel forbids " \
	  "duplicates: mpi, nodes, tampi, nanos6)",                                        \
	  "MUf MUf")                                                                       \
	R(BAD_NEST_DEPTH, "ovni-nest-depth", LEVEL_ERROR, BASIS_PEER, 0,                   \
	  "No more than 512 regions are open at once", "513 x 6W[ / 6Wt")                  \
	R(BAD_NEST_OPEN, "ovni-nest-open", LEVEL_WARNING, BASIS_PEER, RULE_END,            \
	  "No region is open at the end of the trace", "MUf <EOF>")                        \
	R(BAD_TYPE_NEW, "ovni-type-new", LEVEL_ERROR, BASIS_PEER, 0,                       \
	  "A task type id is created once in its process", "VYc 1 twice")                  \
	R(BAD_TASK_NEW, "ovni-task-new", LEVEL_ERROR, BASIS_PEER, 0,                       \
	  "A task id is created once in its process", "VTc 1 1 twice")                     \
	R(BAD_ID_ZERO, "ovni-id-zero", LEVEL_ERROR, BASIS_PEER, 0,                         \
	  "Task ids and task type ids are not 0", "VTc 0; VYc 0 \"a\"")                    \
	R(BAD_TASK_TYPE, "ovni-task-type", LEVEL_ERROR, BASIS_PEER, 0,                     \
	  "A task is created with a type that exists", "VTc 1 9")                          \
	R(BAD_TASK_KNOWN, "ovni-task-known", LEVEL_ERROR, BASIS_PEER, RULE_WHOLE,          \
	  "Execute, pause, resume and end name a task that was created", "VTx 5")          \
	R(BAD_TASK_STATE, "ovni-task-state", LEVEL_ERROR, BASIS_PEER, 0,                   \
	  "A task body is executed when created (or ended, if it may run again), paused "  \
	  "and ended while it runs, resumed while paused",                                 \
	  "VTx 1 VTx 1 | VTx VTp VTp | VTx VTr | VTx VTp VTe")                             \
	R(BAD_TASK_STACK, "ovni-task-stack", LEVEL_ERROR, BASIS_PEER, 0,                   \
	  "A body changes state on the thread that executes it, and only as the topmost "  \
	  "one there",                                                                     \
	  "VTx 1 VTp 1 VTx 2 VTp 2 VTr 1")                                                 \
	R(BAD_TASK_NEST, "ovni-task-nest", LEVEL_ERROR, BASIS_PEER, 0,                     \
	  "A nosv task does not start over one that runs (pause it first; nanos6 and "     \
	  "openmp may: note)",                                                             \
	  "VTx 1 VTx 2")                                                                   \
	R(BAD_TASK_RERUN, "ovni-task-rerun", LEVEL_ERROR, BASIS_PEER, 0,                   \
	  "A parallel nosv body and a nanos6 task run once",                               \
	  "VTC 1; VTx 1 1 VTe 1 1 VTx 1 1")                                                \
	R(BAD_TASK_PARALLEL_PAUSE, "ovni-task-parallel-pause", LEVEL_ERROR, BASIS_PEER, 0, \
	  "A parallel task is never paused", "VTC 1; VTx 1 1 VTp 1 1")                     \
	R(BAD_TASK_BODY, "ovni-task-body", LEVEL_ERROR, BASIS_PEER, 0,                     \
	  "The body id is 0 for a task made by VTc, above 0 for VTC", "VTc 1; VTx 1 3")    \
	R(BAD_TASK_LEFT, "ovni-task-left", LEVEL_NOTE, BASIS_SMELL, RULE_OFF | RULE_END,   \
	  "Every task that was executed has ended, every task created was executed",       \
	  "VTc 1 <EOF>")                                                                   \
	R(BAD_WS_TYPE, "ovni-ws-type", LEVEL_ERROR, BASIS_PEER, 0,                         \
	  "An openmp worksharing event names a type that was created, not 0", "PQx 9")     \
	R(BAD_HWC, "ovni-hwc", LEVEL_ERROR, BASIS_PEER, 0,                                 \
	  "VWC holds 8 bytes for each counter of nosv.hwc, and there are counters",        \
	  "VWC 3 bytes")                                                                   \
	R(BAD_MARK_TYPE, "ovni-mark-type", LEVEL_ERROR, BASIS_PEER, 0,                     \
	  "OM[ OM] OM= name a mark type that the metadata define", "OM= type=5")           \
	R(BAD_MARK_KIND, "ovni-mark-kind", LEVEL_ERROR, BASIS_PEER, 0,                     \
	  "OM[ OM] are for marks of a stack, paired by value; OM= for single ones",        \
	  "OM] of an empty stack")                                                         \
	R(BAD_MARK_DEF, "ovni-mark-def", LEVEL_ERROR, BASIS_PEER, 0,                       \
	  "A mark type is 0..99, has title and chan_type single or stack, the same in "    \
	  "all threads; a value has one label",                                            \
	  "\"mark\":{\"100\":..}")                                                         \
	R(BAD_BURST, "ovni-burst", LEVEL_NOTE, BASIS_PEER, RULE_OFF,                       \
	  "The median gap of OB. bursts is at most 100 ns", "100 OB. 1 us apart")          \
	R(BAD_OLD_EVENT, "ovni-old-event", LEVEL_NOTE, BASIS_PEER, RULE_OFF,               \
	  "OCn is obsolete", "OCn")                                                        \
	R(BAD_META_MISSING, "ovni-meta-missing", LEVEL_ERROR, BASIS_SPEC, 0,               \
	  "A stream has its metadata (stream.json; before v3 metadata.json of its "        \
	  "process)",                                                                      \
	  "no stream.json")                                                                \
	R(BAD_META_JSON, "ovni-meta-json", LEVEL_ERROR, BASIS_SPEC, 0,                     \
	  "The metadata are one JSON object", "{\"version\":3,")                           \
	R(BAD_META_VERSION, "ovni-meta-version", LEVEL_ERROR, BASIS_SPEC, 0,               \
	  "version is an integer that fits the layout: 1, 2 or 3", "\"version\": 9")       \
	R(BAD_META_KEYS, "ovni-meta-keys", LEVEL_ERROR, BASIS_PEER, 0,                     \
	  "part, tid, pid, loom and app_id (above 0) are there", "no ovni.tid")            \
	R(BAD_META_FINISHED, "ovni-meta-finished", LEVEL_WARNING, BASIS_PEER, 0,           \
	  "ovni.finished is 1 (a run that died lacks it)", "no ovni.finished")             \
	R(BAD_META_RANK, "ovni-meta-rank", LEVEL_ERROR, BASIS_SPEC, 0,                     \
	  "rank and nranks come together, 0 <= rank < nranks", "rank 3 nranks 2")          \
	R(BAD_META_SAME, "ovni-meta-same", LEVEL_ERROR, BASIS_PEER, 0,                     \
	  "The threads of a process agree on app_id, rank and nranks", "app_id 1 and 2")   \
	R(BAD_META_NRANKS, "ovni-meta-nranks", LEVEL_WARNING, BASIS_MODEL, RULE_WHOLE,     \
	  "nranks processes are there, each rank once", "nranks 4, one process")           \
	R(BAD_META_REQUIRE, "ovni-meta-require", LEVEL_ERROR, BASIS_PEER, 0,               \
	  "ovni.require names every model whose events occur, with a version that the "    \
	  "reader can take",                                                               \
	  "VTc without require.nosv")                                                      \
	R(BAD_META_LIB, "ovni-meta-lib", LEVEL_NOTE, BASIS_PEER, RULE_OFF,                 \
	  "All threads were written by one libovni version", "1.14.0 and 1.12.0")          \
	R(BAD_CPUS, "ovni-cpus", LEVEL_ERROR, BASIS_SPEC, 0,                               \
	  "A loom has cpus, in at least one process (exactly one before v3); none is an "  \
	  "empty array",                                                                   \
	  "no loom_cpus")                                                                  \
	R(BAD_CPU_INDEX, "ovni-cpu-index", LEVEL_ERROR, BASIS_SPEC, 0,                     \
	  "Each cpu index of a loom stands once, from 0 to N-1", "index 0 twice")          \
	R(BAD_CPU_PHYID, "ovni-cpu-phyid", LEVEL_ERROR, BASIS_PEER, 0,                     \
	  "Each phyid is 0 or more and has one index", "phyid -1")                         \
	R(BAD_TID, "ovni-tid", LEVEL_ERROR, BASIS_PEER, 0, "A thread id occurs once",      \
	  "tid 1 in two streams")                                                          \
	R(BAD_PATH, "ovni-path", LEVEL_WARNING, BASIS_SPEC, 0,                             \
	  "Loom, pid and tid of the path are those of the metadata",                       \
	  "thread.1 holds tid 2")                                                          \
	R(BAD_DIRS, "ovni-dirs", LEVEL_NOTE, BASIS_SPEC, RULE_OFF,                         \
	  "The tree is ovni/loom.NAME/proc.PID/thread.TID; NAME has no slash",             \
	  "ovni/x/stream.obs")                                                             \
	R(BAD_CLOCK_GATE, "ovni-clock-gate", LEVEL_ERROR, BASIS_PEER, 0,                   \
	  "The streams start within an hour of each other after clock-offsets.txt",        \
	  "starts 2 h apart")                                                              \
	R(BAD_OFFSETS, "ovni-offsets", LEVEL_ERROR, BASIS_PEER, 0,                         \
	  "clock-offsets.txt has a heading and rows of five fields, each host once, each " \
	  "a loom of the trace",                                                           \
	  "row of 3 fields")

#endif
