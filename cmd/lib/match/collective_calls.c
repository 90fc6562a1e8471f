/*
 * collective_calls.c - see matching.h: the calls that MPI 3.1 defines as collective, and the communicator, window
 * or file that they act on. The calls that make communicators are in mpi/calls.c.
 */
#include "match/matching.h"

static const int8_t none[] = {-1}, gathers[] = {ARG_COMM, ARG_ROOT, -1},
		    windows[] = {ARG_COMM, ARG_WIN, -1}, files[] = {ARG_COMM, ARG_FILE, -1};

const struct call_row collective_calls[] = {
    {"Barrier|Allgather|Allgatherv|Allreduce|Alltoall|Alltoallv|Alltoallw|Reduce_scatter",
     CALL_ALL_TO_ALL, gathers, false},
    {"Gather|Gatherv|Reduce", CALL_ALL_TO_ONE, gathers, false},
    {"Bcast|Scatter|Scatterv", CALL_ONE_TO_ALL, gathers, false},
    {"Scan|Exscan", CALL_SCAN, gathers, false},
    {"Init|Init_thread", CALL_INIT, none, false},
    {"Finalize", CALL_FINALIZE, none, false},
    {"Cart_map|Graph_map", CALL_TOGETHER, gathers, false},
    {"Comm_free|Comm_disconnect", CALL_FREE, gathers, false},
    {"Win_create", CALL_WIN, windows, false},
    {"Win_fence", CALL_TOGETHER, windows, false},
    {"Win_free", CALL_FREE, windows, false},
    {"File_open", CALL_FILE, files, false},
    {"File_close", CALL_FREE, files, false},
    {"File_set_size|File_preallocate|File_set_info|File_set_view|File_set_atomicity|"
     "File_seek_shared|File_sync|File_read_all|File_write_all|File_read_at_all|"
     "File_write_at_all|File_read_ordered|File_write_ordered|File_read_all_begin|"
     "File_read_all_end|File_write_all_begin|File_write_all_end|File_read_at_all_begin|"
     "File_read_at_all_end|File_write_at_all_begin|File_write_at_all_end|"
     "File_read_ordered_begin|File_read_ordered_end|File_write_ordered_begin|"
     "File_write_ordered_end",
     CALL_TOGETHER, files, false},
    {0},
};
