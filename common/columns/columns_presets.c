/*
 * columns_presets.c - descriptions of the columns of traces and tools that are well known.
 * Facts from their own descriptions, which columns-layout(5) names.
 */
#include "columns/columns.h"

#define PRESETS(P)                                                                        \
	P("msr", "loc=host:$2/disk:$3 event=$4{Read:R,Write:W} addr=$5 size=$6 "          \
		 "dur=$7*100ns time=$1*100ns epoch=1601")                                 \
	P("alibaba", "time=$5*us epoch=1970 loc=device:$1 event=$2{R,W} addr=$3 size=$4") \
	P("tencent", "time=$1 epoch=1970 loc=volume:$5 event=$4{0:R,1:W} addr=$2 "        \
		     "size=$3*512 block=512")                                             \
	P("systor", "record=$1 time=$1 epoch=1970 loc=lun:$4 event=$3{R,W,:other} "       \
		    "addr=$5 size=$6 dur=$2?")                                            \
	P("cloudphysics", "record=$2 time=$2 addr=$5 size=$4 block=512 "                  \
			  "event=$3{28:R,2a:W,88:R,8a:W,a8:R,aa:W,08:R,0a:W,8:R,a:W,*} "  \
			  "version=$1")                                                   \
	P("blkparse", "sep=blank record=$4 time=$4 loc=device:$1/cpu:$2 "                 \
		      "event=$6{m:,*} addr=$8?? size=$10*512??$9=+ block=512 seq=$3 "     \
		      "pid=$5 rwbs=$7 command=$11-?")                                     \
	P("biosnoop", "sep=blank record=$1 end=$1 dur=$-1*ms loc=disk:$-5 event=$-4 "     \
		      "addr=$-3 size=$-2 block=512 command=$2 pid=$-6")                   \
	P("biosnoop-queue", "sep=blank record=$1 end=$1 dur=$-1*ms loc=disk:$-6 "         \
			    "event=$-5 addr=$-4 size=$-3 block=512 command=$2 pid=$-7 "   \
			    "queued=$-2*ms")                                              \
	P("fio-log", "end=$1*ms dur=$2*ns event=$3{0:R,1:W,2:T} size=$4 addr=$5 "         \
		     "priority=$6?")                                                      \
	P("iolog",                                                                        \
	  "sep=blank record=$1 time=$1*us loc=file:$2 event=$3{read:R,write:W,*} "        \
	  "addr=$4? size=$5?")

#define NAME(name, text) name,
#define TEXT(name, text) text,
const char *const columns_presets[] = {PRESETS(NAME) NULL};
const char *const columns_meanings[] = {PRESETS(TEXT) NULL};
