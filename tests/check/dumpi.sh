# shellcheck shell=bash
# The rules of DUMPI and MPI: `rule ID BAD GOOD [OPTIONS]`. A word is the calls of rank 0, of rank 1 and so on, with | between
# ranks and ; between calls: NAME[@SIZE][~START/DURATION][^THREAD] ARGUMENTS. Or file: and the arguments of dumpi_file.py;
# files: and those of several files, with ; between them.
W=comm=MPI_COMM_WORLD
INT='count=1 datatype=MPI_INT'
TO0="$INT dest=0 tag=5 $W"
TO1="$INT dest=1 tag=5 $W"
FROM0="$INT source=0 tag=5 $W"
GOT='status.bytes=4 status.source=0 status.cancelled=0 status.error=0 status.tag=5'
INIT=124/0b/1/2/00000000 SIZE=000200000001
rule dumpi-magic 'files: t-0000.bin ; t-0001.bin magic=ffaadd44554d504a cut=4' 'file:'
rule dumpi-empty 'files: t-0000.bin cut=0' 'file:'
rule dumpi-index 'file: index=0' 'file:'
rule dumpi-index-order 'file: header=1000000' 'file:'
rule dumpi-sections 'file: spare=8' 'file:'
rule dumpi-sections 'file: header=4' 'file:'
rule dumpi-end 'file: end=' 'file:'
rule dumpi-torn 'file: cut=60' 'file:'
rule dumpi-call "file: records=$INIT,81/0b/3/4/$SIZE,300/0b/5/6/,125/0b/5/6/" "file: records=$INIT,81/0b/3/4/$SIZE,125/0b/5/6/"
rule dumpi-mask "file: records=$INIT,81/1b/3/4/$SIZE,125/0b/5/6/" 'file:'
rule dumpi-mask-same "file: records=$INIT,81/4b/3/4/$SIZE,125/0b/5/6/" "file: records=$INIT,81/09/3/4/$SIZE,125/0b/5/6/"
rule dumpi-array-count "Init; Isend@4 $TO0 request=2; Waitall count=2 requests=2 statuses.bytes=; Finalize" "Init; Isend@4 $TO0 request=2; Waitall count=1 requests=2 statuses.bytes=; Finalize"
rule dumpi-status-count "Init; Isend@4 $TO0 request=2; Waitall count=1 requests=2 statuses.bytes=1,2; Finalize" "Init; Isend@4 $TO0 request=2; Waitall count=1 requests=2 statuses.bytes=1; Finalize"
rule dumpi-nsec "file: records=$INIT,81/0b/3/2000000000/$SIZE,125/0b/5/6/" 'file:'
rule dumpi-stop-start 'Init; Wtime~5.0/-1.0; Finalize' 'Init; Wtime~5.0/0.0; Finalize'
rule dumpi-time-order 'Init; Wtime~5.0/4.0; Wtime~6.0/1.0; Finalize~9.0/0.5' 'Init; Wtime~5.0/4.0^1; Wtime~6.0/1.0; Finalize~9.0/0.5'
rule dumpi-overlap 'Init; Wtime~5.0/4.0; Wtime~6.0/4.0; Finalize~19.0/0.5' 'Init; Wtime~5.0/4.0; Wtime~9.0/4.0; Finalize~19.0/0.5'
rule dumpi-rollover 'Init; Wtime~65000.0/4.0; Finalize~66000.0/0.5' 'Init; Wtime~64000.0/4.0; Finalize~66000.0/0.5'
rule dumpi-footer-magic 'file: footer=00000000f007fee8' 'file:'
rule dumpi-footer-count 'file: count=1' 'file:'
rule dumpi-footer-count 'file: total=1' 'file:'
rule dumpi-enum 'Init; Comm_compare comm1=MPI_COMM_WORLD comm2=MPI_COMM_WORLD result=9; Finalize' 'Init; Comm_compare comm1=MPI_COMM_WORLD comm2=MPI_COMM_WORLD result=MPI_IDENT; Finalize'
rule dumpi-enum "Init; Bcast count=1 datatype=MPI_DATATYPE_ERROR root=0 $W; Finalize" "Init; Bcast count=0 datatype=MPI_DATATYPE_NULL root=0 $W; Finalize"
rule dumpi-version 'file: version=99.0.0' 'file:'
rule dumpi-start 'file: start=0' 'file:'
rule dumpi-start 'files: t-0000.bin start=1700000000 ; t-0001.bin start=1700100000' 'files: t-0000.bin start=1700000000 ; t-0001.bin start=1700000001'
rule dumpi-strings 'file: host=' 'file:'
rule dumpi-perf-labels "file: records=$INIT,81/8b/3/4/010000000000000001000000000000000200$SIZE,125/0b/5/6/" 'file:'
rule dumpi-funcs 'Init; Function_exit fn=0x1000 name=a; Finalize' 'Init; Function_enter fn=0x1000 name=a; Function_exit fn=0x1000 name=a; Finalize'
rule dumpi-funcs 'Init; Function_enter fn=0x1000; Function_exit fn=0x1000 name=a; Finalize' 'Init; Finalize'
rule dumpi-sizes "file: records=$INIT,35/0b/3/4/0000000200090028,125/0b/5/6/" 'file:'
rule dumpi-meta 'files: t-0000.bin ; t.meta numprocs=2' 'files: t-0000.bin ; t.meta numprocs=1'
rule dumpi-meta 'files: t-0000.bin ; t.meta numprocs=1 fileprefix=u' 'files: t-0000.bin ; t.meta numprocs=1 fileprefix=/home/t'
rule dumpi-ranks 'files: t-0000.bin ; t-0002.bin' 'files: t-0000.bin ; t-0001.bin'
rule dumpi-version-set 'files: t-0000.bin ; t-0001.bin user=x' 'files: t-0000.bin ; t-0001.bin host=x'
rule mpi-init-first "Comm_size $W size=1; Init; Finalize" 'Initialized result=0; Init; Finalize'
rule mpi-init-once 'Init; Init; Finalize' 'Init_thread provided=MPI_THREAD_SINGLE; Finalize'
rule mpi-finalize-last "Init; Finalize; Comm_size $W size=1" 'Init; Finalize; Finalized flag=1'
rule mpi-finalize-missing 'Init' "Init; Abort $W errorcode=1"
rule mpi-abort "Init; Abort $W errorcode=1" 'Init; Finalize'
rule mpi-req-leak "Init; Irecv@4 $FROM0 request=2; Finalize" "Init; Irecv@4 $FROM0 request=2; Wait request=2 status.bytes=; Finalize"
rule mpi-req-unknown 'Init; Wait request=7; Finalize' 'Init; Grequest_start request=7; Wait request=7; Finalize'
rule mpi-req-twice "Init; Isend@4 $TO0 request=2; Wait request=2; Wait request=2; Finalize" "Init; Isend@4 $TO0 request=2; Isend@4 $TO0 request=2; Wait request=2; Wait request=2; Finalize"
rule mpi-req-overwrite "Init; Irecv@4 $FROM0 request=2; Irecv@4 $FROM0 request=2; Finalize" "Init; Irecv@4 $FROM0 request=2; Irecv@4 $FROM0 request=3; Finalize"
rule mpi-req-start "Init; Isend@4 $TO0 request=2; Start request=2; Finalize" "Init; Send_init $TO0 request=2 bytes=4; Start request=2; Wait request=2; Start request=2; Finalize"
rule mpi-req-persistent "Init; Send_init $TO0 request=2 bytes=4; Finalize" "Init; Send_init $TO0 request=2 bytes=4; Request_free request=2; Finalize"
rule mpi-req-free-recv "Init; Irecv@4 $FROM0 request=2; Request_free request=2; Finalize" "Init; Irecv@4 $FROM0 request=2; Cancel request=2; Request_free request=2; Finalize"
rule mpi-req-index "Init; Waitany count=1 requests=MPI_REQUEST_NULL index=4 status.bytes=; Finalize" "Init; Waitany count=1 requests=MPI_REQUEST_NULL index=-32766 status.bytes=; Finalize"
rule mpi-count "Init; Bcast count=-1 datatype=MPI_INT root=0 $W; Finalize" "Init; Bcast count=0 datatype=MPI_INT root=0 $W; Finalize"
rule mpi-rank "Init; Comm_size $W size=1; Send@4 $INT dest=9 tag=5 $W; Finalize" "Init; Comm_size $W size=1; Send@4 $INT dest=-2 tag=5 $W; Finalize"
rule mpi-tag "Init; Send@4 $INT dest=0 tag=-5 $W; Finalize" "Init; Recv $INT source=0 tag=MPI_ANY_TAG $W; Finalize"
rule mpi-any-send "Init; Send@4 $INT dest=0 tag=MPI_ANY_TAG $W; Finalize" "Init; Recv $INT source=0 tag=MPI_ANY_TAG $W; Finalize"
rule mpi-type-commit "Init; Type_contiguous count=2 oldtype=MPI_INT newtype=28; Bcast count=1 datatype=28 root=0 $W; Finalize" "Init; Type_contiguous count=2 oldtype=MPI_INT newtype=28; Type_commit datatype=28; Bcast count=1 datatype=28 root=0 $W; Finalize"
rule mpi-type-freed "Init; Type_contiguous count=2 oldtype=MPI_INT newtype=28; Type_free datatype=28; Type_commit datatype=28; Finalize" "Init; Type_contiguous count=2 oldtype=MPI_INT newtype=28; Type_free datatype=28; Type_contiguous count=2 oldtype=MPI_INT newtype=28; Type_commit datatype=28; Finalize"
rule mpi-type-leak 'Init; Type_contiguous count=2 oldtype=MPI_INT newtype=28; Finalize' 'Init; Type_contiguous count=2 oldtype=MPI_INT newtype=28; Type_free datatype=28; Finalize'
rule mpi-type-basic 'Init; Type_free datatype=MPI_INT; Finalize' 'Init; Type_commit datatype=MPI_INT; Finalize'
rule mpi-comm-freed "Init; Comm_dup oldcomm=MPI_COMM_WORLD newcomm=4; Comm_free comm=4; Barrier comm=4; Finalize" "Init; Comm_dup oldcomm=MPI_COMM_WORLD newcomm=4; Barrier comm=4; Comm_free comm=4; Finalize"
rule mpi-comm-leak 'Init; Comm_dup oldcomm=MPI_COMM_WORLD newcomm=4; Finalize' 'Init; Comm_dup oldcomm=MPI_COMM_WORLD newcomm=4; Comm_disconnect comm=4; Finalize'
rule mpi-comm-size "Init; Comm_size $W size=2; Finalize" "Init; Comm_size $W size=2; Finalize | Init; Finalize"
rule mpi-comm-size "Init; Comm_rank $W rank=1; Finalize" "Init; Comm_rank $W rank=0; Finalize"
rule mpi-handle-freed "Init; Op_create commute=1 op=15; Op_free op=15; Allreduce@4 $INT op=15 $W recv_bytes=4; Finalize" "Init; Op_create commute=1 op=15; Allreduce@4 $INT op=15 $W recv_bytes=4; Finalize"
rule mpi-handle-leak 'Init; Comm_group comm=MPI_COMM_WORLD group=3; Finalize' 'Init; Comm_group comm=MPI_COMM_WORLD group=3; Group_free group=3; Finalize'
rule mpi-buffer "Init; Bsend@4 $TO0; Finalize" "Init; Buffer_attach size=100; Bsend@4 $TO0; Buffer_detach size=100; Finalize"
rule mpi-buffer "Init; Buffer_attach size=1; Bsend@4 $TO0; Buffer_detach size=1; Finalize" 'Init; Buffer_attach size=1; Buffer_detach size=1; Finalize'
rule mpi-buffer 'Init; Buffer_attach size=1; Finalize' 'Init; Finalize'
rule mpi-recv-truncate "Init; Recv $FROM0 ${GOT/4/8}; Finalize" "Init; Recv $FROM0 $GOT; Finalize"
rule mpi-recv-truncate "Init; Irecv@4 $FROM0 request=2; Wait request=2 ${GOT/4/8}; Finalize" "Init; Irecv@4 $FROM0 request=2; Wait request=2 $GOT; Finalize"
rule mpi-status-envelope "Init; Recv $FROM0 ${GOT%5}6; Finalize" "Init; Recv $INT source=0 tag=MPI_ANY_TAG $W ${GOT%5}6; Finalize"
rule mpi-status-multiple "Init; Recv $FROM0 ${GOT/4/2}; Finalize" "Init; Recv $FROM0 $GOT; Finalize"
rule mpi-thread-level 'Init_thread provided=MPI_THREAD_SINGLE; Wtime^1; Finalize' 'Init_thread provided=MPI_THREAD_MULTIPLE; Wtime^1; Finalize'
rule mpi-thread-level 'Init_thread provided=MPI_THREAD_SERIALIZED; Wtime~5.0/4.0^1; Wtime~6.0/1.0; Finalize~19.0/0.5' 'Init_thread provided=MPI_THREAD_SERIALIZED; Wtime~5.0/4.0^1; Wtime~9.0/1.0; Finalize~19.0/0.5'
PUT="origincount=1 origintype=MPI_INT targetrank=0 targetdisp=0 targetcount=1 targettype=MPI_INT win=1"
rule mpi-rma-epoch "Init; Win_create size=8 dispunit=1 info=MPI_INFO_NULL $W win=1; Put@4 $PUT; Finalize" "Init; Win_create size=8 dispunit=1 info=MPI_INFO_NULL $W win=1; Win_fence assertion=DUMPI_MODE_NONE win=1; Put@4 $PUT; Finalize"
rule mpi-send-self "Init; Send@4 $TO0; Recv $FROM0 $GOT; Finalize" "Init; Irecv@4 $FROM0 request=2; Send@4 $TO0; Wait request=2 $GOT; Finalize"
BCAST="datatype=MPI_INT root=0 $W"
rule mpi-coll-order "Init; Barrier $W; Finalize | Init; Bcast count=1 $BCAST recv_bytes=4; Finalize" "Init; Barrier $W; Finalize | Init; Barrier $W; Finalize"
rule mpi-coll-root "Init; Bcast@4 count=1 $BCAST; Finalize | Init; Bcast@4 count=1 ${BCAST/root=0/root=1}; Finalize" "Init; Bcast@4 count=1 $BCAST; Finalize | Init; Bcast count=1 $BCAST recv_bytes=4; Finalize"
rule mpi-coll-op "Init; Allreduce@4 $INT op=MPI_SUM $W recv_bytes=4; Finalize | Init; Allreduce@4 $INT op=MPI_MAX $W recv_bytes=4; Finalize" "Init; Op_create commute=1 op=15; Allreduce@4 $INT op=15 $W recv_bytes=4; Finalize | Init; Op_create commute=1 op=15; Op_create commute=1 op=16; Allreduce@4 $INT op=16 $W recv_bytes=4; Finalize"
rule mpi-coll-size "Init; Bcast@4 count=1 $BCAST; Finalize | Init; Bcast count=2 $BCAST recv_bytes=8; Finalize" "Init; Bcast@4 count=1 $BCAST; Finalize | Init; Bcast count=1 $BCAST recv_bytes=4; Finalize"
V="commsize=2 sendtype=MPI_INT recvtype=MPI_INT $W"
rule mpi-coll-size "Init; Alltoallv@8 $V recv_bytes=8; Finalize | Init; Alltoallv@8 $V recv_bytes=12; Finalize" "Init; Alltoallv@4 $V recv_bytes=8; Finalize | Init; Alltoallv@12 $V recv_bytes=8; Finalize"
rule mpi-coll-type "Init; Bcast@4 count=1 $BCAST; Finalize | Init; Bcast count=1 ${BCAST/INT/FLOAT} recv_bytes=4; Finalize" "Init; Bcast@4 count=1 $BCAST; Finalize | Init; Bcast count=4 ${BCAST/INT/BYTE} recv_bytes=4; Finalize"
rule mpi-coll-missing "Init; Barrier $W; Finalize | Init; Finalize" "Init; Barrier $W; Finalize | Init; Barrier $W; Finalize" '-I mpi-coll-order'
rule mpi-msg-lost "Init; Send@4 $TO1; Finalize | Init; Finalize" "Init; Send@4 $TO1; Finalize | Init; Recv@4 $FROM0 $GOT; Finalize"
rule mpi-msg-unsent "Init; Finalize | Init; Recv@4 $FROM0 $GOT; Finalize" "Init; Send@4 $TO1; Finalize | Init; Recv@4 $FROM0 $GOT; Finalize"
rule mpi-msg-truncate "Init; Send@8 ${TO1/count=1/count=2}; Finalize | Init; Recv $FROM0; Finalize" "Init; Send@4 $TO1; Finalize | Init; Recv ${FROM0/count=1/count=2}; Finalize"
rule mpi-msg-size "Init; Send@4 $TO1; Finalize | Init; Recv@4 $FROM0 ${GOT/4/2}; Finalize" "Init; Send@4 $TO1; Finalize | Init; Recv@4 $FROM0 $GOT; Finalize"
rule mpi-msg-type "Init; Send@4 $TO1; Finalize | Init; Recv@4 ${FROM0/INT/FLOAT} $GOT; Finalize" "Init; Send@4 $TO1; Finalize | Init; Recv@4 ${FROM0/INT/BYTE} ${GOT/4/1}; Finalize"
rule mpi-msg-early "Init; Send@4~9.0/0.5 $TO1; Finalize~10.0/0.5 | Init; Recv@4~1.0/0.5 $FROM0 $GOT; Finalize~11.0/0.5" "Init; Send@4 $TO1; Finalize | Init; Recv@4 $FROM0 $GOT; Finalize"
rule mpi-deadlock "Init; Send@4 $TO1; Recv ${FROM0/source=0/source=1}; Finalize | Init; Send@4 $TO0; Recv $FROM0; Finalize" "Init; Irecv@4 ${FROM0/source=0/source=1} request=2; Send@4 $TO1; Wait request=2; Finalize | Init; Send@4 $TO0; Recv $FROM0; Finalize"
