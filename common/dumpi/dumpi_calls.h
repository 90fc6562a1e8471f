/*
 * dumpi_calls.h - every DUMPI call, argument type and constant. No other file names them.
 *
 * Only dumpi_table.c includes it, and compiles it into plans at start. A call's arguments
 * stand in stored order, as name:type:direction and these conditions:
 *
 *	len=ARG		an array; ARG is the count that MPI was given. The file has a count
 *			of its own in front of the array, except for the strings of str32*:
 *			ARG counts those
 *	if=A==B		stored only if the arguments A and B are equal
 *	one<VERSION	stored as a single number before that version of the format
 *	only<VERSION	stored only before that version
 *
 * The argument aux is a note of the recorder, besides MPI's own arguments.
 *
 * `size` gives the bytes that the call sends; for a call that only receives, those that it
 * receives. `recv` gives the bytes received by a call that also sends. Both are made of:
 *
 *	COUNT*DATATYPE		so many elements
 *	COUNT[rank]*DATATYPE	COUNT is an array: its element of this rank
 *	COUNT*DATATYPE*all	so many elements for every rank of the communicator
 *	status			the bytes that a status states
 *	A|B			alternatives: the first that is present and not MPI_IN_PLACE
 *	flag?A			A only if the argument `flag` is not 0
 *	=A, !A, ^A		A only at root; only elsewhere; not at rank 0
 *
 * `peer` names the argument that is the other rank. `print` is dumpi2ascii's order of
 * arguments, if it is not the stored one. `does` says how the call changes the meaning of
 * later ones, see dumpi_known.h.
 *
 * Source: what files of libdumpi 0.2 to 13 hold.
 */
/* clang-format off */

static const struct dumpi_row dumpi_rows[DUMPI_CALLS] = {
[0] = {.name = "MPI_Send", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in",
	.size = "count*datatype", .peer = "dest"},
[1] = {.name = "MPI_Recv", .args =
	"count:i32:in,datatype:datatype:in,source:source:in,tag:tag:in,comm:comm:in,"
	"status:status:out",
	.size = "status|count*datatype", .peer = "status|source"},
[2] = {.name = "MPI_Get_count", .args =
	"status:status:in,datatype:datatype:in,count:i32:out"},
[3] = {.name = "MPI_Bsend", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in",
	.size = "count*datatype", .peer = "dest"},
[4] = {.name = "MPI_Ssend", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in",
	.size = "count*datatype", .peer = "dest"},
[5] = {.name = "MPI_Rsend", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in",
	.size = "count*datatype", .peer = "dest"},
[6] = {.name = "MPI_Buffer_attach", .args =
	"size:i32:in"},
[7] = {.name = "MPI_Buffer_detach", .args =
	"size:i32:out"},
[8] = {.name = "MPI_Isend", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:i32:in,comm:comm:in,"
	"request:request:out",
	.size = "count*datatype", .peer = "dest",
	.does = DOES_SEND},
[9] = {.name = "MPI_Ibsend", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in,"
	"request:request:out",
	.size = "count*datatype", .peer = "dest",
	.does = DOES_SEND},
[10] = {.name = "MPI_Issend", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in,"
	"request:request:out",
	.size = "count*datatype", .peer = "dest",
	.does = DOES_SEND},
[11] = {.name = "MPI_Irsend", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in,"
	"request:request:out",
	.size = "count*datatype", .peer = "dest",
	.does = DOES_SEND},
[12] = {.name = "MPI_Irecv", .args =
	"count:i32:in,datatype:datatype:in,source:source:in,tag:tag:in,comm:comm:in,"
	"request:request:out",
	.size = "count*datatype", .peer = "source",
	.does = DOES_RECV},
[13] = {.name = "MPI_Wait", .args =
	"request:request:in,status:status:out",
	.does = DOES_COMPLETE},
[14] = {.name = "MPI_Test", .args =
	"request:request:in,flag:i32:out,status:status:in",
	.does = DOES_COMPLETE},
[15] = {.name = "MPI_Request_free", .args =
	"request:request:in",
	.does = DOES_FREE},
[16] = {.name = "MPI_Waitany", .args =
	"count:i32:in,requests:request[]:in:len=count,index:i32:out,status:status:out",
	.does = DOES_COMPLETE},
[17] = {.name = "MPI_Testany", .args =
	"count:i32:in,requests:request[]:in:len=count,index:i32:out,flag:i32:out,"
	"status:status:out",
	.does = DOES_COMPLETE},
[18] = {.name = "MPI_Waitall", .args =
	"count:i32:in,requests:request[]:in:len=count,statuses:status[]:out:len=count",
	.does = DOES_COMPLETE},
[19] = {.name = "MPI_Testall", .args =
	"count:i32:in,requests:request[]:in:len=count,flag:i32:out,"
	"statuses:status[]:out:len=count",
	.does = DOES_COMPLETE},
[20] = {.name = "MPI_Waitsome", .args =
	"count:i32:in,requests:request[]:in:len=count,outcount:i32:out,"
	"indices:i32[]:out:len=outcount,statuses:status[]:out:len=outcount",
	.does = DOES_COMPLETE},
[21] = {.name = "MPI_Testsome", .args =
	"count:i32:in,requests:request[]:in:len=count,outcount:i32:out,"
	"indices:i32[]:out:len=outcount,statuses:status[]:out:len=outcount",
	.does = DOES_COMPLETE},
[22] = {.name = "MPI_Iprobe", .args =
	"source:source:in,tag:tag:in,comm:comm:in,flag:i32:out,status:status:out",
	.peer = "flag?status|source"},
[23] = {.name = "MPI_Probe", .args =
	"source:source:in,tag:tag:in,comm:comm:in,status:status:out",
	.peer = "status|source"},
[24] = {.name = "MPI_Cancel", .args =
	"request:request:in",
	.does = DOES_CANCEL},
[25] = {.name = "MPI_Test_cancelled", .args =
	"status:status:in,cancelled:i32:out"},
[26] = {.name = "MPI_Send_init", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in,"
	"request:request:out",
	.peer = "dest",
	.size = "count*datatype",
	.does = DOES_INIT},
[27] = {.name = "MPI_Bsend_init", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in,"
	"request:request:out",
	.peer = "dest",
	.size = "count*datatype",
	.does = DOES_INIT},
[28] = {.name = "MPI_Ssend_init", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in,"
	"request:request:out",
	.peer = "dest",
	.size = "count*datatype",
	.does = DOES_INIT},
[29] = {.name = "MPI_Rsend_init", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,tag:tag:in,comm:comm:in,"
	"request:request:out",
	.peer = "dest",
	.size = "count*datatype",
	.does = DOES_INIT},
[30] = {.name = "MPI_Recv_init", .args =
	"count:i32:in,datatype:datatype:in,source:source:in,tag:tag:in,comm:comm:in,"
	"request:request:out",
	.peer = "source",
	.size = "count*datatype",
	.does = DOES_INIT_RECV},
[31] = {.name = "MPI_Start", .args =
	"request:request:out",
	.does = DOES_START},
[32] = {.name = "MPI_Startall", .args =
	"count:i32:in,requests:request[]:out:len=count",
	.does = DOES_START},
[33] = {.name = "MPI_Sendrecv", .args =
	"sendcount:i32:in,sendtype:datatype:in,dest:dest:in,sendtag:tag:in,"
	"recvcount:i32:in,recvtype:datatype:in,source:source:in,recvtag:tag:in,"
	"comm:comm:in,status:status:out", .peer = "dest",
	.size = "sendcount*sendtype",
	.recv = "status|recvcount*recvtype"},
[34] = {.name = "MPI_Sendrecv_replace", .args =
	"count:i32:in,datatype:datatype:in,dest:dest:in,sendtag:tag:in,source:source:in,"
	"recvtag:tag:in,comm:comm:in,status:status:out", .peer = "dest",
	.size = "count*datatype",
	.recv = "status|count*datatype"},
[35] = {.name = "MPI_Type_contiguous", .args =
	"count:i32:in,oldtype:datatype:in,newtype:datatype:out",
	.does = DOES_TYPE},
[36] = {.name = "MPI_Type_vector", .args =
	"count:i32:in,blocklength:i32:in,stride:i32:in,oldtype:datatype:in,"
	"newtype:datatype:out",
	.does = DOES_TYPE},
[37] = {.name = "MPI_Type_hvector", .args =
	"count:i32:in,blocklength:i32:in,stride:i32:in,oldtype:datatype:in,"
	"newtype:datatype:out",
	.does = DOES_TYPE},
[38] = {.name = "MPI_Type_indexed", .args =
	"count:i32:in,lengths:i32[]:in:len=count,indices:i32[]:in:len=count,"
	"oldtype:datatype:in,newtype:datatype:out",
	.does = DOES_TYPE},
[39] = {.name = "MPI_Type_hindexed", .args =
	"count:i32:in,lengths:i32[]:in:len=count,indices:i32[]:in:len=count,"
	"oldtype:datatype:in,newtype:datatype:out",
	.does = DOES_TYPE},
[40] = {.name = "MPI_Type_struct", .args =
	"count:i32:in,lengths:i32[]:in:len=count,indices:i32[]:in:len=count:one<0.6.9,"
	"oldtypes:datatype[]:in:len=count,newtype:datatype:out",
	.does = DOES_TYPE},
[41] = {.name = "MPI_Address", .args =
	"address:i32:out"},
[42] = {.name = "MPI_Type_extent", .args =
	"datatype:datatype:in,extent:i32:out"},
[43] = {.name = "MPI_Type_size", .args =
	"datatype:datatype:in,size:i32:out",
	.does = DOES_TYPE},
[44] = {.name = "MPI_Type_lb", .args =
	"datatype:datatype:in,lb:i32:out"},
[45] = {.name = "MPI_Type_ub", .args =
	"datatype:datatype:in,ub:i32:out"},
[46] = {.name = "MPI_Type_commit", .args =
	"datatype:datatype:in"},
[47] = {.name = "MPI_Type_free", .args =
	"datatype:datatype:in"},
[48] = {.name = "MPI_Get_elements", .args =
	"status:status:in,datatype:datatype:in,elements:i32:out"},
[49] = {.name = "MPI_Pack", .args =
	"incount:i32:in,datatype:datatype:in,outcount:i32:in,position.in:i32:in,"
	"position.out:i32:out,comm:comm:in"},
[50] = {.name = "MPI_Unpack", .args =
	"incount:i32:in,position.in:i32:in,position.out:i32:out,outcount:i32:in,"
	"datatype:datatype:in,comm:comm:in"},
[51] = {.name = "MPI_Pack_size", .args =
	"incount:i32:in,datatype:datatype:in,comm:comm:in,size:i32:out"},
[52] = {.name = "MPI_Barrier", .args =
	"comm:comm:in"},
[53] = {.name = "MPI_Bcast", .args =
	"count:i32:in,datatype:datatype:in,root:i32:in,comm:comm:in",
	.size = "=count*datatype",
	.recv = "!count*datatype"},
[54] = {.name = "MPI_Gather", .args =
	"commrank:i32:aux,sendcount:i32:in,sendtype:datatype:in,root:i32:in,comm:comm:in,"
	"recvcount:i32:in:if=commrank==root,recvtype:datatype:in:if=commrank==root",
	.print = "commrank,sendcount,sendtype,recvcount,recvtype,root,comm",
	.size = "sendcount*sendtype|recvcount*recvtype",
	.recv = "recvcount*recvtype*all",
	.does = DOES_COLLECT},
[55] = {.name = "MPI_Gatherv", .args =
	"commrank:i32:aux,commsize:i32:aux,sendcount:i32:in,sendtype:datatype:in,"
	"root:i32:in,comm:comm:in,recvcounts:i32[]:in:len=commsize:if=commrank==root,"
	"displs:i32[]:in:len=commsize:if=commrank==root,recvtype:datatype:in",
	.print = "commrank,commsize,sendcount,sendtype,recvcounts,displs,recvtype,root,comm",
	.size = "sendcount*sendtype|recvcounts[rank]*recvtype",
	.recv = "recvcounts*recvtype",
	.does = DOES_COLLECT},
[56] = {.name = "MPI_Scatter", .args =
	"commrank:i32:aux,recvcount:i32:in,recvtype:datatype:in,root:i32:in,comm:comm:in,"
	"sendcount:i32:in:if=commrank==root,sendtype:datatype:in:if=commrank==root",
	.print = "commrank,sendcount,sendtype,recvcount,recvtype,root,comm",
	.size = "sendcount*sendtype*all",
	.recv = "recvcount*recvtype|sendcount*sendtype",
	.does = DOES_COLLECT},
[57] = {.name = "MPI_Scatterv", .args =
	"commrank:i32:aux,commsize:i32:aux,sendtype:datatype:in,recvcount:i32:in,"
	"recvtype:datatype:in,root:i32:in,comm:comm:in,"
	"sendcounts:i32[]:in:len=commsize:if=commrank==root,"
	"displs:i32[]:in:len=commsize:if=commrank==root",
	.print = "commrank,commsize,sendcounts,displs,sendtype,recvcount,recvtype,root,comm",
	.size = "sendcounts*sendtype",
	.recv = "recvcount*recvtype|sendcounts[rank]*sendtype",
	.does = DOES_COLLECT},
[58] = {.name = "MPI_Allgather", .args =
	"sendcount:i32:in,sendtype:datatype:in,recvcount:i32:in,recvtype:datatype:in,"
	"comm:comm:in",
	.size = "sendcount*sendtype|recvcount*recvtype",
	.recv = "recvcount*recvtype*all"},
[59] = {.name = "MPI_Allgatherv", .args =
	"commsize:i32:aux,sendcount:i32:in,sendtype:datatype:in,"
	"recvcounts:i32[]:in:len=commsize,displs:i32[]:in:len=commsize,"
	"recvtype:datatype:in,comm:comm:in",
	.size = "sendcount*sendtype|recvcounts[rank]*recvtype",
	.recv = "recvcounts*recvtype",
	.does = DOES_COLLECT},
[60] = {.name = "MPI_Alltoall", .args =
	"sendcount:i32:in,sendtype:datatype:in,recvcount:i32:in,recvtype:datatype:in,"
	"comm:comm:in",
	.size = "sendcount*sendtype*all|recvcount*recvtype*all",
	.recv = "recvcount*recvtype*all"},
[61] = {.name = "MPI_Alltoallv", .args =
	"commsize:i32:aux,sendcounts:i32[]:in:len=commsize,"
	"senddispls:i32[]:in:len=commsize,sendtype:datatype:in,"
	"recvcounts:i32[]:in:len=commsize,recvdispls:i32[]:in:len=commsize,"
	"recvtype:datatype:in,comm:comm:in",
	.size = "sendcounts*sendtype|recvcounts*recvtype",
	.recv = "recvcounts*recvtype",
	.does = DOES_COLLECT},
[62] = {.name = "MPI_Reduce", .args =
	"count:i32:in,datatype:datatype:in,op:op:in,root:i32:in,comm:comm:in",
	.size = "count*datatype",
	.recv = "=count*datatype"},
[63] = {.name = "MPI_Op_create", .args =
	"commute:i32:in,op:op:out"},
[64] = {.name = "MPI_Op_free", .args =
	"op:op:in"},
[65] = {.name = "MPI_Allreduce", .args =
	"count:i32:in,datatype:datatype:in,op:op:in,comm:comm:in",
	.size = "count*datatype",
	.recv = "count*datatype"},
[66] = {.name = "MPI_Reduce_scatter", .args =
	"commsize:i32:aux,recvcounts:i32[]:in:len=commsize,datatype:datatype:in,op:op:in,"
	"comm:comm:in",
	.size = "recvcounts*datatype",
	.recv = "recvcounts[rank]*datatype",
	.does = DOES_COLLECT},
[67] = {.name = "MPI_Scan", .args =
	"count:i32:in,datatype:datatype:in,op:op:in,comm:comm:in",
	.size = "count*datatype",
	.recv = "count*datatype"},
[68] = {.name = "MPI_Group_size", .args =
	"group:group:in,size:i32:out"},
[69] = {.name = "MPI_Group_rank", .args =
	"group:group:in,rank:i32:out"},
[70] = {.name = "MPI_Group_translate_ranks", .args =
	"group1:group:in,count:i32:in,ranks1:i32[]:in:len=count,group2:group:in,"
	"ranks2:i32[]:out:len=count"},
[71] = {.name = "MPI_Group_compare", .args =
	"group1:group:in,group2:group:in,result:comparison:out"},
[72] = {.name = "MPI_Comm_group", .args =
	"comm:comm:in,group:group:out"},
[73] = {.name = "MPI_Group_union", .args =
	"group1:group:in,group2:group:in,newgroup:group:out"},
[74] = {.name = "MPI_Group_intersection", .args =
	"group1:group:in,group2:group:in,newgroup:group:out"},
[75] = {.name = "MPI_Group_difference", .args =
	"group1:group:in,group2:group:in,newgroup:group:out"},
[76] = {.name = "MPI_Group_incl", .args =
	"group:group:in,count:i32:in,ranks:i32[]:in:len=count,newgroup:group:out"},
[77] = {.name = "MPI_Group_excl", .args =
	"group:group:in,count:i32:in,ranks:i32[]:in:len=count,newgroup:group:out"},
[78] = {.name = "MPI_Group_range_incl", .args =
	"group:group:in,count:i32:in,ranges:i32[][]:in:len=count/3,newgroup:group:out"},
[79] = {.name = "MPI_Group_range_excl", .args =
	"group:group:in,count:i32:in,ranges:i32[][]:in:len=count/3,newgroup:group:out"},
[80] = {.name = "MPI_Group_free", .args =
	"group:group:in"},
[81] = {.name = "MPI_Comm_size", .args =
	"comm:comm:in,size:i32:out",
	.does = DOES_COMM},
[82] = {.name = "MPI_Comm_rank", .args =
	"comm:comm:in,rank:i32:out",
	.does = DOES_COMM},
[83] = {.name = "MPI_Comm_compare", .args =
	"comm1:comm:in,comm2:comm:in,result:comparison:out"},
[84] = {.name = "MPI_Comm_dup", .args =
	"oldcomm:comm:in,newcomm:comm:out",
	.does = DOES_COMM},
[85] = {.name = "MPI_Comm_create", .args =
	"oldcomm:comm:in,group:group:in,newcomm:comm:out",
	.does = DOES_COMM},
[86] = {.name = "MPI_Comm_split", .args =
	"oldcomm:comm:in,color:i32:in,key:i32:in,newcomm:comm:out",
	.does = DOES_COMM},
[87] = {.name = "MPI_Comm_free", .args =
	"comm:comm:in"},
[88] = {.name = "MPI_Comm_test_inter", .args =
	"comm:comm:in,inter:i32:out",
	.does = DOES_COMM},
[89] = {.name = "MPI_Comm_remote_size", .args =
	"comm:comm:in,size:i32:out",
	.does = DOES_COMM},
[90] = {.name = "MPI_Comm_remote_group", .args =
	"comm:comm:in,group:group:out"},
[91] = {.name = "MPI_Intercomm_create", .args =
	"localcomm:comm:in,localleader:i32:in,remotecomm:comm:in,remoteleader:i32:in,"
	"tag:tag:in,newcomm:comm:out",
	.does = DOES_COMM},
[92] = {.name = "MPI_Intercomm_merge", .args =
	"comm:comm:in,high:i32:in,newcomm:comm:out",
	.does = DOES_COMM},
[93] = {.name = "MPI_Keyval_create", .args =
	"key:keyval:out"},
[94] = {.name = "MPI_Keyval_free", .args =
	"key:keyval:in"},
[95] = {.name = "MPI_Attr_put", .args =
	"comm:comm:in,key:i32:in"},
[96] = {.name = "MPI_Attr_get", .args =
	"comm:comm:in,key:i32:in,flag:i32:out"},
[97] = {.name = "MPI_Attr_delete", .args =
	"comm:comm:in,key:i32:in"},
[98] = {.name = "MPI_Topo_test", .args =
	"comm:comm:in,topo:topology:out"},
[99] = {.name = "MPI_Cart_create", .args =
	"oldcomm:comm:in,ndim:i32:in,dims:i32[]:in:len=ndim,periods:i32[]:in:len=ndim,"
	"reorder:i32:in,newcomm:comm:out",
	.does = DOES_COMM},
[100] = {.name = "MPI_Dims_create", .args =
	"nodes:i32:in,ndim:i32:in,dims.in:i32[]:in:len=ndim,dims.out:i32[]:out:len=ndim"},
[101] = {.name = "MPI_Graph_create", .args =
	"numedges:i32:aux,oldcomm:comm:in,nodes:i32:in,index:i32[]:in:len=nodes,"
	"edges:i32[]:in:len=numedges,reorder:i32:in,newcomm:comm:out",
	.does = DOES_COMM},
[102] = {.name = "MPI_Graphdims_get", .args =
	"comm:comm:in,nodes:i32:out,edges:i32:out"},
[103] = {.name = "MPI_Graph_get", .args =
	"totedges:i32:aux,totnodes:i32:aux,comm:comm:in,maxindex:i32:in,maxedges:i32:in,"
	"index:i32[]:out:len=totnodes,edges:i32[]:out:len=totedges"},
[104] = {.name = "MPI_Cartdim_get", .args =
	"comm:comm:in,ndim:i32:out"},
[105] = {.name = "MPI_Cart_get", .args =
	"ndim:i32:aux,comm:comm:in,maxdims:i32:in,dims:i32[]:out:len=ndim,"
	"periods:i32[]:out:len=ndim,coords:i32[]:out:len=ndim:one<0.6.8"},
[106] = {.name = "MPI_Cart_rank", .args =
	"ndim:i32:aux,comm:comm:in,coords:i32[]:in:len=ndim,rank:i32:out"},
[107] = {.name = "MPI_Cart_coords", .args =
	"ndim:i32:aux,comm:comm:in,rank:i32:in,maxdims:i32:in,coords:i32[]:out:len=ndim"},
[108] = {.name = "MPI_Graph_neighbors_count", .args =
	"comm:comm:in,rank:i32:in,nneigh:i32:out"},
[109] = {.name = "MPI_Graph_neighbors", .args =
	"nneigh:i32:aux,comm:comm:in,rank:i32:in,maxneighbors:i32:in,"
	"neighbors:i32[]:out:len=nneigh"},
[110] = {.name = "MPI_Cart_shift", .args =
	"comm:comm:in,direction:i32:in,displ:i32:in,source:source:out,dest:dest:out"},
[111] = {.name = "MPI_Cart_sub", .args =
	"ndim:i32:aux,oldcomm:comm:in,remain_dims:i32[]:in:len=ndim,newcomm:comm:out",
	.does = DOES_COMM},
[112] = {.name = "MPI_Cart_map", .args =
	"comm:comm:in,ndim:i32:in,dims:i32[]:in:len=ndim,period:i32[]:in:len=ndim,"
	"newrank:i32:out"},
[113] = {.name = "MPI_Graph_map", .args =
	"numedges:i32:aux,comm:comm:in,nodes:i32:in,index:i32[]:in:len=nodes,"
	"edges:i32[]:in:len=numedges,newrank:i32:out"},
[114] = {.name = "MPI_Get_processor_name", .args =
	"name:str32:out:len=resultlen,resultlen:i32:out"},
[115] = {.name = "MPI_Get_version", .args =
	"version:i32:out,subversion:i32:out"},
[116] = {.name = "MPI_Errhandler_create", .args =
	"errhandler:errhandler:out"},
[117] = {.name = "MPI_Errhandler_set", .args =
	"comm:comm:in,errhandler:errhandler:in"},
[118] = {.name = "MPI_Errhandler_get", .args =
	"comm:comm:in,errhandler:errhandler:out"},
[119] = {.name = "MPI_Errhandler_free", .args =
	"errhandler:errhandler:in"},
[120] = {.name = "MPI_Error_string", .args =
	"errorcode:i32:in,errorstring:str32:out:len=resultlen,resultlen:i32:out"},
[121] = {.name = "MPI_Error_class", .args =
	"errorcode:i32:in,errorclass:i32:out"},
[122] = {.name = "MPI_Wtime", .args =
	""},
[123] = {.name = "MPI_Wtick", .args =
	""},
[124] = {.name = "MPI_Init", .args =
	"argc:i32:in,argc2:i32:aux:only<0.6.2,argv:str32*:in:len=argc"},
[125] = {.name = "MPI_Finalize", .args =
	""},
[126] = {.name = "MPI_Initialized", .args =
	"result:i32:out"},
[127] = {.name = "MPI_Abort", .args =
	"comm:comm:in,errorcode:i32:in"},
[128] = {.name = "MPI_Pcontrol", .args =
	""},
[129] = {.name = "MPI_Close_port", .args =
	"portname:str32:in:len=nul"},
[130] = {.name = "MPI_Comm_accept", .args =
	"portname:str32:in:len=nul,info:info:in,root:i32:in,oldcomm:comm:in,"
	"newcomm:comm:out",
	.does = DOES_COMM},
[131] = {.name = "MPI_Comm_connect", .args =
	"portname:str32:in:len=nul,info:info:in,root:i32:in,oldcomm:comm:in,"
	"newcomm:comm:out",
	.does = DOES_COMM},
[132] = {.name = "MPI_Comm_disconnect", .args =
	"comm:comm:in"},
[133] = {.name = "MPI_Comm_get_parent", .args =
	"parent:comm:out",
	.does = DOES_COMM},
[134] = {.name = "MPI_Comm_join", .args =
	"fd:i32:in,comm:comm:out",
	.does = DOES_COMM},
[135] = {.name = "MPI_Comm_spawn", .args =
	"oldcommrank:i32:aux,root:i32:in,oldcomm:comm:in,newcomm:comm:out,"
	"command:str32:in:len=nul:if=oldcommrank==root,"
	"argv:str32[]:in:len=nullterm/nul:if=oldcommrank==root,"
	"maxprocs:i32:in:if=oldcommrank==root,info:info:in:if=oldcommrank==root,"
	"errcodes:errcode[]:out:len=maxprocs:if=oldcommrank==root",
	.print = "oldcommrank,command,argv,maxprocs,info,root,oldcomm,newcomm,errcodes",
	.does = DOES_COMM},
[136] = {.name = "MPI_Comm_spawn_multiple", .args =
	"totprocs:i32:aux,oldcommrank:i32:aux,root:i32:in,oldcomm:comm:in,"
	"newcomm:comm:out,count:i32:in:if=oldcommrank==root,"
	"commands:str32[]:in:len=count/nul:if=oldcommrank==root,"
	"argvs:str32[][]:in:len=count/nullterm/nul:if=oldcommrank==root,"
	"maxprocs:i32[]:in:len=count:if=oldcommrank==root,"
	"info:info[]:in:len=count:if=oldcommrank==root,"
	"errcodes:errcode[]:out:len=totprocs:if=oldcommrank==root",
	.print = "totprocs,oldcommrank,count,commands,argvs,maxprocs,info,root,oldcomm,newcomm,errcodes",
	.does = DOES_COMM},
[137] = {.name = "MPI_Lookup_name", .args =
	"servicename:str32:in:len=nul,info:info:in,portname:str32:out:len=nul"},
[138] = {.name = "MPI_Open_port", .args =
	"info:info:in,portname:str32:out:len=nul"},
[139] = {.name = "MPI_Publish_name", .args =
	"servicename:str32:in:len=nul,info:info:in,portname:str32:in:len=nul"},
[140] = {.name = "MPI_Unpublish_name", .args =
	"servicename:str32:in:len=nul,info:info:in,portname:str32:in:len=nul"},
[141] = {.name = "MPI_Accumulate", .args =
	"origincount:i32:in,origintype:datatype:in,targetrank:i32:in,targetdisp:i32:in,"
	"targetcount:i32:in,targettype:datatype:in,op:op:in,win:win:in",
	.size = "origincount*origintype", .peer = "targetrank"},
[142] = {.name = "MPI_Get", .args =
	"origincount:i32:in,origintype:datatype:in,targetrank:i32:in,targetdisp:i32:in,"
	"targetcount:i32:in,targettype:datatype:in,win:win:in",
	.size = "origincount*origintype", .peer = "targetrank"},
[143] = {.name = "MPI_Put", .args =
	"origincount:i32:in,origintype:datatype:in,targetrank:i32:in,targetdisp:i32:in,"
	"targetcount:i32:in,targettype:datatype:in,win:win:in",
	.size = "origincount*origintype", .peer = "targetrank"},
[144] = {.name = "MPI_Win_complete", .args =
	"win:win:in"},
[145] = {.name = "MPI_Win_create", .args =
	"size:i32:in,dispunit:i32:in,info:info:in,comm:comm:in,win:win:out"},
[146] = {.name = "MPI_Win_fence", .args =
	"assertion:winassert:in,win:win:in"},
[147] = {.name = "MPI_Win_free", .args =
	"win:win:in"},
[148] = {.name = "MPI_Win_get_group", .args =
	"win:win:in,group:group:out"},
[149] = {.name = "MPI_Win_lock", .args =
	"locktype:locktype:in,winrank:i32:in,assertion:winassert:in,win:win:in"},
[150] = {.name = "MPI_Win_post", .args =
	"group:group:in,assertion:winassert:in,win:win:in"},
[151] = {.name = "MPI_Win_start", .args =
	"group:group:in,assertion:winassert:in,win:win:in"},
[152] = {.name = "MPI_Win_test", .args =
	"win:win:in,flag:i32:out"},
[153] = {.name = "MPI_Win_unlock", .args =
	"winrank:i32:in,win:win:in"},
[154] = {.name = "MPI_Win_wait", .args =
	"win:win:in"},
[155] = {.name = "MPI_Alltoallw", .args =
	"commsize:i32:aux,sendcounts:i32[]:in:len=commsize,"
	"senddispls:i32[]:in:len=commsize,sendtypes:datatype[]:in:len=commsize,"
	"recvcounts:i32[]:in:len=commsize,recvdispls:i32[]:in:len=commsize,"
	"recvtypes:datatype[]:in:len=commsize,comm:comm:in",
	.size = "sendcounts*sendtypes|recvcounts*recvtypes",
	.recv = "recvcounts*recvtypes",
	.does = DOES_COLLECT},
[156] = {.name = "MPI_Exscan", .args =
	"count:i32:in,datatype:datatype:in,op:op:in,comm:comm:in",
	.size = "count*datatype",
	.recv = "^count*datatype"},
[157] = {.name = "MPI_Add_error_class", .args =
	"errorclass:i32:out"},
[158] = {.name = "MPI_Add_error_code", .args =
	"errorclass:i32:in,errorcode:i32:out"},
[159] = {.name = "MPI_Add_error_string", .args =
	"errorcode:i32:in,errorstring:str32:in:len=nul"},
[160] = {.name = "MPI_Comm_call_errhandler", .args =
	"comm:comm:in,errorcode:i32:in"},
[161] = {.name = "MPI_Comm_create_keyval", .args =
	"keyval:keyval:out"},
[162] = {.name = "MPI_Comm_delete_attr", .args =
	"comm:comm:in,keyval:keyval:in"},
[163] = {.name = "MPI_Comm_free_keyval", .args =
	"keyval:keyval:in"},
[164] = {.name = "MPI_Comm_get_attr", .args =
	"comm:comm:in,keyval:keyval:in,flag:i32:out"},
[165] = {.name = "MPI_Comm_get_name", .args =
	"comm:comm:in,name:str32:out:len=resultlen,resultlen:i32:out"},
[166] = {.name = "MPI_Comm_set_attr", .args =
	"comm:comm:in,keyval:keyval:in"},
[167] = {.name = "MPI_Comm_set_name", .args =
	"comm:comm:in,name:str32:in:len=nul"},
[168] = {.name = "MPI_File_call_errhandler", .args =
	"file:file:in,errorcode:i32:in"},
[169] = {.name = "MPI_Grequest_complete", .args =
	"request:request:in"},
[170] = {.name = "MPI_Grequest_start", .args =
	"request:request:out",
	.does = DOES_OTHER},
[171] = {.name = "MPI_Init_thread", .args =
	"argc:i32:in,argv:str32*:in:len=argc,required:threadlevel:in,"
	"provided:threadlevel:out"},
[172] = {.name = "MPI_Is_thread_main", .args =
	"flag:i32:out"},
[173] = {.name = "MPI_Query_thread", .args =
	"supported:threadlevel:out"},
[174] = {.name = "MPI_Status_set_cancelled", .args =
	"status:status:in,flag:i32:in"},
[175] = {.name = "MPI_Status_set_elements", .args =
	"status:status:in,datatype:datatype:in,count:i32:in"},
[176] = {.name = "MPI_Type_create_keyval", .args =
	"keyval:keyval:out"},
[177] = {.name = "MPI_Type_delete_attr", .args =
	"datatype:datatype:in,keyval:keyval:in"},
[178] = {.name = "MPI_Type_dup", .args =
	"oldtype:datatype:in,newtype:datatype:out",
	.does = DOES_TYPE},
[179] = {.name = "MPI_Type_free_keyval", .args =
	"keyval:keyval:in"},
[180] = {.name = "MPI_Type_get_attr", .args =
	"datatype:datatype:in,keyval:keyval:in,flag:i32:out"},
[181] = {.name = "MPI_Type_get_contents", .args =
	"numdatatypes:i32:aux,numaddresses:i32:aux,numintegers:i32:aux,"
	"datatype:datatype:in,maxintegers:i32:in,maxaddresses:i32:in,maxdatatypes:i32:in,"
	"arrintegers:i32[]:out:len=numintegers,arraddresses:i32[]:out:len=numaddresses,"
	"arrdatatypes:datatype[]:out:len=numdatatypes"},
[182] = {.name = "MPI_Type_get_envelope", .args =
	"datatype:datatype:in,numintegers:i32:out,numaddresses:i32:out,"
	"numdatatypes:i32:out,combiner:combiner:out"},
[183] = {.name = "MPI_Type_get_name", .args =
	"datatype:datatype:in,name:str32:out:len=nul,resultlen:i32:out"},
[184] = {.name = "MPI_Type_set_attr", .args =
	"datatype:datatype:in,keyval:keyval:in"},
[185] = {.name = "MPI_Type_set_name", .args =
	"datatype:datatype:in,name:str32:in:len=nul"},
[186] = {.name = "MPI_Type_match_size", .args =
	"typeclass:typeclass:in,size:i32:in,datatype:datatype:out",
	.does = DOES_TYPE},
[187] = {.name = "MPI_Win_call_errhandler", .args =
	"win:win:in,errorcode:i32:in"},
[188] = {.name = "MPI_Win_create_keyval", .args =
	"keyval:keyval:out"},
[189] = {.name = "MPI_Win_delete_attr", .args =
	"win:win:in,keyval:keyval:in"},
[190] = {.name = "MPI_Win_free_keyval", .args =
	"keyval:keyval:in"},
[191] = {.name = "MPI_Win_get_attr", .args =
	"win:win:in,keyval:keyval:in,flag:i32:out"},
[192] = {.name = "MPI_Win_get_name", .args =
	"win:win:in,name:str32:out:len=nul,resultlen:i32:out"},
[193] = {.name = "MPI_Win_set_attr", .args =
	"win:win:in,keyval:keyval:in"},
[194] = {.name = "MPI_Win_set_name", .args =
	"win:win:in,name:str32:in:len=nul"},
[195] = {.name = "MPI_Alloc_mem", .args =
	"size:i32:in,info:info:in"},
[196] = {.name = "MPI_Comm_create_errhandler", .args =
	"errhandler:errhandler:out"},
[197] = {.name = "MPI_Comm_get_errhandler", .args =
	"comm:comm:in,errhandler:errhandler:out"},
[198] = {.name = "MPI_Comm_set_errhandler", .args =
	"comm:comm:in,errhandler:errhandler:in"},
[199] = {.name = "MPI_File_create_errhandler", .args =
	"errhandler:errhandler:out"},
[200] = {.name = "MPI_File_get_errhandler", .args =
	"file:file:in,errhandler:errhandler:out"},
[201] = {.name = "MPI_File_set_errhandler", .args =
	"file:file:in,errhandler:errhandler:in"},
[202] = {.name = "MPI_Finalized", .args =
	"flag:i32:out"},
[203] = {.name = "MPI_Free_mem", .args =
	""},
[204] = {.name = "MPI_Get_address", .args =
	"address:i32:out"},
[205] = {.name = "MPI_Info_create", .args =
	"info:info:out"},
[206] = {.name = "MPI_Info_delete", .args =
	"info:info:in,key:str32:in:len=nul"},
[207] = {.name = "MPI_Info_dup", .args =
	"oldinfo:info:in,newinfo:info:out"},
[208] = {.name = "MPI_Info_free", .args =
	"info:info:in"},
[209] = {.name = "MPI_Info_get", .args =
	"info:info:in,key:str32:in:len=nul,valuelength:i32:in,value:str32:out:len=nul,"
	"flag:i32:out"},
[210] = {.name = "MPI_Info_get_nkeys", .args =
	"info:info:in,nkeys:i32:out"},
[211] = {.name = "MPI_Info_get_nthkey", .args =
	"info:info:in,n:i32:in,key:str32:out:len=nul"},
[212] = {.name = "MPI_Info_get_valuelen", .args =
	"info:info:in,key:str32:in:len=nul,valuelen:i32:out,flag:i32:out"},
[213] = {.name = "MPI_Info_set", .args =
	"info:info:in,key:str32:in:len=nul,value:str32:in:len=nul"},
[214] = {.name = "MPI_Pack_external", .args =
	"datarep:str32:in:len=nul,incount:i32:in,intype:datatype:in,outcount:i32:in,"
	"position.in:i32:in,position.out:i32:out"},
[215] = {.name = "MPI_Pack_external_size", .args =
	"datarep:str32:in:len=nul,incount:i32:in,datatype:datatype:in,size:i32:out"},
[216] = {.name = "MPI_Request_get_status", .args =
	"request:request:in,flag:i32:out,status:status:in"},
[217] = {.name = "MPI_Type_create_darray", .args =
	"size:i32:in,rank:i32:in,ndims:i32:in,gsizes:i32[]:in:len=ndims,"
	"distribs:distribution[]:in:len=ndims,dargs:i32[]:in:len=ndims,"
	"psizes:i32[]:in:len=ndims,order:ordering:in,oldtype:datatype:in,"
	"newtype:datatype:out",
	.does = DOES_TYPE},
[218] = {.name = "MPI_Type_create_hindexed", .args =
	"count:i32:in,blocklengths:i32[]:in:len=count,displacements:i32[]:in:len=count,"
	"oldtype:datatype:in,newtype:datatype:out",
	.does = DOES_TYPE},
[219] = {.name = "MPI_Type_create_hvector", .args =
	"count:i32:in,blocklength:i32:in,stride:i32:in,oldtype:datatype:in,"
	"newtype:datatype:out",
	.does = DOES_TYPE},
[220] = {.name = "MPI_Type_create_indexed_block", .args =
	"count:i32:in,blocklength:i32:in,displacments:i32[]:in:len=count,"
	"oldtype:datatype:in,newtype:datatype:out",
	.does = DOES_TYPE},
[221] = {.name = "MPI_Type_create_resized", .args =
	"oldtype:datatype:in,lb:i32:in,extent:i32:in,newtype:datatype:out",
	.does = DOES_TYPE},
[222] = {.name = "MPI_Type_create_struct", .args =
	"count:i32:in,blocklengths:i32[]:in:len=count,displacements:i32[]:in:len=count,"
	"oldtypes:datatype[]:in:len=count,newtype:datatype:out",
	.does = DOES_TYPE},
[223] = {.name = "MPI_Type_create_subarray", .args =
	"ndims:i32:in,sizes:i32[]:in:len=ndims,subsizes:i32[]:in:len=ndims,"
	"starts:i32[]:in:len=ndims,order:ordering:in,oldtype:datatype:in,"
	"newtype:datatype:out",
	.does = DOES_TYPE},
[224] = {.name = "MPI_Type_get_extent", .args =
	"datatype:datatype:in,lb:i32:out,extent:i32:out"},
[225] = {.name = "MPI_Type_get_true_extent", .args =
	"datatype:datatype:in,lb:i32:out,extent:i32:out"},
[226] = {.name = "MPI_Unpack_external", .args =
	"datarep:str32:in:len=nul,insize:i32:in,position.in:i32:in,position.out:i32:out,"
	"outcount:i32:in,datatype:datatype:in"},
[227] = {.name = "MPI_Win_create_errhandler", .args =
	"errhandler:errhandler:out"},
[228] = {.name = "MPI_Win_get_errhandler", .args =
	"win:win:in,errhandler:errhandler:out"},
[229] = {.name = "MPI_Win_set_errhandler", .args =
	"win:win:in,errhandler:errhandler:out"},
[230] = {.name = "MPI_File_open", .args =
	"comm:comm:in,filename:str32:in:len=nul,amode:filemode:in,info:info:in,"
	"file:file:out"},
[231] = {.name = "MPI_File_close", .args =
	"file:file:in"},
[232] = {.name = "MPI_File_delete", .args =
	"filename:str32:in:len=nul,info:info:in"},
[233] = {.name = "MPI_File_set_size", .args =
	"file:file:in,size:i64:in"},
[234] = {.name = "MPI_File_preallocate", .args =
	"file:file:in,size:i64:in"},
[235] = {.name = "MPI_File_get_size", .args =
	"file:file:in,size:i64:out"},
[236] = {.name = "MPI_File_get_group", .args =
	"file:file:in,group:group:out"},
[237] = {.name = "MPI_File_get_amode", .args =
	"file:file:in,amode:filemode:out"},
[238] = {.name = "MPI_File_set_info", .args =
	"file:file:in,info:info:in"},
[239] = {.name = "MPI_File_get_info", .args =
	"file:file:in,info:info:out"},
[240] = {.name = "MPI_File_set_view", .args =
	"file:file:in,offset:i64:in,hosttype:datatype:in,filetype:datatype:in,"
	"datarep:str32:in:len=nul,info:info:in"},
[241] = {.name = "MPI_File_get_view", .args =
	"file:file:in,offset:i64:out,hosttype:datatype:out,filetype:datatype:out,"
	"datarep:str32:out:len=nul"},
[242] = {.name = "MPI_File_read_at", .args =
	"file:file:in,offset:i64:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[243] = {.name = "MPI_File_read_at_all", .args =
	"file:file:in,offset:i64:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[244] = {.name = "MPI_File_write_at", .args =
	"file:file:in,offset:i64:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[245] = {.name = "MPI_File_write_at_all", .args =
	"file:file:in,offset:i64:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[246] = {.name = "MPI_File_iread_at", .args =
	"file:file:in,offset:i64:in,count:i32:in,datatype:datatype:in,"
	"request:iorequest:out",
	.size = "count*datatype"},
[247] = {.name = "MPI_File_iwrite_at", .args =
	"file:file:in,offset:i64:in,count:i32:in,datatype:datatype:in,"
	"request:iorequest:out",
	.size = "count*datatype"},
[248] = {.name = "MPI_File_read", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[249] = {.name = "MPI_File_read_all", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[250] = {.name = "MPI_File_write", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[251] = {.name = "MPI_File_write_all", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[252] = {.name = "MPI_File_iread", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,request:iorequest:out",
	.size = "count*datatype"},
[253] = {.name = "MPI_File_iwrite", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,request:iorequest:out",
	.size = "count*datatype"},
[254] = {.name = "MPI_File_seek", .args =
	"file:file:in,offset:i64:in,whence:whence:in"},
[255] = {.name = "MPI_File_get_position", .args =
	"file:file:in,offset:i64:out"},
[256] = {.name = "MPI_File_get_byte_offset", .args =
	"file:file:in,offset:i64:in,bytes:i64:out"},
[257] = {.name = "MPI_File_read_shared", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[258] = {.name = "MPI_File_write_shared", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[259] = {.name = "MPI_File_iread_shared", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,request:iorequest:out",
	.size = "count*datatype"},
[260] = {.name = "MPI_File_iwrite_shared", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,request:iorequest:out",
	.size = "count*datatype"},
[261] = {.name = "MPI_File_read_ordered", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[262] = {.name = "MPI_File_write_ordered", .args =
	"file:file:in,count:i32:in,datatype:datatype:in,status:status:out",
	.size = "status|count*datatype"},
[263] = {.name = "MPI_File_seek_shared", .args =
	"file:file:in,offset:i64:in,whence:whence:in"},
[264] = {.name = "MPI_File_get_position_shared", .args =
	"file:file:in,offset:i64:out"},
[265] = {.name = "MPI_File_read_at_all_begin", .args =
	"file:file:in,offset:i64:in,count:i32:in,datatype:datatype:in",
	.size = "count*datatype"},
[266] = {.name = "MPI_File_read_at_all_end", .args =
	"file:file:in,status:status:out",
	.size = "status"},
[267] = {.name = "MPI_File_write_at_all_begin", .args =
	"file:file:in,offset:i64:in,count:i32:in,datatype:datatype:in",
	.size = "count*datatype"},
[268] = {.name = "MPI_File_write_at_all_end", .args =
	"file:file:in,status:status:out",
	.size = "status"},
[269] = {.name = "MPI_File_read_all_begin", .args =
	"file:file:in,count:i32:in,datatype:datatype:in",
	.size = "count*datatype"},
[270] = {.name = "MPI_File_read_all_end", .args =
	"file:file:in,status:status:out",
	.size = "status"},
[271] = {.name = "MPI_File_write_all_begin", .args =
	"file:file:in,count:i32:in,datatype:datatype:in",
	.size = "count*datatype"},
[272] = {.name = "MPI_File_write_all_end", .args =
	"file:file:in,status:status:out",
	.size = "status"},
[273] = {.name = "MPI_File_read_ordered_begin", .args =
	"file:file:in,count:i32:in,datatype:datatype:in",
	.size = "count*datatype"},
[274] = {.name = "MPI_File_read_ordered_end", .args =
	"file:file:in,status:status:out",
	.size = "status"},
[275] = {.name = "MPI_File_write_ordered_begin", .args =
	"file:file:in,count:i32:in,datatype:datatype:in",
	.size = "count*datatype"},
[276] = {.name = "MPI_File_write_ordered_end", .args =
	"file:file:in,status:status:out",
	.size = "status"},
[277] = {.name = "MPI_File_get_type_extent", .args =
	"file:file:in,datatype:datatype:in,extent:i32:out"},
[278] = {.name = "MPI_Register_datarep", .args =
	"name:str32:in:len=nul"},
[279] = {.name = "MPI_File_set_atomicity", .args =
	"file:file:in,flag:i32:in"},
[280] = {.name = "MPI_File_get_atomicity", .args =
	"file:file:in,flag:i32:out"},
[281] = {.name = "MPI_File_sync", .args =
	"file:file:in"},
[282] = {.name = "MPIO_Test", .args =
	"request:iorequest:in,flag:i32:out,status:status:in",
	.size = "flag?status"},
[283] = {.name = "MPIO_Wait", .args =
	"request:iorequest:in,status:status:out",
	.size = "status"},
[284] = {.name = "MPIO_Testall", .args =
	"count:i32:in,requests:iorequest[]:in:len=count,flag:i32:out,"
	"statuses:status[]:out:len=count",
	.size = "flag?statuses"},
[285] = {.name = "MPIO_Waitall", .args =
	"count:i32:in,requests:iorequest[]:in:len=count,statuses:status[]:out:len=count",
	.size = "statuses"},
[286] = {.name = "MPIO_Testany", .args =
	"count:i32:in,requests:iorequest[]:in:len=count,flag:i32:out,index:i32:in,"
	"statuses:status[]:out:len=count",
	.size = "flag?statuses",
	.print = "count,requests,index,flag,statuses"},
[287] = {.name = "MPIO_Waitany", .args =
	"count:i32:in,requests:iorequest[]:in:len=count,index:i32:out,"
	"statuses:status[]:out:len=count",
	.size = "statuses"},
[288] = {.name = "MPIO_Waitsome", .args =
	"count:i32:in,requests:iorequest[]:in:len=count,outcount:i32:out,"
	"indices:i32[]:out:len=outcount,statuses:status[]:out:len=outcount",
	.size = "statuses"},
[289] = {.name = "MPIO_Testsome", .args =
	"count:i32:in,requests:iorequest[]:in:len=count,outcount:i32:out,"
	"indices:i32[]:out:len=outcount,statuses:status[]:out:len=outcount",
	.size = "statuses"},
[290] = {.name = "MPI_ALL_FUNCTIONS", .args =
	""},
[291] = {.name = "Function_enter", .args =
	"fn:i64:in"},
[292] = {.name = "Function_exit", .args =
	"fn:i64:in"},
[293] = {.name = "END_OF_STREAM", .args =
	""},
};

/*
 * Constants. What dumpi2ascii writes for a value is what we write, so that a user finds the
 * same word in both.
 */
static const struct label names_topologies[] = {
    {0, "DUMPI_TOPOLOGY_ERROR"},
    {1, "MPI_GRAPH"},
    {2, "MPI_CART"},
    {3, "MPI_UNDEFINED"},
};
static const struct label names_combiners[] = {
    {0, "MPI_COMBINER_ERROR"},
    {1, "MPI_COMBINER_NAMED"},
    {2, "MPI_COMBINER_DUP"},
    {3, "MPI_COMBINER_CONTIGUOUS"},
    {4, "MPI_COMBINER_VECTOR"},
    {5, "MPI_COMBINER_HVECTOR_INTEGER"},
    {6, "MPI_COMBINER_HVECTOR"},
    {7, "MPI_COMBINER_INDEXED"},
    {8, "MPI_COMBINER_HINDEXED_INTEGER"},
    {9, "MPI_COMBINER_HINDEXED"},
    {10, "MPI_COMBINER_INDEXED_BLOCK"},
    {11, "MPI_COMBINER_STRUCT_INTEGER"},
    {12, "MPI_COMBINER_STRUCT"},
    {13, "MPI_COMBINER_SUBARRAY"},
    {14, "MPI_COMBINER_DARRAY"},
    {15, "MPI_COMBINER_F90_REAL"},
    {16, "MPI_COMBINER_F90_COMPLEX"},
    {17, "MPI_COMBINER_F90_INTEGER"},
    {18, "MPI_COMBINER_RESIZED"},
};
static const struct label names_datatypes[] = {
    {0, "MPI_DATATYPE_ERROR"},
    {1, "MPI_DATATYPE_NULL"},
    {2, "MPI_CHAR"},
    {3, "MPI_SIGNED_CHAR"},
    {4, "MPI_UNSIGNED_CHAR"},
    {5, "MPI_BYTE"},
    {6, "MPI_WCHAR"},
    {7, "MPI_SHORT"},
    {8, "MPI_UNSIGNED_SHORT"},
    {9, "MPI_INT"},
    {10, "MPI_UNSIGNED"},
    {11, "MPI_LONG"},
    {12, "MPI_UNSIGNED_LONG"},
    {13, "MPI_FLOAT"},
    {14, "MPI_DOUBLE"},
    {15, "MPI_LONG_DOUBLE"},
    {16, "MPI_LONG_LONG_INT"},
    {17, "MPI_UNSIGNED_LONG_LONG"},
    {18, "MPI_LONG_LONG"},
    {19, "MPI_PACKED"},
    {20, "MPI_LB"},
    {21, "MPI_UB"},
    {22, "MPI_FLOAT_INT"},
    {23, "MPI_DOUBLE_INT"},
    {24, "MPI_LONG_INT"},
    {25, "MPI_SHORT_INT"},
    {26, "MPI_2INT"},
    {27, "MPI_LONG_DOUBLE_INT"},
};
static const struct label names_files[] = {
    {0, "DUMPI_FILE_NULL"},
};
static const struct label names_infos[] = {
    {0, "MPI_INFO_NULL"},
};
static const struct label names_keyvals[] = {
    {0, "MPI_TAG_UB"},
    {1, "MPI_HOST"},
    {2, "MPI_IO"},
    {3, "MPI_WTIME_IS_GLOBAL"},
    {4, "MPI_UNIVERSE_SIZE"},
    {5, "MPI_LASTUSEDCODE"},
    {6, "MPI_APPNUM"},
    {7, "MPI_WIN_BASE"},
    {8, "MPI_WIN_SIZE"},
    {9, "MPI_WIN_DISP_UNIT"},
};
static const struct label names_ops[] = {
    {0, "MPI_OP_ERROR"},
    {1, "MPI_MAX"},
    {2, "MPI_MIN"},
    {3, "MPI_SUM"},
    {4, "MPI_PROD"},
    {5, "MPI_LAND"},
    {6, "MPI_BAND"},
    {7, "MPI_LOR"},
    {8, "MPI_BOR"},
    {9, "MPI_LXOR"},
    {10, "MPI_BXOR"},
    {11, "MPI_MINLOC"},
    {12, "MPI_MAXLOC"},
    {13, "MPI_REPLACE"},
    {14, "MPI_OP_NULL"},
};
static const struct label names_comparisons[] = {
    {0, "MPI_COMPARISON_ERROR"},
    {1, "MPI_IDENT"},
    {2, "MPI_CONGRUENT"},
    {3, "MPI_SIMILAR"},
    {4, "MPI_UNEQUAL"},
};
static const struct label names_groups[] = {
    {0, "MPI_GROUP_ERROR"},
    {1, "MPI_GROUP_NULL"},
    {2, "MPI_GROUP_EMPTY"},
};
static const struct label names_comms[] = {
    {0, "MPI_COMM_ERROR"},
    {1, "MPI_COMM_NULL"},
    {2, "MPI_COMM_WORLD"},
    {3, "MPI_COMM_SELF"},
};
static const struct label names_requests[] = {
    {0, "MPI_REQUEST_ERROR"},
    {1, "MPI_REQUEST_NULL"},
};
static const struct label names_io_requests[] = {
    {0, "MPIO_REQUEST_ERROR"},
    {1, "MPIO_REQUEST_NULL"},
};
static const struct label names_distributions[] = {
    {0, "MPI_DISTRIBUTION_ERROR"},
    {1, "MPI_DISTRIBUTE_BLOCK"},
    {2, "MPI_DISTRIBUTE_CYCLIC"},
    {3, "MPI_DISTRIBUTE_NONE"},
    {4, "MPI_DISTRIBUTE_DFLT_DARG"},
};
static const struct label names_errhandlers[] = {
    {0, "DUMPI_ERRHANDLER_ERROR"},
    {1, "MPI_ERRHANDLER_NULL"},
};
static const struct label names_filemode[] = {
    {0, "DUMPI_FILEMODE_ERROR"},
    {1, "MPI_MODE_RDONLY"},
    {2, "MPI_MODE_RDWR"},
    {3, "MPI_MODE_WRONLY"},
    {4, "MPI_MODE_CREATE"},
    {5, "MPI_MODE_EXCL"},
    {6, "MPI_MODE_DELETE_ON_CLOSE"},
    {7, "MPI_MODE_UNIQUE_OPEN"},
    {8, "MPI_MODE_SEQUENTIAL"},
    {9, "MPI_MODE_APPEND"},
};
static const struct label names_locktypes[] = {
    {0, "DUMPI_LOCKTYPE_ERROR"},
    {1, "MPI_LOCK_SHARED"},
    {2, "MPI_LOCK_EXCLUSIVE"},
};
static const struct label names_orderings[] = {
    {0, "DUMPI_ORDERING_ERROR"},
    {1, "MPI_ORDER_C"},
    {2, "MPI_ORDER_FORTRAN"},
};
static const struct label names_threadlevels[] = {
    {0, "DUMPI_THREADLEVEL_ERROR"},
    {1, "MPI_THREAD_SINGLE"},
    {2, "MPI_THREAD_FUNNELED"},
    {3, "MPI_THREAD_SERIALIZED"},
    {4, "MPI_THREAD_MULTIPLE"},
};
static const struct label names_typeclasses[] = {
    {0, "DUMPI_TYPECLASS_ERROR"},
    {1, "MPI_TYPECLASS_REAL"},
    {2, "MPI_TYPECLASS_INTEGER"},
    {3, "MPI_TYPECLASS_COMPLEX"},
};
static const struct label names_wins[] = {
    {0, "DUMPI_WIN_NULL"},
};
static const struct label names_whence[] = {
    {0, "DUMPI_WHENCE_ERROR"},
    {1, "MPI_SEEK_SET"},
    {2, "MPI_SEEK_CUR"},
    {3, "MPI_SEEK_END"},
};
static const struct label names_win_assert[] = {
    {0, "DUMPI_MODE_NONE"},
    {1, "MPI_MODE_NOCHECK"},
    {2, "MPI_MODE_NOSTORE"},
    {3, "MPI_MODE_NOCHECK|MPI_MODE_NOSTORE"},
    {4, "MPI_MODE_NOPUT"},
    {5, "MPI_MODE_NOCHECK|MPI_MODE_NOPUT"},
    {6, "MPI_MODE_NOSTORE|MPI_MODE_NOPUT"},
    {7, "MPI_MODE_NOCHECK|MPI_MODE_NOSTORE|MPI_MODE_NOPUT"},
    {8, "MPI_MODE_NOPRECEDE"},
    {9, "MPI_MODE_NOCHECK|MPI_MODE_NOPRECEDE"},
    {10, "MPI_MODE_NOSTORE|MPI_MODE_NOPRECEDE"},
    {11, "MPI_MODE_NOCHECK|MPI_MODE_NOSTORE|MPI_MODE_NOPRECEDE"},
    {12, "MPI_MODE_NOPUT|MPI_MODE_NOPRECEDE"},
    {13, "MPI_MODE_NOCHECK|MPI_MODE_NOPUT|MPI_MODE_NOPRECEDE"},
    {14, "MPI_MODE_NOSTORE|MPI_MODE_NOPUT|MPI_MODE_NOPRECEDE"},
    {15, "MPI_MODE_NOCHECK|MPI_MODE_NOSTORE|MPI_MODE_NOPUT|MPI_MODE_NOPRECEDE"},
    {16, "MPI_MODE_NOSUCCEED"},
    {17, "MPI_MODE_NOCHECK|MPI_MODE_NOSUCCEED"},
    {18, "MPI_MODE_NOSTORE|MPI_MODE_NOSUCCEED"},
    {19, "MPI_MODE_NOCHECK|MPI_MODE_NOSTORE|MPI_MODE_NOSUCCEED"},
    {20, "MPI_MODE_NOPUT|MPI_MODE_NOSUCCEED"},
    {21, "MPI_MODE_NOCHECK|MPI_MODE_NOPUT|MPI_MODE_NOSUCCEED"},
    {22, "MPI_MODE_NOSTORE|MPI_MODE_NOPUT|MPI_MODE_NOSUCCEED"},
    {23, "MPI_MODE_NOCHECK|MPI_MODE_NOSTORE|MPI_MODE_NOPUT|MPI_MODE_NOSUCCEED"},
    {24, "MPI_MODE_NOPRECEDE|MPI_MODE_NOSUCCEED"},
    {25, "MPI_MODE_NOCHECK|MPI_MODE_NOPRECEDE|MPI_MODE_NOSUCCEED"},
    {26, "MPI_MODE_NOSTORE|MPI_MODE_NOPRECEDE|MPI_MODE_NOSUCCEED"},
    {27, "MPI_MODE_NOCHECK|MPI_MODE_NOSTORE|MPI_MODE_NOPRECEDE|MPI_MODE_NOSUCCEED"},
    {28, "MPI_MODE_NOPUT|MPI_MODE_NOPRECEDE|MPI_MODE_NOSUCCEED"},
    {29, "MPI_MODE_NOCHECK|MPI_MODE_NOPUT|MPI_MODE_NOPRECEDE|MPI_MODE_NOSUCCEED"},
    {30, "MPI_MODE_NOSTORE|MPI_MODE_NOPUT|MPI_MODE_NOPRECEDE|MPI_MODE_NOSUCCEED"},
    {31, "MPI_MODE_NOCHECK|MPI_MODE_NOSTORE|MPI_MODE_NOPUT|MPI_MODE_NOPRECEDE|MPI_MODE_NOSUCCEED"},
};
static const struct label names_dest[] = {
    {-2, "MPI_ROOT"},
};
static const struct label names_source[] = {
    {-2, "MPI_ROOT"},
    {-1, "MPI_ANY_SOURCE"},
};
static const struct label names_tag[] = {
    {-1, "MPI_ANY_TAG"},
};

#define NAMES(v) {v, sizeof v / sizeof *v}

/*
 * Types of arguments: bytes of one, kind of argument in an event, how dumpi2ascii calls it,
 * its constants, and dumpi2ascii's word for a value above the named ones and below them.
 */
static const struct dumpi_type dumpi_types[] = {
    {"i32", 4, K_I32, "int", {0}, NULL, NULL},
    {"i64", 8, K_I64, "int64_t", {0}, NULL, NULL},
    {"comm", 2, K_I16, "MPI_Comm", NAMES(names_comms), "user-defined-comm", "user-defined-comm"},
    {"group", 2, K_I16, "MPI_Group", NAMES(names_groups), "user-defined-group", "user-defined-group"},
    {"datatype", 2, K_I16, "MPI_Datatype", NAMES(names_datatypes), "user-defined-datatype", "user-defined-datatype"},
    {"errhandler", 2, K_I16, "int", NAMES(names_errhandlers), "user-defined-errhandler", "DUMPI_ERRHANDLER_ERROR"},
    {"file", 2, K_I16, "MPI_File", NAMES(names_files), "user-file", "user-file"},
    {"info", 2, K_I16, "MPI_Info", NAMES(names_infos), "user-info", "MPI_INFO_NULL"},
    {"keyval", 2, K_I16, "int", NAMES(names_keyvals), "user-defined-keyval", "user-defined-keyval"},
    {"win", 2, K_I16, "int", NAMES(names_wins), "user-defined-win", "user-defined-win"},
    {"request", 4, K_I32, "MPI_Request", NAMES(names_requests), NULL, NULL},
    {"iorequest", 4, K_I32, "MPIO_Request", NAMES(names_io_requests), NULL, NULL},
    {"dest", 4, K_I32, "int", NAMES(names_dest), NULL, NULL},
    {"source", 4, K_I32, "int", NAMES(names_source), NULL, NULL},
    {"tag", 4, K_I32, "int", NAMES(names_tag), NULL, NULL},
    {"op", 1, K_U8, "MPI_Op", NAMES(names_ops), "user-defined-op", "user-defined-op"},
    {"combiner", 1, K_U8, "int", NAMES(names_combiners), "DUMPI_COMBINER_ERROR", "DUMPI_COMBINER_ERROR"},
    {"comparison", 1, K_I8, "int", NAMES(names_comparisons), "undefined-comparison", "undefined-comparison"},
    {"distribution", 1, K_U8, "int", NAMES(names_distributions), NULL, NULL},
    {"filemode", 1, K_U8, "int", NAMES(names_filemode), "DUMPI_FILEMODE_ERROR", "DUMPI_FILEMODE_ERROR"},
    {"locktype", 1, K_U8, "int", NAMES(names_locktypes), "DUMPI_LOCKTYPE_ERROR", "DUMPI_LOCKTYPE_ERROR"},
    {"ordering", 1, K_I8, "int", NAMES(names_orderings), "DUMPI_ORDERING_ERROR", "DUMPI_ORDERING_ERROR"},
    {"threadlevel", 1, K_U8, "int", NAMES(names_threadlevels), "DUMPI_THREADLEVEL_ERROR", "DUMPI_THREADLEVEL_ERROR"},
    {"topology", 1, K_U8, "int", NAMES(names_topologies), "DUMPI_TOPOLOGY_ERROR", "DUMPI_TOPOLOGY_ERROR"},
    {"typeclass", 1, K_U8, "int", NAMES(names_typeclasses), "DUMPI_TYPECLASS_ERROR", "DUMPI_TYPECLASS_ERROR"},
    {"whence", 1, K_U8, "int", NAMES(names_whence), "DUMPI_WHENCE_ERROR", "DUMPI_WHENCE_ERROR"},
    {"winassert", 1, K_U8, "int", NAMES(names_win_assert), "DUMPI_MODE_ERROR", "DUMPI_MODE_ERROR"},
    {"errcode", 4, K_I32, "int", {0}, NULL, NULL},
    {"str32", 0, K_STR, "string", {0}, NULL, NULL},
    {"status", 0, K_I32, "MPI_Status", {0}, NULL, NULL},
};
