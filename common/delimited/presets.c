/*
 * presets.c - descriptions of the columns that well-known traces and tools have.
 * The facts are from the sources that columns-layout(5) names, and from: sacct(1); JMeter's jmeter.properties; output
 * of nsys, whose MB are 10^6 bytes; log4j's PatternLayout; lk_main.c of Valgrind; dinfmt.c and xdinfmt.c of Dinero IV;
 * disksim_iotrace.c and disksim_global.h of DiskSim; ASCII_Trace_Definition.h of MQSim; README.md of Ramulator and
 * loadstore_trace.cpp of Ramulator 2; TraceBasedSim.cpp of DRAMSim2 and common.cc of DRAMsim3; Pin's pinatrace.cpp;
 * view.cpp and view.h of DynamoRIO; prostextreader.cc of SST; vscsi.h of libCacheSim.
 */
#include <string.h>

#include "delimited/delimited.h"

/* Codes of SCSI commands: reads and writes, and other commands of disks. Logs of fio have 0, 1 or 2 in that column
 * instead. */
#define SCSI "28:R,2a:W,88:R,8a:W,a8:R,aa:W,08:R,0a:W,8:R,a:W," SCSI_OTHERS
#define SCSI_OTHERS                                                                        \
	"00,03,3,12,15,16,17,1a,1b,1d,1e,25,2e,2f,34,35,37,3b,3c,41,42,4c,4d,53,55,56,57," \
	"5a,5e,5f,7f,83,84,85,89,8e,8f,90,91,93,9e,9f,a0,a1,a3,a4,ae,af,b7"
/* biosnoop prints no column for an unknown disk, so the next number is in the column of the disk. */
#define NO_DISK "0*:-,1*:-,2*:-,3*:-,4*:-,5*:-,6*:-,7*:-,8*:-,9*:-,*"
/* A log of fio. A line has four columns if neither offset nor priority is logged. */
#define FIO_LOG "event=$3{0:R,1:W,2:T} size=$4 addr=$5?$6=* priority=$-1{0,1,0x*}?$5=*"
#define FIO_HINT                                                                \
	"-O columns=fio-log reads latencies, fio-bw bandwidth, fio-iops IOPS, " \
	"fio-log-old latencies with offsets"
#define FIO_LATENCIES "_lat. _clat. _slat."

/* Lines of strace and ltrace: a call that has returned, with -T or without, and one that has not. Strings may have what
 * follows a call, so a call must be followed by a return value and nothing else. */
#define EACH(shape, rest)                                                         \
	shape "={[pid $pid#] $time# " rest "} " shape "={$time# " rest "} " shape \
	      "={$pid# $time# " rest "} "
#define WHO(rest) EACH("line", rest)
#define RETURNS(rest) WHO("$event($args-) = " rest " <$dur>") WHO("$event($args-) = " rest)
#define CALLS                                                                            \
	RETURNS("$ret")                                                                  \
	RETURNS("$ret $error ($-)")                                                      \
	RETURNS("$ret ($-)")                                                             \
	RETURNS("$ret<$->")                                                              \
	WHO("$event($args- <unfinished ...>")                                            \
	EACH("begun", "$event($- <unfinished ...>")                                      \
	"resumed={$# <... $event resumed>$-} resumed={[pid $pid#] $# <... $event "       \
	"resumed>$-} resumed={$pid# $# <... $event resumed>$-} "                         \
	"skip={$- --- $- ---} ended={[pid $pid#] $# +++ $- +++} ended={$pid# $# +++ $- " \
	"+++} ended={$# +++ $- +++} "                                                    \
	"time=$time epoch=1970 loc=pid:$pid? "                                           \
	"event=$event dur=$dur?? args=$args "                                            \
	"ret=$ret? error=$error? "
/* On a terminal the output of the traced programs is between the lines of strace. */
#define STRACE                                                                 \
	"moved={$# +++ superseded by execve in pid $was# +++} "                \
	"moved={[pid $pid#] $# +++ superseded by execve in pid $was# +++} "    \
	"moved={$pid# $# +++ superseded by execve in pid $was# +++} " WHO(     \
	    "$event($args- <detached ...>") CALLS                              \
	    "open={$-strace: Process $# attached} open={$-strace: Process $# " \
	    "detached} " EACH("open", "$($-")
/* ltrace lets a new process return from the call that made it. */
#define FORKED                                                                            \
	"skip={$- <... $-fork resumed> ) = 0 $-} skip={$- <... $-clone$- resumed> ) = 0 " \
	"$-} "
#define NO_TIME "its times must be those of -ttt; columns-layout(5) has awk lines"
/* Calls that return how many bytes they moved. */
#define MOVES                                                                     \
	"read|write|pread*|pwrite*|readv|writev|recv*|send*|splice|tee|vmsplice|" \
	"copy_file_range"
/* The lines of blkparse, of one action or of all; and their columns as a request. */
#define BLKPARSE(action)                                 \
	"sep=blank skip=PC record=$4" action " time=$4 " \
	"addr=$8??$9=+|/ size=$10*512??$9=+ block=512 "
#define RWBS "{R*:R,W*:W,FW*:W,D*:D,F*:F,N*:N}"
/* A line of blkparse that issues a request. */
#define ISSUED(more) \
	"line={$dev $cpu# $seq# $time# $pid# D $rwbs $sector# + $n# [$command-]" more "} "
#define BLKPARSE_REQUEST                  \
	"loc=device:$1 event=$7" RWBS " " \
	"cpu=$2*1 seq=$3*1 pid=$5 rwbs=$7 "
#define ONE_ACTION "blkparse-q reads action Q, blkparse-d D, blkparse-c C"
/* Lines of perf script, with and without a processor, with and without a period. */
#define PERF_EVENT "$event: $args-} "
#define PERF(who)                                                                   \
	"line={$command- " who " [$cpu] $time#: " PERF_EVENT "line={$command- " who \
	" $time#: " PERF_EVENT "line={$command- " who                               \
	" [$cpu] $time#: $period# " PERF_EVENT "line={$command- " who               \
	" $time#: $period# " PERF_EVENT
/* Lines of ftrace, with and without flags, for each kind of event; and lines of recorders that lost events. */
#define FTRACE_EACH(who, rest)                                          \
	"line={$command--$pid# " who "[$cpu] $flags $time#: " rest "} " \
	"line={$command--$pid# " who "[$cpu] $time#: " rest "} "
#define FTRACE_EVENT(rest) FTRACE_EACH("", rest) FTRACE_EACH("($-) ", rest)
#define FTRACE                                                             \
	FTRACE_EVENT("function: $event <-- $caller-")                      \
	FTRACE_EVENT("$event: $args-")                                     \
	FTRACE_EVENT("$event <-$caller-")                                  \
	FTRACE_EVENT("$event [$-] <-$caller-")                             \
	"lost={CPU:$ [LOST $n# EVENTS]} lost={CPU:$ [LOST EVENTS]} "       \
	"lost={CPU:$ [$n# EVENTS DROPPED]} lost={CPU:$ [EVENTS DROPPED]} " \
	"skip=# skip={cpus=$#} skip={version = $} "
/* The lines of one interface in a Darshan trace. Lines of the other interface describe the same requests, so they
 * are skipped. */
#define DXT(other)                                                                     \
	"sep=blank head={# DXT, file_id: $id, file_name: $file-} "                     \
	"head={# DXT, rank: $, hostname: $host} skip=# skip=" other " time=$7 "        \
	"dur=$8-$7 loc=file:$file/rank:$2 event=$3{read:R,write:W} addr=$5?? size=$6 " \
	"module=$1 segment=$4*1 host=$host"

/* The lines of log4j with a date, and the order of the level, the thread and the logger in common patterns. A line
 * of another shape, such as one of a stack, is not a record. */
#define LOG4J_LINE(rest) \
	"line={$day $clock " rest " - $message-} line={$day $clock " rest ": $message-} "
#define LOG4J                                                                              \
	"line={$day $clock $level $ --- [$thread-] $logger : $message-} " LOG4J_LINE(      \
	    "[$thread-] $level $logger")                                                   \
	    LOG4J_LINE("$level [$thread-] $logger") "line={$day $clock $level $logger "    \
						    "[$thread-] $message-} " LOG4J_LINE(   \
							"$level $logger") "line={$day "    \
									  "$clock $level " \
									  "$logger "       \
									  "$message-} "    \
									  "skip={$-} "
/* Commands of Dinero: the labels of its traditional form, and the letters of the extended one. */
#define DIN                                                                             \
	"0:R,1:W,2:I,3:misc,4:copyback,5:invalidate,r:R,R,w:W,W,i:I,I,m:misc,M:misc,c:" \
	"copyback,C:copyback,v:invalidate,V:invalidate"
/* The first columns of a record of DynamoRIO's view tool. */
#define DRMEMTRACE "$# $instr#: $tid# "
/* DiskSim's flags in hexadecimal, of which bit 0 is for reads, 1 and 2 for urgency, 7 for synchronous and 8 for
 * asynchronous requests. */
#define DISKSIM(high)                                                                \
	high "0:W," high "1:R," high "2:W," high "3:R," high "4:W," high "5:R," high \
	     "6:W," high "7:R"
/* Codes of SCSI commands in decimal, as in `SCSI`. */
#define SCSI_DECIMAL                                                                       \
	"40:R,42:W,136:R,138:W,168:R,170:W,8:R,10:W,0,3,18,21,22,23,26,27,29,30,37,46,47," \
	"52,53,55,59,60,65,66,77,83,85,86,87,90,94,95,127,131,132,133,137,142,143,144,"    \
	"145,147,158,160,161,163,164,174,175,183"
/* Members of an event in Chrome's format. */
#define CHROME                                                                           \
	"time=$ts*us dur=$dur*us? event=$name|$ph loc=pid:$pid?/tid:$tid? ph=$ph{M:,*} " \
	"cat=$cat? *=$args "

/* The arguments of P: the name; the text with which one of the first lines of such a file begins if no other
 * format has it, "" if lines that fit can be of no other format, NULL if lines do not show the format; the
 * description; the text in the names of its files; the advice for lines that it cannot read. */
#define PRESETS(P)                                                                         \
	P("msr", "",                                                                       \
	  "loc=host:$2/disk:$3 event=$4{Read:R,Write:W} addr=$5 size=$6 "                  \
	  "dur=$7*100ns?? time=$1*100ns epoch=1601",                                       \
	  NULL, NULL)                                                                      \
	P("alibaba", "",                                                                   \
	  "time=$5*us epoch=1970 loc=device:$1 event=$2{R,W} addr=$3 size=$4", NULL, NULL) \
	P("tencent", NULL,                                                                 \
	  "time=$1 epoch=1970 loc=volume:$5 event=$4{0:R,1:W} addr=$2 "                    \
	  "size=$3*512 block=512",                                                         \
	  NULL, NULL)                                                                      \
	P("systor", "Timestamp,Response,IOType,LUN,",                                      \
	  "record=$1 time=$1 epoch=1970 loc=lun:$4 event=$3{R,W,:other} "                  \
	  "addr=$5 size=$6 dur=$2?",                                                       \
	  NULL, NULL)                                                                      \
	P("cloudphysics", NULL,                                                            \
	  "record=$2 time=$2 addr=$5 size=$4 block=512 event=$3{" SCSI "} "                \
	  "version=$1",                                                                    \
	  NULL, NULL)                                                                      \
	P("oracle", NULL,                                                                  \
	  "bytes=u4,u8,u4,i8 time=$1 event=get addr=$2 size=$3 next=$4*1??",               \
	  "oracleGeneral", NULL)                                                           \
	P("fiu", NULL,                                                                     \
	  "sep=blank columns=9 time=$1*ns loc=major:$7/minor:$8 event=$6{R,W} addr=$4 "    \
	  "size=$5*512 block=512 command=$3 pid=$2*1 md5=$9",                              \
	  NULL, NULL)                                                                      \
	P("thesios", "",                                                                   \
	  "header time=$start_time epoch=1970 "                                            \
	  "loc=application:$application/file:$filename "                                   \
	  "event=$op_type{READ:R,WRITE:W} addr=$file_offset "                              \
	  "size=$request_io_size_bytes dur=$simulated_latency "                            \
	  "service_class=$service_class hit=$cache_hit*1?? "                               \
	  "disk_size=$disk_io_size_bytes*1 "                                               \
	  "disk_time=$disk_time*s",                                                        \
	  NULL, NULL)                                                                      \
	P("twitter", "",                                                                   \
	  "columns=7 time=$1 loc=client:$5 "                                               \
	  "event=$6{get,gets,set,add,replace,cas,append,prepend,delete,incr,decr} "        \
	  "size=$4 key=$2 key_size=$3*1 ttl=$7*s",                                         \
	  NULL, NULL)                                                                      \
	P("metakv", "",                                                                    \
	  "header time=$op_time loc=usecase:$usecase/sub:$sub_usecase event=$op "          \
	  "size=$size key=$key key_size=$key_size*1 count=$op_count*1 hits=$cache_hits*1 " \
	  "ttl=$ttl*s",                                                                    \
	  NULL, NULL)                                                                      \
	P("metakv-2022", "key,op,size,op_count,key_size",                                  \
	  "header time=line event=$op size=$size key=$key key_size=$key_size*1 "           \
	  "count=$op_count*1",                                                             \
	  NULL, NULL)                                                                      \
	P("metacdn", "",                                                                   \
	  "header time=$timestamp*ms epoch=1970 event=$OpType{1:get,*} "                   \
	  "size=$responseSize key=$cacheKey object_size=$objectSize*1 "                    \
	  "range_start=$rangeStart*1?? range_end=$rangeEnd*1?? ttl=$TTL*s?? "              \
	  "hit=$cache_hit*1??",                                                            \
	  NULL, NULL)                                                                      \
	P("blkparse", NULL,                                                                \
	  BLKPARSE("") "loc=device:$1/cpu:$2 event=$6{m:,*} seq=$3*1 pid=$5 rwbs=$7 "      \
		       "command=$11-?",                                                    \
	  NULL, NULL)                                                                      \
	P("blkparse-q", NULL, BLKPARSE("?$6=Q") BLKPARSE_REQUEST "command=$11-?", NULL,    \
	  ONE_ACTION)                                                                      \
	P("blkparse-d", NULL, BLKPARSE("?$6=D") BLKPARSE_REQUEST "command=$11-?", NULL,    \
	  ONE_ACTION)                                                                      \
	P("blkparse-c", NULL, BLKPARSE("?$6=C") BLKPARSE_REQUEST "error=$11-?", NULL,      \
	  ONE_ACTION)                                                                      \
	P("blkparse-d2c", NULL,                                                            \
	  "begun={$dev $ $ $ $ D $ $sector# + $ $tail-} "                                  \
	  "resumed={$dev $ $ $end# $ C $ $sector# + $ $-} " ISSUED("$end#")                \
	      ISSUED("") "skip={$-} time=$time dur=$end-$time? loc=device:$dev "           \
			 "event=$rwbs" RWBS                                                \
			 " addr=$sector size=$n*512 block=512 cpu=$cpu*1 "                 \
			 "seq=$seq*1 pid=$pid rwbs=$rwbs command=$command",                \
	  NULL, ONE_ACTION)                                                                \
	P("biosnoop", "TIME(s)",                                                           \
	  "sep=blank record=$1 end=$1 dur=$-1*ms loc=disk:$-5{" NO_DISK "} event=$-4 "     \
	  "addr=$-3 size=$-2 block=512 command=$2 pid=$-6*1??",                            \
	  NULL, NULL)                                                                      \
	P("biosnoop-queue", "TIME(s)",                                                     \
	  "sep=blank record=$1 end=$1 dur=$-1*ms loc=disk:$-6{" NO_DISK "} "               \
	  "event=$-5 addr=$-4 size=$-3 block=512 command=$2 pid=$-7*1?? "                  \
	  "queued=$-2*ms",                                                                 \
	  NULL, NULL)                                                                      \
	P("biosnoop-clock", "TIMESTAMP",                                                   \
	  "sep=blank record=$-1 end=$1:clock dur=$-1*ms loc=disk:$-5{" NO_DISK "} "        \
	  "event=$-4 addr=$-3 size=$-2 block=512 command=$2 pid=$-6*1??",                  \
	  NULL, NULL)                                                                      \
	P("fio-log", NULL, "columns=4-6 end=$1*ms dur=$2*ns " FIO_LOG, FIO_LATENCIES,      \
	  FIO_HINT)                                                                        \
	P("fio-log-old", NULL,                                                             \
	  "columns=5 end=$1*ms dur=$2*ns event=$3{0:R,1:W,2:T} size=$4 "                   \
	  "addr=$5",                                                                       \
	  FIO_LATENCIES, FIO_HINT)                                                         \
	P("fio-bw", NULL, "columns=4-6 time=$1*ms bandwidth=$2*1024B " FIO_LOG, "_bw.",    \
	  FIO_HINT)                                                                        \
	P("fio-iops", NULL, "columns=4-6 time=$1*ms iops=$2*1 " FIO_LOG, "_iops.",         \
	  FIO_HINT)                                                                        \
	P("iolog", "fio version 3 iolog",                                                  \
	  "sep=blank columns=3-5 record=$1 time=$1*us loc=file:$2 "                        \
	  "event=$3{read:R,write:W,trim,sync,datasync,sync_file_range,syncfs,wait,"        \
	  "add,open,close} "                                                               \
	  "addr=$4? size=$5?",                                                             \
	  NULL, NULL)                                                                      \
	P("iolog-2", "fio version 2 iolog",                                                \
	  "sep=blank header columns=2-4 head={$ wait $wait# $} time=$wait*ms? "            \
	  "loc=file:$1 "                                                                   \
	  "event=$2{read:R,write:W,trim,sync,datasync,add,open,close} addr=$3? size=$4?",  \
	  NULL, NULL)                                                                      \
	P("strace", "", STRACE "size=$ret??$event=" MOVES, NULL, NO_TIME)                  \
	P("ltrace", NULL,                                                                  \
	  WHO("$event($args- <no return ...>") EACH("begun", "$event($- <no return ...>")  \
	      CALLS RETURNS("\"$ret-\"") FORKED,                                           \
	  NULL, NO_TIME)                                                                   \
	P("perf", "",                                                                      \
	  PERF("$pid#/$tid#") PERF("$tid#") PERF(                                          \
	      "-1") "skip={$ $- ($-)} skip=# lost={$- PERF_RECORD_LOST$- lost $n#} "       \
		    "time=$time loc=cpu:$cpu?/tid:$tid? event=$event command=$command "    \
		    "pid=$pid*1? period=$period*1? args=$args",                            \
	  NULL, NULL)                                                                      \
	P("ftrace", "",                                                                    \
	  FTRACE "time=$time loc=cpu:$cpu/pid:$pid event=$event command=$command "         \
		 "args=$args? caller=$caller? flags=$flags?",                              \
	  NULL, NULL)                                                                      \
	P("dxt", "# darshan log version", DXT("X_MPIIO"), NULL,                            \
	  "dxt reads X_POSIX, dxt-mpi X_MPIIO")                                            \
	P("dxt-mpi", NULL, DXT("X_POSIX"), NULL, "dxt reads X_POSIX, dxt-mpi X_MPIIO")     \
	P("recorder", "",                                                                  \
	  "line={$start# $end# $event $level# $kind# ($args-)} time=$start "               \
	  "dur=$end-$start event=$event level=$level*1 kind=$kind*1 args=$args",           \
	  NULL, NULL)                                                                      \
	P("sacct", "",                                                                     \
	  "sep=| time=$Start:iso epoch=1970 dur=$End-$Start:iso?? "                        \
	  "loc=partition:$Partition?/user:$User? event=$State{CANCELLED*:CANCELLED,*} "    \
	  "job=$JobID start=$Start{Unknown:,None:,*} submit=$Submit:iso? name=$JobName? "  \
	  "nodes=$NNodes*1? cpus=$AllocCPUS*1? rss=$MaxRSS*1B? exit=$ExitCode?",           \
	  NULL, NULL)                                                                      \
	P("jmeter", "",                                                                    \
	  "time=$timeStamp*ms epoch=1970 dur=$elapsed*ms loc=thread:$threadName? "         \
	  "event=$label size=$bytes? code=$responseCode? success=$success? "               \
	  "sent=$sentBytes*1B? latency=$Latency*ms? connect=$Connect*ms? "                 \
	  "failure=$failureMessage?",                                                      \
	  NULL, NULL)                                                                      \
	P("nsys", "",                                                                      \
	  "skip=Processing skip=Generating time=${Start (ns)}*ns "                         \
	  "dur=${Duration (ns)}*ns loc=device:$Device/stream:$Strm event=$Name "           \
	  "size=${Bytes (MB)}*1000000B? id=$CorrId*1? context=$Ctx*1? from=$SrcMemKd? "    \
	  "to=$DstMemKd?",                                                                 \
	  NULL, NULL)                                                                      \
	P("log4j", "",                                                                     \
	  LOG4J "time=$day+$clock:iso epoch=1970 loc=thread:$thread? "                     \
		"event=$level{TRACE,DEBUG,INFO,WARN,ERROR,FATAL,*:} logger=$logger "       \
		"message=$message?",                                                       \
	  NULL, NULL)                                                                      \
	P("lackey", "",                                                                    \
	  "line={$op $addr,$size#} skip=== skip=-- time=line event=$op{I,L:R,S:W,M} "      \
	  "addr=$addr:hex size=$size",                                                     \
	  NULL, NULL)                                                                      \
	P("din", NULL,                                                                     \
	  "sep=blank time=line event=$1{" DIN "} addr=$2:hex "                             \
	  "size=$3:hex?$1=r|R|w|W|i|I|m|M|c|C|v|V",                                        \
	  NULL, NULL)                                                                      \
	P("disksim", NULL,                                                                 \
	  "sep=blank columns=5 time=$1*ms loc=disk:$2 event=$5{" DISKSIM("") "," DISKSIM(  \
	      "8") "," DISKSIM("10") "," DISKSIM("18") "} addr=$3 size=$4*512 block=512",  \
	  NULL, NULL)                                                                      \
	P("mqsim", NULL,                                                                   \
	  "sep=blank columns=5 time=$1*ns loc=device:$2 event=$5{0:W,1:R} addr=$3 "        \
	  "size=$4*512 block=512",                                                         \
	  NULL, NULL)                                                                      \
	P("ramulator", "",                                                                 \
	  "line={$op 0x$addr} line={0x$addr $op} time=line event=$op{R,W,LD:R,ST:W} "      \
	  "addr=$addr:hex",                                                                \
	  NULL, NULL)                                                                      \
	P("dramsim", "",                                                                   \
	  "sep=blank columns=3 time=$3*ns event=$2{READ:R,WRITE:W,IFETCH:I,P_MEM_RD:R,"    \
	  "P_MEM_WR:W,P_FETCH:I,P_LOCK_RD:R,P_LOCK_WR:R,BOFF:W} addr=$1:hex command=$2",   \
	  NULL, NULL)                                                                      \
	P("pinatrace", "",                                                                 \
	  "line={0x$pc: $op 0x$addr} time=line event=$op{R,W} addr=$addr:hex pc=$pc:hex",  \
	  NULL, NULL)                                                                      \
	P("drmemtrace", "",                                                                \
	  "head={" DRMEMTRACE "<marker: timestamp $ts#>} line={" DRMEMTRACE                \
	  "$op $size# byte(s) @ 0x$addr by PC 0x$pc} line={" DRMEMTRACE                    \
	  "$op $size# byte(s) @ 0x$addr $code-} skip={" DRMEMTRACE "$-} skip=<-- "         \
	  "skip=--- skip=Output skip=View skip={$# : total $-} time=$ts*us epoch=1601 "    \
	  "loc=tid:$tid event=$op{ifetch:I,read:R,write:W,*} addr=$addr:hex size=$size "   \
	  "instr=$instr*1 pc=$pc:hex? code=$code?",                                        \
	  NULL, NULL)                                                                      \
	P("prospero", NULL,                                                                \
	  "sep=blank columns=4 time=$1*ns event=$2{R,r:R,W,w:W} addr=$3 size=$4", NULL,    \
	  NULL)                                                                            \
	P("vscsi", NULL,                                                                   \
	  "bytes=u4,u4,u4,u2,u2,u8,u8 time=$7*us event=$4{" SCSI_DECIMAL "} addr=$6 "      \
	  "size=$2 block=512",                                                             \
	  ".vscsi", "vscsi reads records of 32 bytes, vscsi-2 of 40")                      \
	P("vscsi-2", NULL,                                                                 \
	  "bytes=u2,u2,u4,u4,u4,u8,u8,u8 time=$7*us event=$1{" SCSI_DECIMAL "} addr=$6 "   \
	  "size=$4 block=512 rt=$8*1",                                                     \
	  ".vscsi", "vscsi reads records of 32 bytes, vscsi-2 of 40")                      \
	P("jsonl", "{\"time\":",                                                           \
	  "json=stream time=$time loc=$loc? event=$event addr=$addr? size=$size? "         \
	  "dur=$dur? *",                                                                   \
	  NULL, NULL)                                                                      \
	P("chrome", NULL, "json " CHROME "id=$id? addr=$args.addr?? size=$args.size??",    \
	  NULL, NULL)                                                                      \
	P("dftracer", NULL,                                                                \
	  "json epoch=1970 " CHROME                                                        \
	  "ret=$args.ret? addr=$args.offset?? size=$args.ret??$name=" MOVES,               \
	  ".pfw", NULL)                                                                    \
	P("bpftrace", "{\"type\": \"attached_probes\"",                                    \
	  "json time=line event=$type{attached_probes:,*} data=$data "                     \
	  "lost={{\"type\": \"lost_events\",$-{\"events\": $#}}}",                         \
	  NULL, NULL)

#define NAME(name, sure, text, files, hint) name,
#define TEXT(name, sure, text, files, hint) text,
#define FILES(name, sure, text, files, hint) files,
#define HINT(name, sure, text, files, hint) hint,
#define BEGIN(name, sure, text, files, hint) sure,
const char *const delimited_presets[] = {PRESETS(NAME) NULL};
const char *const delimited_meanings[] = {PRESETS(TEXT) NULL};
const char *const delimited_hints[] = {PRESETS(HINT) NULL};
static const char *const begin_of[] = {PRESETS(BEGIN) NULL};
static const char *const files_of[] = {PRESETS(FILES) NULL};

bool
delimited_begins(int preset, const uint8_t *p, size_t n)
{
	/* The version in front of every line is 1 or 2. */
	static const char *const words[] = {"1,", "2,", "version,"};

	if (preset < 0 || strcmp(delimited_presets[preset], "cloudphysics") != 0)
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (n >= strlen(words[i]) && !memcmp(p, words[i], strlen(words[i])))
			return true;
	return false;
}

const char *
delimited_advice(int preset)
{
	return preset >= 0 && !strcmp(delimited_presets[preset], "blkparse")
		   ? "requests are read by -O columns=blkparse-q, blkparse-d or blkparse-c"
		   : NULL;
}

bool
delimited_sure(int i, const uint8_t *p, size_t n)
{
	const char *begin = begin_of[i];
	size_t len = begin ? strlen(begin) : 0;

	for (const uint8_t *end = p + n; begin && p; p++) {
		if ((size_t)(end - p) >= len && !memcmp(p, begin, len))
			return true;
		p = memchr(p, '\n', (size_t)(end - p));
		if (!p)
			break;
	}
	return false;
}

bool
delimited_named(int preset, const char *path)
{
	const char *base = strrchr(path, '/');
	char mark[16];

	base = base ? base : path;
	for (const char *w = files_of[preset]; w && *w; w += strspn(w, " ")) {
		size_t n = strcspn(w, " ");

		memcpy(mark, w, n);
		mark[n] = '\0';
		w += n;
		if (strstr(base, mark))
			return true;
	}
	return false;
}

const char *
delimited_other(int preset, const char *path)
{
	if (preset < 0 || !files_of[preset] || delimited_named(preset, path))
		return NULL;
	for (int i = 0; delimited_presets[i]; i++)
		if (delimited_named(i, path))
			return delimited_presets[i];
	return NULL;
}
