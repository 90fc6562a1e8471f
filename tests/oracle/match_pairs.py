#!/usr/bin/env python3
"""match_pairs.py NAME ORACLES OUTPUT [NATIVE]: holds what trace-match wrote for a run against what another
program found in it: ORACLES/NAME.pairs.tsv and NAME.collectives.tsv.

That program knew the collectives that move data, and barriers, alone: only these have numbers there.

Each row there is one here, with the same records and bytes, and names of communicators are the same up to
renaming. Where receives without a status make messages ambiguous, trace-match may know more than the other: such
messages are held against the log of the program itself, ORACLES/traces/NAME/truth-*.txt, if there is one. NATIVE
is then the text of all calls, from dumpi2txt: the log counts sends and receives.
"""
import collections
import glob
import sys

SENDS = ('MPI_Send', 'MPI_Bsend', 'MPI_Ssend', 'MPI_Rsend', 'MPI_Isend', 'MPI_Ibsend', 'MPI_Issend', 'MPI_Irsend',
         'MPI_Sendrecv', 'MPI_Sendrecv_replace')
COLLECTIVES = {'MPI_' + name for name in (
    'Barrier Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Alltoallw Reduce Allreduce '
    'Reduce_scatter Scan Exscan').split()}
RECEIVES = ('MPI_Recv', 'MPI_Irecv', 'MPI_Sendrecv', 'MPI_Sendrecv_replace')


def events(path):
    with open(path, encoding='ascii') as f:
        for line in f:
            field = line.rstrip('\n').split('\t')
            yield field, dict(a.split('=', 1) for a in field[6:] if '=' in a)


def rows(path):
    try:
        with open(path, encoding='ascii') as f:
            return [line.rstrip('\n').split('\t') for line in f if line[0] != '#']
    except FileNotFoundError:
        return []


def one_to_one(pairs):
    """Whether names on both sides stand for the same things. MPI_COMM_SELF is one for each rank there."""
    to, back = {}, {}
    for a, b in pairs:
        if b != 'MPI_COMM_SELF' and (to.setdefault(a, b) != b or back.setdefault(b, a) != a):
            print('communicators', a, to[a], b, back.get(b))
            return False
    return True


def counted(path):
    """Of each rank and record: which sends, which receives these are, from 1."""
    record, sends, receives = collections.Counter(), collections.Counter(), collections.Counter()
    of = ({}, {})
    persistent = {}
    for field, arg in events(path):
        rank, call = int(field[1].split('/')[0]), field[2]
        record[rank] += 1
        kinds = []
        if call in SENDS:
            kinds.append(0)
        if call in RECEIVES:
            kinds.append(1)
        if call.endswith('_init') and 'request' in arg:
            persistent[rank, arg['request']] = int(call == 'MPI_Recv_init')
        if call in ('MPI_Start', 'MPI_Startall'):
            kinds += [persistent[rank, q] for q in (arg.get('requests') or arg['request']).split(',')]
        for k in kinds:
            n = (sends, receives)[k]
            n[rank] += 1
            of[k].setdefault((rank, record[rank]), []).append(n[rank])
    return of


def true_pairs(got, name, oracles, native):
    truth = set()
    for path in glob.glob(f'{oracles}/traces/{name}/truth-*.txt'):
        truth |= {tuple(int(v) for v in ' '.join(row).split()[1:5]) for row in rows(path)}
    if not truth:
        return 0
    sends, receives = counted(native)
    wrong = 0
    for srank, srec, rrank, rrec in got:
        wrong += not any((int(srank), a, int(rrank), b) in truth or (int(srank), a - 1, int(rrank), b - 1) in truth
                         for a in sends[int(srank), int(srec)] for b in receives[int(rrank), int(rrec)])
    return wrong


def main(name, oracles, output, native=None):
    got, instances = {}, []
    for field, arg in events(output):
        if field[2] == 'message':
            got[field[1], arg['srec'], arg['to'], arg['rrec']] = (
                arg.get('sdone', '-'), arg.get('rdone', '-'), field[4], arg['tag'], arg['comm'])
        elif field[2] == 'collective':
            instances.append((arg['call'], arg['ranks'], arg['seq'], arg['last'],
                              round(float(arg.get('spread', '0')) * 1e9), arg['comm']))
    want = {}
    for srank, srec, sdone, rrank, rrec, rdone, size, tag, comm in rows(f'{oracles}/{name}.pairs.tsv'):
        want[srank, srec, rrank, rrec] = (sdone, rdone, size, tag, comm)
    bad = [k for k in want if k not in got or got[k][:4] != want[k][:4]]
    for k in bad[:5]:
        print('differs:', k, want[k], got.get(k))
    good = one_to_one([(want[k][4], got[k][4]) for k in want if k in got])
    numbers, calls = collections.Counter(), collections.Counter()
    for call, ranks, _, last, spread, comm in sorted(instances, key=lambda i: int(i[2])):
        if call in COLLECTIVES:
            numbers[comm] += 1
            calls[call, ranks, str(numbers[comm]), last, spread] += 1
    for comm, seq, call, ranks, first, last, who in (r[:7] for r in rows(f'{oracles}/{name}.collectives.tsv')):
        key = (call, ranks, seq, who, int(last) - int(first))
        calls[key] -= 1
        if calls[key] < 0:
            print('no collective', comm, key)
            good = False
    wrong = true_pairs(got, name, oracles, native) if native else 0
    if wrong:
        print(wrong, 'messages are not those of the log')
    print(len(want), len(got) - len(want))
    return bool(bad or not good or wrong)


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
