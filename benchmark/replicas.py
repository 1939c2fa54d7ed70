#!/usr/bin/env python3
"""Measures what replicas cost and how far they lag, on Garnet and on Valkey.

  benchmark/replicas.py steady      processor time of a SET, pipeline 32, on the primary with and without a replica, and on the replica
  benchmark/replicas.py lag         age of a replica's data at full load, and how long it takes to catch up with a gigabyte
  benchmark/replicas.py sync        a full synchronization under load, to one and three replicas, and to readers that load nothing
  benchmark/replicas.py failover    how long clients cannot write when Sentinel fails over; sets of one primary, two replicas, three Sentinels
  benchmark/replicas.py steady --quick         little data: only checks that the script works

Needs Python 3.9, Linux, two cores, taskset, memtier_benchmark, and for failover valkey-sentinel or redis-sentinel. Garnet is published as by benchmark/compare.py, unless
--garnet names a build; valkey-server takes part if it is on PATH (or --valkey). The primary runs on core 0, everything else on core 1. Rounds are interleaved, medians shown.
"""
import argparse, concurrent.futures, json, os, shutil, socket, statistics, subprocess, sys, tempfile, threading, time

import compare
from replication import Server, follow, wait

# Small, so that it is full before a measurement begins: memory that is new to the process costs page faults.
BACKLOG = '16mb'
# Holds what a stopped replica misses.
CATCH_UP_BACKLOG = '2gb'
SENTINELS = 3
# What a snapshot of unknown length begins with, and the length of the mark that follows.
MARK, MARK_BYTES = b'$EOF:', 40


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def memtier(program, server, *options):
    """Starts a load on core 1; finish() returns its report."""
    report = tempfile.mktemp(suffix='.json')
    argv = ['taskset', '-c', '1', program, '-s', '127.0.0.1', '-p', str(server.port), '--hide-histogram', '--json-out-file', report] + [str(option) for option in options]
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def finish():
        if process.wait() != 0:
            sys.exit(f'it failed: {" ".join(argv)}')
        with open(report) as file:
            result = json.load(file)['ALL STATS']
        os.unlink(report)
        return result
    return finish


def writes(arguments, seconds):
    return ['--threads=1', '--clients=8', '--pipeline=32', '--ratio=1:0', '--data-size=100', '--key-maximum=1000000', '--key-pattern=R:R', f'--test-time={seconds}']


def is_level(replica, primary):
    return replica.info()['slave_repl_offset'] == primary.info()['master_repl_offset']


def start(command, core, folder, *options):
    return Server(command, core, 'tcp', folder, '--repl-backlog-size', BACKLOG, *options)


# Uses a share of its core, in slices of half a millisecond.
BURN = """
import sys, time
share = float(sys.argv[1])
while True:
    end = time.perf_counter() + 0.0005 * share / (1 - share)
    while time.perf_counter() < end:
        pass
    time.sleep(0.0005)
"""


def load_steadily(arguments, command, folder, count, burnt):
    """Microseconds of an operation on the primary and on its replicas, and the share of core 1 that these used."""
    primary = start(command, 0, folder)
    replicas = [start(command, 1, folder) for _ in range(count)]
    burner = subprocess.Popen(['taskset', '-c', '1', sys.executable, '-c', BURN, str(burnt)]) if burnt else None
    try:
        follow(replicas, primary)
        memtier(arguments.memtier, primary, *writes(arguments, 1 if arguments.quick else 2))()
        before, since = [server.processor_seconds() for server in [primary] + replicas], time.time()
        operations = memtier(arguments.memtier, primary, *writes(arguments, arguments.seconds))()['Totals']['Count']
        elapsed = time.time() - since
        wait(lambda: all(is_level(replica, primary) for replica in replicas))
        used = [server.processor_seconds() - former for server, former in zip([primary] + replicas, before)]
        return [1e6 * seconds / operations for seconds in used], min(0.9, sum(used[1:]) / elapsed)
    finally:
        if burner:
            burner.kill()
            burner.wait()
        for server in [primary] + replicas:
            server.stop()


def steady(arguments, kinds, folder):
    figures = {}
    for _ in range(arguments.rounds):
        for name, command in kinds:
            alone, _ = load_steadily(arguments, command, folder, 0, 0)
            followed, share = load_steadily(arguments, command, folder, 1, 0)
            # Without a replica beside them the clients are faster, and what comes faster costs less. So once more, with something else there.
            control, _ = load_steadily(arguments, command, folder, 0, share)
            figures.setdefault(name, []).append(alone + control + followed)
    lines = ['| | us of a SET, alone | with equally slow clients | with a replica | ratio to alone | ratio to equally slow clients | on the replica |', '|---|---|---|---|---|---|---|']
    for name, rows in figures.items():
        alone, control, primary, replica = (statistics.median(values) for values in zip(*rows))
        lines.append(f'| {name} | {alone:.2f} | {control:.2f} | {primary:.2f} | {primary / alone:.2f} | {primary / control:.2f} | {replica:.2f} |')
    return lines


def sample_lags(primary, replica, done):
    """Milliseconds until the replica has what the primary had when it was asked."""
    lags = []
    while not done.is_set():
        position, since = int(primary.info()['master_repl_offset']), time.perf_counter()
        while int(replica.info()['slave_repl_offset']) < position:
            time.sleep(0.0002)
        lags.append(1000 * (time.perf_counter() - since))
        time.sleep(0.01)
    return lags


def lag(arguments, kinds, folder):
    figures = {}
    for _ in range(arguments.rounds):
        for name, command in kinds:
            primary, replica = start(command, 0, folder, '--repl-backlog-size', CATCH_UP_BACKLOG), start(command, 1, folder)
            try:
                follow([replica], primary)
                done, lags = threading.Event(), []
                sampler = threading.Thread(target=lambda: lags.extend(sample_lags(primary, replica, done)))
                finish = memtier(arguments.memtier, primary, *writes(arguments, arguments.seconds))
                sampler.start()
                finish()
                done.set()
                sampler.join()
                wait(lambda: is_level(replica, primary))
                # Stopped, it misses the writes; the primary keeps them.
                replica.process.send_signal(19)
                primary.write(arguments.mib << 10, 1024)
                replica.process.send_signal(18)
                since, before = time.time(), replica.processor_seconds()
                wait(lambda: is_level(replica, primary))
                figures.setdefault(name, []).append((statistics.median(lags), percentile(lags, 0.99), time.time() - since, replica.processor_seconds() - before))
            finally:
                primary.stop()
                replica.stop()
    lines = [f'| | lag at full load, median ms | p99 ms | catch-up of {arguments.mib} MiB, s | processor s of the replica |', '|---|---|---|---|---|']
    for name, _ in kinds:
        row = [statistics.median(values) for values in zip(*figures[name])]
        lines.append(f'| {name} | {row[0]:.1f} | {row[1]:.1f} | {row[2]:.2f} | {row[3]:.2f} |')
    return lines


def memory(pid):
    with open(f'/proc/{pid}/status') as status:
        return next(int(line.split()[1]) for line in status if line.startswith('VmRSS')) / 1024


def family_memory(pid):
    """Resident memory of a process, and what children add that they do not share."""
    total = memory(pid)
    for child in open(f'/proc/{pid}/task/{pid}/children').read().split():
        try:
            with open(f'/proc/{child}/smaps_rollup') as rollup:
                total += sum(int(line.split()[1]) for line in rollup if line.startswith(('Private_Clean', 'Private_Dirty'))) / 1024
        except (FileNotFoundError, ProcessLookupError):
            pass
    return total


def under_load(arguments, primary, body):
    """Runs the body in the middle of a load; worst second and p99 of the clients, processor seconds and memory of the primary."""
    finish = memtier(arguments.memtier, primary, '--threads=1', '--clients=20', '--ratio=1:9', '--data-size=100', f'--key-maximum={arguments.keys}', '--key-pattern=R:R',
                     f'--test-time={arguments.seconds}', f'--rate-limiting={arguments.rate // 20}')
    time.sleep(2)
    peak, done = [0], threading.Event()

    def watch():
        while not done.is_set():
            peak[0] = max(peak[0], family_memory(primary.process.pid))
            time.sleep(0.05)
    watcher = threading.Thread(target=watch)
    watcher.start()
    before, since = primary.processor_seconds(), time.time()
    body()
    seconds, used = time.time() - since, primary.processor_seconds() - before
    done.set()
    watcher.join()
    report = finish()
    series = seconds_of(report)
    return seconds, used, min(series[1:-1]), report['Totals']['Percentile Latencies']['p99.00'], peak[0]


def seconds_of(report):
    """Operations in each second."""
    counts = {}
    for kind in ('Sets', 'Gets'):
        for second, entry in report[kind]['Time-Serie'].items():
            counts[int(second)] = counts.get(int(second), 0) + entry['Count']
    return [counts[second] for second in sorted(counts)]


def read_snapshot(primary):
    """Asks for a full synchronization and reads the snapshot without loading it, at the end of which is the mark that it began with."""
    os.sched_setaffinity(0, {1})
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
    with socket.create_connection(('127.0.0.1', primary.port), timeout=120) as link:
        link.sendall(compare.encode('REPLCONF', 'capa', 'eof', 'capa', 'psync2'))
        # Valkey refuses PSYNC while a reply is pending.
        if (reply := link.recv(100)) != b'+OK\r\n':
            raise ConnectionError(f'the primary refuses readers: {reply}')
        link.sendall(compare.encode('PSYNC', '?', '-1'))
        piece, last, mark = bytearray(1 << 20), b'', None
        while mark is None or last[-MARK_BYTES:] != mark:
            count = link.recv_into(piece)
            if count == 0:
                raise ConnectionError('the primary closed the link')
            last = last + piece[:count] if mark is None else last[-MARK_BYTES:] + piece[max(0, count - MARK_BYTES):count]
            if mark is None and MARK in last and len(last) >= (start := last.index(MARK) + len(MARK)) + MARK_BYTES:
                mark, last = last[start:start + MARK_BYTES], last[start + MARK_BYTES:]


def read(count, primary):
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        list(pool.map(read_snapshot, [primary] * count))
    # What Valkey's child has used is known when it has ended.
    wait(lambda: b'rdb_bgsave_in_progress:0' in primary.call('INFO', 'persistence'))


def sync_once(arguments, command, primary, folder, kind, count):
    primary.call('CONFIG', 'SET', 'repl-diskless-sync-max-replicas', str(max(count, 1)))
    # They share a core with the clients, which are not to wait for them.
    replicas = [start('nice -n 19 ' + command, 1, folder) for _ in range(count if kind == 'replicas' else 0)]
    bodies = {'control': lambda: time.sleep(arguments.seconds / 3), 'replicas': lambda: follow(replicas, primary), 'readers': lambda: read(count, primary)}
    try:
        return under_load(arguments, primary, bodies[kind])
    finally:
        for replica in replicas:
            replica.stop()
        wait(lambda: primary.info()['connected_slaves'] == '0')


def sync(arguments, kinds, folder):
    lines = ['| | to | seconds | processor s of the primary, more than without | worst second of the clients, of control | p99 ms (control) | memory, of control |', '|---|---|---|---|---|---|---|']
    cases = [('control', 0), ('replicas', 1), ('replicas', 3), ('readers', 1), ('readers', 3)]
    for name, command in kinds:
        rows = {}
        primary = start(command, 0, folder, '--repl-diskless-sync-delay', '5', '--repl-diskless-sync-max-replicas', '1')
        try:
            memtier(arguments.memtier, primary, '--threads=1', '--clients=4', '--pipeline=64', '--ratio=1:0', '--data-size=100', '--key-minimum=1', f'--key-maximum={arguments.keys}',
                    '--key-pattern=P:P', '--requests=allkeys')()
            for _ in range(arguments.rounds):
                for case in cases:
                    rows.setdefault(case, []).append(sync_once(arguments, command, primary, folder, *case))
        finally:
            primary.stop()
        medians = {case: [statistics.median(values) for values in zip(*kept)] for case, kept in rows.items()}
        control = medians[cases[0]]
        for kind, count in cases[1:]:
            row = medians[kind, count]
            extra = row[1] - row[0] * control[1] / control[0]
            lines.append(f'| {name} | {count} {kind if count > 1 else kind[:-1]} | {row[0]:.1f} | {extra:.2f} | {row[2] / control[2]:.2f} | {row[3]:.2f} ({control[3]:.2f}) | {row[4] / control[4]:.2f} |')
    return lines


class SentinelSet:
    """One primary, two replicas and three Sentinels; each round kills the primary, and starts it again as a replica."""

    def __init__(self, name, command, sentinel, folder):
        self.name, self.command, self.folder, self.gaps = name, command, folder, []
        self.servers = [start(command, core, folder) for core in (0, 1, 0)]
        follow(self.servers[1:], self.servers[0])
        self.sentinels, self.ports = [], []
        for _ in range(SENTINELS):
            own, port = tempfile.mkdtemp(dir=folder), compare.free_port()
            with open(f'{own}/sentinel.conf', 'w') as file:
                file.write(f'port {port}\nbind 127.0.0.1\ndir {own}\nsentinel monitor main 127.0.0.1 {self.servers[0].port} 2\nsentinel down-after-milliseconds main 1000\n'
                           'sentinel failover-timeout main 10000\nsentinel parallel-syncs main 2\n')
            self.sentinels.append(subprocess.Popen([sentinel, f'{own}/sentinel.conf'], stdout=subprocess.DEVNULL))
            self.ports.append(port)

    def ask(self, port, *words):
        with socket.create_connection(('127.0.0.1', port), timeout=1) as link:
            link.sendall(compare.encode(*words))
            return link.recv(1 << 16)

    def agree(self, **wanted):
        """Whether all Sentinels say the same of their primary."""
        try:
            state = [self.ask(port, 'SENTINEL', 'MASTER', 'main').split(b'\r\n') for port in self.ports]
        except OSError:
            return False
        return all(fields[fields.index(name.replace('_', '-').encode()) + 2] == str(value).encode() for fields in state for name, value in wanted.items())

    def is_ready(self):
        return self.agree(num_slaves=2, num_other_sentinels=2, flags='master')

    def address(self):
        for port in self.ports:
            try:
                reply = self.ask(port, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main').split(b'\r\n')
                return int(reply[4])
            except (OSError, IndexError):
                pass
        return 0

    def write(self, port):
        try:
            return self.ask(port, 'SET', 'a', '1') == b'+OK\r\n'
        except OSError:
            return False

    def fail_over(self):
        wait(lambda: self.is_ready() and self.write(self.address()))
        primary = next(server for server in self.servers if server.port == self.address())
        others = [server for server in self.servers if server is not primary]
        wait(lambda: all(other.info().get('master_link_status') == 'up' for other in others))
        since = time.perf_counter()
        primary.process.kill()
        primary.process.wait()
        while not self.write(self.address()):
            time.sleep(0.01)
        self.gaps.append(time.perf_counter() - since)
        restarted = start(self.command, 1, self.folder)
        self.servers = others + [restarted]
        restarted.call('REPLICAOF', '127.0.0.1', str(self.address()))
        # A Sentinel that is reset before it has left the old primary never finds the new one.
        wait(lambda: self.agree(port=self.address(), flags='master') and self.address() != primary.port)
        # The one that was killed is forgotten, because the new one has another port.
        wait(lambda: sum(server.info().get('master_link_status') == 'up' for server in self.servers) == 2)
        for port in self.ports:
            self.ask(port, 'SENTINEL', 'RESET', 'main')
            time.sleep(0.1)

    def stop(self):
        for process in self.sentinels + [server.process for server in self.servers]:
            process.kill()
            process.wait()


def failover(arguments, kinds, folder):
    sentinel = arguments.sentinel or shutil.which('valkey-sentinel') or shutil.which('redis-sentinel') or sys.exit('There is no Sentinel on PATH.')
    deadline = time.time() + arguments.limit
    sets = [SentinelSet(name, command, sentinel, folder) for _ in range(arguments.sets) for name, command in kinds]

    def run(each):
        for _ in range(arguments.failovers // arguments.sets):
            if time.time() >= deadline:
                return
            try:
                each.fail_over()
            except SystemExit:
                # On a busy machine Sentinel may also fail over from a server that lives, which it then forgets when it is reset.
                print(f'One set of {each.name} ends after {len(each.gaps)} failovers: its Sentinels and servers do not come to rest.', file=sys.stderr)
                return
    threads = [threading.Thread(target=run, args=(each,)) for each in sets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in sets:
        each.stop()
    lines = ['| | failovers | seconds without writes, median | p90 | longest |', '|---|---|---|---|---|']
    for name, _ in kinds:
        gaps = [gap for each in sets if each.name == name for gap in each.gaps]
        lines.append(f'| {name} | {len(gaps)} | {statistics.median(gaps):.2f} | {percentile(gaps, 0.9):.2f} | {max(gaps):.2f} |')
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('part', choices=['steady', 'lag', 'sync', 'failover'])
    parser.add_argument('--garnet', help='command of a built server')
    parser.add_argument('--valkey', default=shutil.which('valkey-server') or '', help='command of valkey-server; empty for none')
    parser.add_argument('--sentinel', help='program of the Sentinels')
    parser.add_argument('--memtier', default=shutil.which('memtier_benchmark') or 'memtier_benchmark', help='program of the load generator')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seconds', type=int, default=0, help='duration of each load; 6, and 30 for sync')
    parser.add_argument('--mib', type=int, default=1024, help='size of what is caught up with')
    parser.add_argument('--keys', type=int, default=5_000_000, help='keys of sync')
    parser.add_argument('--rate', type=int, default=20_000, help='operations per second of the clients of sync')
    parser.add_argument('--failovers', type=int, default=30, help='of each kind')
    parser.add_argument('--limit', type=int, default=3600, help='seconds after which no failover begins')
    parser.add_argument('--sets', type=int, default=2, help='sets of servers of each kind that fail over at the same time')
    parser.add_argument('--quick', action='store_true')
    arguments = parser.parse_args()
    arguments.seconds = arguments.seconds or (30 if arguments.part == 'sync' else 6)
    if arguments.quick:
        arguments.rounds, arguments.seconds, arguments.mib, arguments.keys, arguments.failovers, arguments.sets = 1, 8 if arguments.part == 'sync' else 1, 16, 100_000, 1, 1
    kinds = [('Garnet', arguments.garnet or compare.publish())] + ([('Valkey', arguments.valkey)] if arguments.valkey else [])
    with tempfile.TemporaryDirectory() as folder:
        print('\n'.join({'steady': steady, 'lag': lag, 'sync': sync, 'failover': failover}[arguments.part](arguments, kinds, folder)))


if __name__ == '__main__':
    main()
