#!/bin/sh
# slurm.sh start|stop DIR: Slurm on this machine alone, as root and without systemd: a controller
# and four virtual nodes on the loopback interface, with all their files in DIR.
# The daemons' process numbers are in DIR/*.pid, and only those are ended.
set -eu
dir=$2
conf=$dir/slurm.conf

stop() {
	[ ! -s "$dir/slurmctld.pid" ] || SLURM_CONF=$conf scontrol shutdown >/dev/null 2>&1 || :
	sleep 1
	for f in "$dir"/*.pid; do
		[ ! -s "$f" ] || kill "$(cat "$f")" 2>/dev/null || :
	done
}

start() {
	mkdir -p "$dir/state" "$dir/spool" "$dir/munge"
	host=$(hostname -s)
	if [ ! -s "$dir/munge/key" ]; then
		dd if=/dev/urandom of="$dir/munge/key" bs=1 count=1024 2>/dev/null
	fi
	chmod 600 "$dir/munge/key"
	# munged refuses directories that others could write to; it runs as ourselves.
	chmod 755 "$dir" "$dir/munge"
	munged --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munged.pid" \
		--log-file="$dir/munge/log" --seed-file="$dir/munge/seed" --force 2>/dev/null
	cat > "$conf" <<END
ClusterName=spoor
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=17001
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
StateSaveLocation=$dir/state
SlurmctldLogFile=$dir/slurmctld.log
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdSpoolDir=$dir/spool/%n
SlurmdLogFile=$dir/slurmd.%n.log
SlurmdPidFile=$dir/slurmd.%n.pid
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
MinJobAge=600
MailProg=/bin/true
NodeName=n[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=17011-17014 CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=500 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
	export SLURM_CONF="$conf"
	slurmctld
	for n in 1 2 3 4; do
		mkdir -p "$dir/spool/n$n"
		slurmd -N "n$n"
	done
	for _ in $(seq 100); do
		[ "$(sinfo -h -t idle -o %D 2>/dev/null)" != 4 ] || return 0
		sleep 0.1
	done
	sinfo >&2
	tail -n 20 "$dir"/*.log >&2
	return 1
}

"$1"
