/*
 * ovni_events.h - every event of ovni's eight models, as of release 1.14.0: the one table
 * that decodes, names, pairs and documents them. To be included with ROW defined.
 *
 *	ROW(MCV, leave, kind, name, fields, about)
 *
 * kind     STATE: the event enters a state, and `leave` leaves it, with the same fields;
 *          VALUE begins one that lasts until the next of its channel; POINT does none of
 *          that
 * name     ours, for -N: of a state without the .enter and .leave that its events get;
 *          with / both events' last words
 * fields   packed from the payload's start; those of a jumbo event lie behind its size. str
 *          ends with a NUL; [] has as many as the metadata name
 *
 * VHa and VHA are of old releases, which say with them what VAa and VAe say now: no state.
 * Releases before nosv 2.0.0 wrote VTx, VTe, VTp and VTr without bodyid: the payload tells.
 */
/* clang-format off */
/* nanos6 */
ROW("6Yc", "", POINT, "nanos6.type.create", "u32 typeid:jumbo, str label",
    "Names a type of tasks.")
ROW("6Tc", "", POINT, "nanos6.task.create", "u32 taskid, u32 typeid",
    "Creates a task of a type.")
ROW("6Tx", "6Te", STATE, "nanos6.task.execute/end", "u32 taskid",
    "Executes a task, up to its end.")
ROW("6Tp", "", POINT, "nanos6.task.pause", "u32 taskid", "Pauses the running task.")
ROW("6Tr", "", POINT, "nanos6.task.resume", "u32 taskid", "Resumes a paused task.")
ROW("6W[", "6W]", STATE, "nanos6.worker.loop", "", "Is in the main loop of a worker.")
ROW("6Wt", "6WT", STATE, "nanos6.worker.handle-task", "",
    "Deals with one task, from fetching it to its clean-up.")
ROW("6Ww", "6WW", STATE, "nanos6.worker.switch-to", "",
    "Hands its processor to another thread.")
ROW("6Wm", "6WM", STATE, "nanos6.worker.migrate", "", "Moves itself to another processor.")
ROW("6Ws", "6WS", STATE, "nanos6.worker.suspend", "",
    "Sleeps until another thread wakes it.")
ROW("6Wr", "6WR", STATE, "nanos6.worker.resume", "", "Wakes another thread.")
ROW("6Wg", "6WG", STATE, "nanos6.worker.sponge", "",
    "Soaks up system noise instead of working.")
ROW("6W*", "", POINT, "nanos6.worker.wake", "", "Wakes an idle processor.")
ROW("6Pp", "", VALUE, "nanos6.progress.progressing", "",
    "The thread makes progress with the program's work.")
ROW("6Pr", "", VALUE, "nanos6.progress.resting", "",
    "The thread rests: there is nothing to do.")
ROW("6Pa", "", VALUE, "nanos6.progress.absorbing", "", "The thread absorbs noise.")
ROW("6C[", "6C]", STATE, "nanos6.task.creating", "", "Creates a task.")
ROW("6U[", "6U]", STATE, "nanos6.task.submit", "",
    "Submits a task, so that it may run once it is ready.")
ROW("6F[", "6F]", STATE, "nanos6.function.spawn", "", "Spawns a function as a task.")
ROW("6t[", "6t]", STATE, "nanos6.task.body", "",
    "Runs the code that the user wrote for a task.")
ROW("6O[", "6O]", STATE, "nanos6.taskfor.body", "", "Runs the user's code of a taskfor.")
ROW("6Ma", "6MA", STATE, "nanos6.memory.alloc", "", "Allocates memory.")
ROW("6Mf", "6MF", STATE, "nanos6.memory.free", "", "Frees memory.")
ROW("6Dr", "6DR", STATE, "nanos6.deps.register", "", "Registers what a task depends on.")
ROW("6Du", "6DU", STATE, "nanos6.deps.unregister", "",
    "Releases what a finished task held back.")
ROW("6S[", "6S]", STATE, "nanos6.scheduler.serve", "",
    "Holds the scheduler's lock and hands tasks to others.")
ROW("6Sa", "6SA", STATE, "nanos6.scheduler.add-ready", "",
    "Gives a ready task to the scheduler.")
ROW("6Sp", "6SP", STATE, "nanos6.scheduler.process-ready", "",
    "Takes ready tasks over from the scheduler's queues.")
ROW("6S@", "", POINT, "nanos6.scheduler.self-assign", "",
    "Gives a task to itself while it serves.")
ROW("6Sr", "", POINT, "nanos6.scheduler.receive", "",
    "Gets a task from the thread that serves.")
ROW("6Ss", "", POINT, "nanos6.scheduler.send", "", "Sends a task to a waiting thread.")
ROW("6Bb", "6BB", STATE, "nanos6.blocking.block", "", "Blocks the running task.")
ROW("6Bu", "6BU", STATE, "nanos6.blocking.unblock", "", "Unblocks a task.")
ROW("6Bw", "6BW", STATE, "nanos6.blocking.taskwait", "", "Waits for the task's children.")
ROW("6Bf", "6BF", STATE, "nanos6.blocking.waitfor", "", "Waits for a given time.")
ROW("6He", "6HE", STATE, "nanos6.thread.external", "",
    "Is a thread that the runtime did not make.")
ROW("6Hw", "6HW", STATE, "nanos6.thread.worker", "", "Is a worker of the runtime.")
ROW("6Hl", "6HL", STATE, "nanos6.thread.leader", "",
    "Is the leader thread, which runs services.")
ROW("6Hm", "6HM", STATE, "nanos6.thread.main", "", "Is the main thread.")

/* nodes */
ROW("DR[", "DR]", STATE, "nodes.deps.register", "", "Registers what a task depends on.")
ROW("DU[", "DU]", STATE, "nodes.deps.unregister", "",
    "Releases what a finished task held back.")
ROW("DW[", "DW]", STATE, "nodes.if0.wait", "", "Waits until the task of an if(0) may run.")
ROW("DI[", "DI]", STATE, "nodes.if0.inline", "", "Runs the task of an if(0) on the spot.")
ROW("DT[", "DT]", STATE, "nodes.taskwait", "", "Waits for the task's children.")
ROW("DC[", "DC]", STATE, "nodes.task.create", "", "Creates a task.")
ROW("DS[", "DS]", STATE, "nodes.task.submit", "",
    "Submits a task, so that it may run once it is ready.")
ROW("DP[", "DP]", STATE, "nodes.function.spawn", "", "Spawns a function as a task.")

/* kernel */
ROW("KCO", "KCI", STATE, "kernel.cpu.out/in", "",
    "The kernel took the thread off its processor.")

/* mpi */
ROW("MUf", "MUF", STATE, "mpi.finalize", "", "Ends MPI.")
ROW("MUi", "MUI", STATE, "mpi.init", "", "Starts MPI.")
ROW("MUt", "MUT", STATE, "mpi.init_thread", "",
    "Starts MPI and asks for a level of threading.")
ROW("MW[", "MW]", STATE, "mpi.wait", "", "Waits for one request.")
ROW("MWa", "MWA", STATE, "mpi.waitall", "", "Waits for all of some requests.")
ROW("MWs", "MWS", STATE, "mpi.waitsome", "", "Waits for at least one of some requests.")
ROW("MWy", "MWY", STATE, "mpi.waitany", "", "Waits for any one of some requests.")
ROW("MT[", "MT]", STATE, "mpi.test", "", "Asks whether one request is complete.")
ROW("MTa", "MTA", STATE, "mpi.testall", "",
    "Asks whether all of some requests are complete.")
ROW("MTy", "MTY", STATE, "mpi.testany", "",
    "Asks whether any of some requests is complete.")
ROW("MTs", "MTS", STATE, "mpi.testsome", "", "Asks which of some requests are complete.")
ROW("MS[", "MS]", STATE, "mpi.send", "",
    "Sends a message and waits until its buffer is free.")
ROW("MSb", "MSB", STATE, "mpi.bsend", "", "Sends a message by way of the attached buffer.")
ROW("MSr", "MSR", STATE, "mpi.rsend", "",
    "Sends a message whose receive is posted already.")
ROW("MSs", "MSS", STATE, "mpi.ssend", "",
    "Sends a message and waits until its receive has begun.")
ROW("MR[", "MR]", STATE, "mpi.recv", "", "Receives a message.")
ROW("MRs", "MRS", STATE, "mpi.sendrecv", "", "Sends one message and receives another.")
ROW("MRo", "MRO", STATE, "mpi.sendrecv_replace", "",
    "Sends a message and receives another in the same buffer.")
ROW("MAg", "MAG", STATE, "mpi.allgather", "",
    "Gathers the data of all ranks at every rank.")
ROW("MAr", "MAR", STATE, "mpi.allreduce", "",
    "Reduces the data of all ranks, for every rank.")
ROW("MAa", "MAA", STATE, "mpi.alltoall", "", "Sends a part of its data to every rank.")
ROW("MCb", "MCB", STATE, "mpi.barrier", "", "Waits until all ranks have come here.")
ROW("MCe", "MCE", STATE, "mpi.exscan", "", "Reduces the data of all lower ranks.")
ROW("MCs", "MCS", STATE, "mpi.scan", "", "Reduces the data of all ranks up to this one.")
ROW("MDb", "MDB", STATE, "mpi.bcast", "", "Sends the root's data to all ranks.")
ROW("MDg", "MDG", STATE, "mpi.gather", "", "Gathers the data of all ranks at the root.")
ROW("MDs", "MDS", STATE, "mpi.scatter", "",
    "Hands out parts of the root's data to all ranks.")
ROW("ME[", "ME]", STATE, "mpi.reduce", "", "Reduces the data of all ranks at the root.")
ROW("MEs", "MES", STATE, "mpi.reduce_scatter", "",
    "Reduces and scatters the result in parts of given sizes.")
ROW("MEb", "MEB", STATE, "mpi.reduce_scatter_block", "",
    "Reduces and scatters the result in equal parts.")
ROW("Ms[", "Ms]", STATE, "mpi.isend", "", "Starts to send a message.")
ROW("Msb", "MsB", STATE, "mpi.ibsend", "", "Starts to send by way of the attached buffer.")
ROW("Msr", "MsR", STATE, "mpi.irsend", "",
    "Starts to send a message whose receive is posted already.")
ROW("Mss", "MsS", STATE, "mpi.issend", "",
    "Starts a send that completes once its receive has begun.")
ROW("Mr[", "Mr]", STATE, "mpi.irecv", "", "Starts to receive a message.")
ROW("Mrs", "MrS", STATE, "mpi.isendrecv", "",
    "Starts to send one message and to receive another.")
ROW("Mro", "MrO", STATE, "mpi.isendrecv_replace", "",
    "Starts to send and to receive in the same buffer.")
ROW("Mag", "MaG", STATE, "mpi.iallgather", "",
    "Starts to gather the data of all ranks at every rank.")
ROW("Mar", "MaR", STATE, "mpi.iallreduce", "",
    "Starts to reduce the data of all ranks, for every rank.")
ROW("Maa", "MaA", STATE, "mpi.ialltoall", "",
    "Starts to send a part of its data to every rank.")
ROW("Mcb", "McB", STATE, "mpi.ibarrier", "", "Tells that it came here, and goes on.")
ROW("Mce", "McE", STATE, "mpi.iexscan", "", "Starts to reduce the data of all lower ranks.")
ROW("Mcs", "McS", STATE, "mpi.iscan", "",
    "Starts to reduce the data of all ranks up to this one.")
ROW("Mdb", "MdB", STATE, "mpi.ibcast", "", "Starts to send the root's data to all ranks.")
ROW("Mdg", "MdG", STATE, "mpi.igather", "",
    "Starts to gather the data of all ranks at the root.")
ROW("Mds", "MdS", STATE, "mpi.iscatter", "", "Starts to hand out parts of the root's data.")
ROW("Me[", "Me]", STATE, "mpi.ireduce", "",
    "Starts to reduce the data of all ranks at the root.")
ROW("Mes", "MeS", STATE, "mpi.ireduce_scatter", "",
    "Starts to reduce and scatter in parts of given sizes.")
ROW("Meb", "MeB", STATE, "mpi.ireduce_scatter_block", "",
    "Starts to reduce and scatter in equal parts.")

/* ovni */
ROW("OAr", "", POINT, "ovni.affinity.remote", "i32 cpu, i32 tid",
    "Binds another thread to a processor.")
ROW("OAs", "", POINT, "ovni.affinity.set", "i32 cpu",
    "Binds the thread itself to a processor.")
ROW("OB.", "", POINT, "ovni.burst", "",
    "One of many empty events, to measure the tracing itself.")
ROW("OHC", "", POINT, "ovni.thread.create", "i32 cpu, u64 tag",
    "Creates a thread that is to run on a processor.")
ROW("OHc", "", VALUE, "ovni.thread.cool", "", "The thread cools: it is about to pause.")
ROW("OHe", "", POINT, "ovni.thread.end", "", "The thread ends.")
ROW("OHp", "", VALUE, "ovni.thread.pause", "", "The thread pauses.")
ROW("OHr", "", VALUE, "ovni.thread.resume", "", "The thread runs again.")
ROW("OHw", "", VALUE, "ovni.thread.warm", "", "The thread warms: it is about to run again.")
ROW("OHx", "", VALUE, "ovni.thread.execute", "i32 cpu, i32 tid, u64 tag",
    "The thread begins to run on a processor.")
ROW("OCn", "", POINT, "ovni.cpu.count", "i32 cpu", "How many processors the process has.")
ROW("OF[", "OF]", STATE, "ovni.flush", "", "Writes the buffer of events to the disk.")
ROW("OU[", "OU]", STATE, "ovni.unordered", "", "Events that are not in order of time.")
ROW("OM[", "OM]", STATE, "ovni.mark.push/pop", "i64 value, i32 type",
    "Pushes a value on the user's marks of a type.")
ROW("OM=", "", VALUE, "ovni.mark.set", "i64 value, i32 type",
    "Sets the user's mark of a type to a value.")

/* openmp */
ROW("PBb", "PBB", STATE, "openmp.barrier.plain", "", "Waits at a barrier.")
ROW("PBj", "PBJ", STATE, "openmp.barrier.join", "",
    "Waits at the barrier that ends a parallel region.")
ROW("PBf", "PBF", STATE, "openmp.barrier.fork", "", "Waits for the next parallel region.")
ROW("PBt", "PBT", STATE, "openmp.barrier.task", "",
    "Waits at a barrier and runs tasks meanwhile.")
ROW("PBs", "PBS", STATE, "openmp.barrier.spin", "", "Spins while it waits at a barrier.")
ROW("PIa", "PIA", STATE, "openmp.critical.acquire", "",
    "Waits to enter a critical section.")
ROW("PIr", "PIR", STATE, "openmp.critical.release", "", "Leaves a critical section.")
ROW("PI[", "PI]", STATE, "openmp.critical.section", "", "Is inside a critical section.")
ROW("PWd", "PWD", STATE, "openmp.work.distribute", "", "Runs its part of a distribute.")
ROW("PWy", "PWY", STATE, "openmp.work.dynamic-init", "",
    "Prepares a loop with a dynamic schedule.")
ROW("PWc", "PWC", STATE, "openmp.work.dynamic-chunk", "",
    "Runs one chunk of a loop with a dynamic schedule.")
ROW("PWs", "PWS", STATE, "openmp.work.static", "",
    "Runs its part of a loop with a static schedule.")
ROW("PWe", "PWE", STATE, "openmp.work.section", "",
    "Runs a section of a sections construct.")
ROW("PWi", "PWI", STATE, "openmp.work.single", "", "Runs a single construct.")
ROW("PTa", "PTA", STATE, "openmp.task.alloc", "", "Allocates a task.")
ROW("PTc", "PTC", STATE, "openmp.task.check-deps", "", "Checks what a task depends on.")
ROW("PTd", "PTD", STATE, "openmp.task.duplicate", "", "Copies a task, as a taskloop does.")
ROW("PTr", "PTR", STATE, "openmp.task.release-deps", "",
    "Releases what a finished task held back.")
ROW("PT[", "PT]", STATE, "openmp.task.run", "", "Runs a task.")
ROW("PTi", "PTI", STATE, "openmp.task.run-if0", "",
    "Runs the task of an if(0) on the spot.")
ROW("PTs", "PTS", STATE, "openmp.task.schedule", "",
    "Gives a task to the runtime, to run at any time.")
ROW("PTg", "PTG", STATE, "openmp.taskgroup", "", "Waits at the end of a taskgroup.")
ROW("PTt", "PTT", STATE, "openmp.taskwait", "", "Waits for the task's children.")
ROW("PTw", "PTW", STATE, "openmp.taskwait-deps", "",
    "Waits for those children that a taskwait names by depend.")
ROW("PTy", "PTY", STATE, "openmp.taskyield", "", "Lets the runtime run another task.")
ROW("PA[", "PA]", STATE, "openmp.runtime.attached", "", "The runtime knows the thread.")
ROW("PMi", "PMI", STATE, "openmp.microtask.internal", "",
    "Runs the runtime's own part of a parallel region.")
ROW("PMu", "PMU", STATE, "openmp.microtask.user", "",
    "Runs the user's code of a parallel region.")
ROW("PH[", "PH]", STATE, "openmp.worker.loop", "", "Is in the main loop of a worker.")
ROW("PCf", "PCF", STATE, "openmp.runtime.fork", "", "Starts a parallel region.")
ROW("PCi", "PCI", STATE, "openmp.runtime.init", "", "Sets up the runtime.")
ROW("POc", "", POINT, "openmp.type.create", "u32 typeid:jumbo, str label",
    "Names a type of tasks or workshares.")
ROW("PPc", "", POINT, "openmp.task.create", "u32 taskid, u32 typeid",
    "Creates a task of a type.")
ROW("PPx", "PPe", STATE, "openmp.task.execute/end", "u32 taskid",
    "Executes a task, up to its end.")
ROW("PQx", "PQe", STATE, "openmp.workshare.execute/end", "u32 typeid",
    "Executes a workshare, up to its end.")

/* tampi */
ROW("TCi", "TCI", STATE, "tampi.comm.issue", "",
    "Starts an MPI operation whose task goes on.")
ROW("TGc", "TGC", STATE, "tampi.global.check", "", "Looks through all pending requests.")
ROW("TLi", "TLI", STATE, "tampi.library.interface", "", "Is in a function of the library.")
ROW("TLp", "TLP", STATE, "tampi.library.polling", "", "Is in the library's polling loop.")
ROW("TQa", "TQA", STATE, "tampi.queue.add", "", "Puts a request on a queue.")
ROW("TQt", "TQT", STATE, "tampi.queue.transfer", "",
    "Moves requests from the queues to the pending ones.")
ROW("TRc", "TRC", STATE, "tampi.request.completed", "",
    "Deals with a request that is complete.")
ROW("TRt", "TRT", STATE, "tampi.request.test", "", "Tests one request.")
ROW("TRa", "TRA", STATE, "tampi.request.testall", "", "Tests all of some requests.")
ROW("TRs", "TRS", STATE, "tampi.request.testsome", "",
    "Tests some requests for complete ones.")
ROW("TTc", "TTC", STATE, "tampi.ticket.create", "",
    "Makes a ticket that stands for requests of a task.")
ROW("TTw", "TTW", STATE, "tampi.ticket.wait", "", "Waits for the requests of a ticket.")

/* nosv */
ROW("VTc", "", POINT, "nosv.task.create", "u32 taskid, u32 typeid",
    "Creates a task of a type.")
ROW("VTC", "", POINT, "nosv.task.create-parallel", "u32 taskid, u32 typeid",
    "Creates a task whose body may run several times at once.")
ROW("VTx", "VTe", STATE, "nosv.task.execute/end", "u32 taskid, u32 bodyid",
    "Executes a body of a task, up to its end.")
ROW("VTp", "", POINT, "nosv.task.pause", "u32 taskid, u32 bodyid",
    "Pauses the running task.")
ROW("VTr", "", POINT, "nosv.task.resume", "u32 taskid, u32 bodyid",
    "Resumes a paused task.")
ROW("VYc", "", POINT, "nosv.type.create", "u32 typeid:jumbo, str label",
    "Names a type of tasks.")
ROW("VSr", "", POINT, "nosv.scheduler.receive", "",
    "Gets a task from the thread that serves.")
ROW("VSs", "", POINT, "nosv.scheduler.send", "", "Sends a task to a waiting thread.")
ROW("VS@", "", POINT, "nosv.scheduler.self-assign", "",
    "Gives a task to itself while it serves.")
ROW("VSh", "VSf", STATE, "nosv.scheduler.hungry/fill", "",
    "Waits for a task until it gets one.")
ROW("VS[", "VS]", STATE, "nosv.scheduler.serve", "",
    "Holds the scheduler's lock and hands tasks to others.")
ROW("VSN", "VSn", STATE, "nosv.scheduler.serve-nonblocking", "",
    "Hands tasks to others without blocking.")
ROW("VU[", "VU]", STATE, "nosv.task.submit", "", "Submits a task to the scheduler.")
ROW("VMa", "VMA", STATE, "nosv.memory.alloc", "", "Allocates memory.")
ROW("VMf", "VMF", STATE, "nosv.memory.free", "", "Frees memory.")
ROW("VAr", "VAR", STATE, "nosv.api.create", "", "Creates a task: nosv_create.")
ROW("VAd", "VAD", STATE, "nosv.api.destroy", "", "Destroys a task: nosv_destroy.")
ROW("VAs", "VAS", STATE, "nosv.api.submit", "", "Submits a task: nosv_submit.")
ROW("VAp", "VAP", STATE, "nosv.api.pause", "",
    "Pauses the task until it is submitted again: nosv_pause.")
ROW("VAy", "VAY", STATE, "nosv.api.yield", "", "Lets another task run: nosv_yield.")
ROW("VAw", "VAW", STATE, "nosv.api.waitfor", "", "Waits for a given time: nosv_waitfor.")
ROW("VAc", "VAC", STATE, "nosv.api.schedpoint", "",
    "Lets another task run if it is time to: nosv_schedpoint.")
ROW("VAa", "VAA", STATE, "nosv.api.attach", "",
    "Makes a thread of its own known: nosv_attach.")
ROW("VAe", "VAE", STATE, "nosv.api.detach", "", "Lets such a thread go: nosv_detach.")
ROW("VAl", "VAL", STATE, "nosv.api.mutex_lock", "", "Locks a mutex: nosv_mutex_lock.")
ROW("VAt", "VAT", STATE, "nosv.api.mutex_trylock", "",
    "Locks a mutex if it is free: nosv_mutex_trylock.")
ROW("VAu", "VAU", STATE, "nosv.api.mutex_unlock", "", "Unlocks a mutex: nosv_mutex_unlock.")
ROW("VAb", "VAB", STATE, "nosv.api.barrier_wait", "",
    "Waits at a barrier: nosv_barrier_wait.")
ROW("VAo", "VAO", STATE, "nosv.api.cond_wait", "", "Waits for a condition: nosv_cond_wait.")
ROW("VAg", "VAG", STATE, "nosv.api.cond_signal", "",
    "Wakes one that waits for a condition: nosv_cond_signal.")
ROW("VAk", "VAK", STATE, "nosv.api.cond_broadcast", "",
    "Wakes all that wait for a condition: nosv_cond_broadcast.")
ROW("VAj", "VAJ", STATE, "nosv.api.join", "", "Waits for the end of a task: nosv_join.")
ROW("VAm", "VAM", STATE, "nosv.api.join_all", "",
    "Waits for the end of several tasks: nosv_join_all.")
ROW("VAi", "VAI", STATE, "nosv.api.wait", "", "Waits for a task: nosv_wait.")
ROW("VAn", "VAN", STATE, "nosv.api.wait_all", "", "Waits for several tasks: nosv_wait_all.")
ROW("VHa", "", POINT, "nosv.thread.attached", "", "Old releases: the thread was attached.")
ROW("VHA", "", POINT, "nosv.thread.detached", "", "Old releases: the thread was detached.")
ROW("VHw", "VHW", STATE, "nosv.thread.worker", "", "Is a worker of the runtime.")
ROW("VHd", "VHD", STATE, "nosv.thread.delegate", "", "Is a delegate thread of the runtime.")
ROW("VPp", "", VALUE, "nosv.progress.progressing", "",
    "The thread makes progress with the program's work.")
ROW("VPr", "", VALUE, "nosv.progress.resting", "",
    "The thread rests: there is nothing to do.")
ROW("VPa", "", VALUE, "nosv.progress.absorbing", "", "The thread absorbs noise.")
ROW("VWC", "", POINT, "nosv.hwc.counters", "i64[] value:jumbo",
    "Values of the hardware counters.")
