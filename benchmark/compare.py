#!/usr/bin/env python3
"""Runs Garnet and other RESP servers under the same load and writes a Markdown table.

  benchmark/compare.py                          Garnet and every known server found on PATH, all workloads
  benchmark/compare.py --servers garnet,valkey --workloads p1,p32 --seconds 10 --rounds 3 --output results.md

Needs: Python 3.9, Linux, and a load generator on PATH: memtier_benchmark (preferred: it reports latencies per round) or redis-benchmark.
Garnet is published (Release) to artifacts/compare first, unless --garnet names a build. Other servers take part if their program is on PATH:
  valkey      valkey-server
  redis       redis-server
  microsoft   garnet-server   (Microsoft's Garnet: dotnet tool install -g garnet-server)
or give their commands: --command 'valkey=/opt/valkey/valkey-server --port {port} --save "" --dir {dir}'

Workloads:
  p1, p32      GET and SET 1:1, 64-byte values, 100,000 keys, 50 connections, pipeline 1 or 32; the server on core 0, the load on core 1
  all1, all32  the same with server and load free on all cores
  large        GET of 100 KiB values over one connection; pinned as above (memtier_benchmark only)

Columns: operations per second, 99th percentile of latency, and the server's own processor time per operation, which is the most meaningful if
load generator and server share a machine. Rounds are interleaved and medians shown: compare ratios within one table, not numbers between tables.
"""
import argparse, json, os, re, shlex, shutil, signal, socket, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TICKS = os.sysconf('SC_CLK_TCK')
KNOWN = {
    'valkey': ('valkey-server', '{program} --port {port} --bind 127.0.0.1 --save "" --dir {dir}'),
    'redis': ('redis-server', '{program} --port {port} --bind 127.0.0.1 --save "" --dir {dir}'),
    'microsoft': ('garnet-server', '{program} --port {port} --bind 127.0.0.1 --checkpointdir {dir}'),
}
KEYS = 100_000


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def encode(*words):
    """A request."""
    parts = [b'*%d\r\n' % len(words)]
    for word in words:
        data = word if isinstance(word, bytes) else str(word).encode()
        parts.append(b'$%d\r\n%s\r\n' % (len(data), data))
    return b''.join(parts)


def ping(port):
    try:
        with socket.create_connection(('127.0.0.1', port), timeout=1) as link:
            link.sendall(encode('PING'))
            return link.recv(64).startswith(b'+PONG')
    except OSError:
        return False


def processor_seconds(pid):
    """User and system time of a process with all its threads, in seconds."""
    with open(f'/proc/{pid}/stat') as stat:
        fields = stat.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


START_SECONDS = 30


class Server:
    """A running server; terminated by its process ID at the end of the with-block."""

    def __init__(self, name, command, pinned):
        self.name, self.port, self.dir = name, free_port(), tempfile.mkdtemp(prefix='compare-')
        argv = shlex.split(command.format(port=self.port, dir=self.dir))
        if pinned:
            argv = ['taskset', '-c', '0'] + argv
        self.log = open(os.path.join(self.dir, 'server.log'), 'wb')
        self.process = subprocess.Popen(argv, stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)

    def answers(self):
        """Whether it serves requests."""
        return ping(self.port)

    def __enter__(self):
        deadline = time.time() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.time() > deadline:
                text = open(self.log.name, errors='replace').read()[-500:]
                self.__exit__()
                sys.exit(f'{self.name} did not start: {text}')
            time.sleep(0.02)
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.dir, ignore_errors=True)


class Memtier:
    """Load by memtier_benchmark."""

    def __init__(self, program):
        self.program = program

    def run(self, server, core, options):
        report = os.path.join(server.dir, 'memtier.json')
        argv = [self.program, '-s', '127.0.0.1', '-p', str(server.port), '--hide-histogram', '--json-out-file', report] + options
        subprocess.run((['taskset', '-c', str(core)] if core is not None else []) + argv, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(report) as file:
            totals = json.load(file)['ALL STATS']['Totals']
        return totals['Count'], totals['Ops/sec'], totals['Percentile Latencies']['p99.00']

    def fill(self, server, size, keys):
        self.run(server, None, ['--threads=1', '--clients=4', '--pipeline=32', '--ratio=1:0', '--key-pattern=P:P', '--requests=allkeys',
                                f'--data-size={size}', '--key-minimum=1', f'--key-maximum={keys}'])

    def mixed(self, server, core, threads, pipeline, seconds):
        return self.run(server, core, [f'--threads={threads}', f'--clients={50 // threads}', f'--pipeline={pipeline}', '--ratio=1:1', '--data-size=64',
                                       '--key-minimum=1', f'--key-maximum={KEYS}', '--key-pattern=R:R', f'--test-time={seconds}'])

    def large(self, server, core, seconds):
        return self.run(server, core, ['--threads=1', '--clients=1', '--ratio=0:1', '--key-minimum=1', '--key-maximum=64', '--key-pattern=R:R', f'--test-time={seconds}'])


class RedisBenchmark:
    """Load by redis-benchmark: half SET and half GET, as many requests as fit in the time according to a short trial."""

    def __init__(self, program):
        self.program = program

    def run(self, server, core, threads, pipeline, requests):
        argv = [self.program, '-h', '127.0.0.1', '-p', str(server.port), '-c', '50', '-d', '64', '-r', str(KEYS), '-P', str(pipeline),
                '--threads', str(threads), '-t', 'set,get', '-n', str(requests), '--csv']
        out = subprocess.run((['taskset', '-c', str(core)] if core is not None else []) + argv, check=True, capture_output=True, text=True).stdout
        rows = [line.replace('"', '').split(',') for line in out.splitlines() if re.match(r'"?(SET|GET)', line)]
        rates, p99 = [float(row[1]) for row in rows], [float(row[6]) for row in rows]
        return 2 * requests, statistics.harmonic_mean(rates), max(p99)

    def fill(self, server, size, keys):
        self.run(server, None, 1, 32, keys)

    def mixed(self, server, core, threads, pipeline, seconds):
        trial = self.run(server, core, threads, pipeline, 20_000)
        return self.run(server, core, threads, pipeline, max(20_000, int(trial[1] * seconds / 2)))

    def large(self, server, core, seconds):
        sys.exit('The workload "large" needs memtier_benchmark.')


def measure(workload, name, command, load, seconds):
    """One round of one workload: (operations per second, p99 in ms, processor microseconds per operation)."""
    pinned = not workload.startswith('all')
    with Server(name, command, pinned) as server:
        core = 1 if pinned else None
        if workload == 'large':
            load.fill(server, 102_400, 64)
            run = lambda time_: load.large(server, core, time_)
        else:
            load.fill(server, 64, KEYS)
            run = lambda time_: load.mixed(server, core, 1 if pinned else 2, 32 if workload.endswith('32') else 1, time_)
        run(3)  # warms up just-in-time compilation and caches
        before = processor_seconds(server.process.pid)
        count, rate, p99 = run(seconds)
        return rate, p99, (processor_seconds(server.process.pid) - before) * 1e6 / count


def publish():
    target = os.path.join(ROOT, 'artifacts', 'compare')
    print('Publishing Garnet ...', file=sys.stderr)
    subprocess.run(['dotnet', 'publish', os.path.join(ROOT, 'src', 'GarnetServer'), '-c', 'Release', '-o', target, '-v', 'q', '--nologo'], check=True, stdout=sys.stderr)
    return os.path.join(target, 'garnet')


def add_server_options(parser):
    """The options that commands() reads."""
    parser.add_argument('--garnet', help='a published garnet program to run instead of publishing one')
    parser.add_argument('--servers', help='comma-separated names; all that are found by default')
    parser.add_argument('--command', action='append', default=[], help='name=command with {port} and {dir}')


def commands(arguments):
    found = {'garnet': (arguments.garnet or publish()) + ' --port {port} --bind 127.0.0.1 --dir {dir}'}
    for name, (program, template) in KNOWN.items():
        path = shutil.which(program)
        if path:
            found[name] = template.replace('{program}', path)
    for given in arguments.command:
        name, command = given.split('=', 1)
        found[name] = command
    if not arguments.servers:
        return found
    missing = [name for name in arguments.servers.split(',') if name not in found]
    if missing:
        sys.exit(f'Not found: {", ".join(missing)}. Put the program on PATH or give --command.')
    return {name: found[name] for name in arguments.servers.split(',')}


def table(workload, results):
    lines = [f'### {workload}', '', '| server | operations/s | p99 ms | processor us/op | operations/s, Garnet = 1 |', '|---|---|---|---|---|']
    base = results.get('garnet', next(iter(results.values())))[0]
    for name, (rate, p99, cost) in results.items():
        lines.append(f'| {name} | {rate:,.0f} | {p99:.2f} | {cost:.2f} | {rate / base:.2f} |')
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_server_options(parser)
    parser.add_argument('--workloads', default='p1,p32,all1,all32,large')
    parser.add_argument('--seconds', type=int, default=5)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--output', help='file for the table; printed in any case')
    arguments = parser.parse_args()
    memtier, redis_benchmark = shutil.which('memtier_benchmark'), shutil.which('redis-benchmark')
    if not memtier and not redis_benchmark:
        sys.exit('No load generator: install memtier_benchmark or redis-benchmark (Debian: apt install redis-tools).')
    load = Memtier(memtier) if memtier else RedisBenchmark(redis_benchmark)
    servers = commands(arguments)
    text = f'{os.cpu_count()} cores, {"memtier_benchmark" if memtier else "redis-benchmark"}, median of {arguments.rounds} rounds of {arguments.seconds} s.\n\n'
    for workload in arguments.workloads.split(','):
        rounds = [{name: measure(workload, name, command, load, arguments.seconds) for name, command in servers.items()} for _ in range(arguments.rounds)]
        results = {name: tuple(statistics.median(r[name][i] for r in rounds) for i in range(3)) for name in servers}
        text += table(workload, results) + '\n'
        print(table(workload, results), flush=True)
    if arguments.output:
        with open(arguments.output, 'w') as file:
            file.write(text)


if __name__ == '__main__':
    main()
