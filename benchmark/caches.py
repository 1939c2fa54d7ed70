#!/usr/bin/env python3
"""Compares caches: each that is found, SET and GET, over a Unix socket, by two load generators. Writes a table and a picture.

  benchmark/caches.py --table docs/caches-figures.md --picture docs/caches.svg
  benchmark/caches.py --rounds 1 --seconds 1 --pipelines 1,10         a short run that shows that it works

Needs: Python 3.9, Linux. Garnet is published (Release) first, unless --garnet names a program. Others take part if their program is on PATH:
valkey-server, redis-server, garnet-server (Microsoft's Garnet), memcached. The load comes from `garnet bench` and, if it is on PATH, from
memtier_benchmark, which belongs to none of the servers and is therefore the judge; memcached speaks another protocol, so memtier alone measures it.

All servers run throughout, without persistence and with their own defaults otherwise; those that are not measured are idle. Each figure is the median
of --rounds rounds. Rounds are interleaved, and the order of the servers alternates, so that what else the machine does meets all alike. Columns:
requests per second, 99th percentile of latency in milliseconds, and the server's own processor time for a request in microseconds (from /proc), which is
what to compare where server and load share the processors. --server-cores and --load-cores give each their own.
"""
import argparse, contextlib, json, os, shlex, shutil, signal, socket, statistics, subprocess, sys, tempfile, time

import compare
from caches_picture import draw
from compare import encode, free_port, processor_seconds, publish

# Program, how it is started, and what it is called; {socket}, {port} and {dir} are its own.
KNOWN = {
    'garnet': (None, '{program} --port 0 --unixsocket {socket} --dir {dir}'),
    'valkey': ('valkey-server', '{program} --port 0 --unixsocket {socket} --save "" --dir {dir}'),
    'redis': ('redis-server', '{program} --port 0 --unixsocket {socket} --save "" --dir {dir}'),
    'microsoft': ('garnet-server', '{program} --port {port} --bind 127.0.0.1 --unixsocket {socket} --checkpointdir {dir}'),
    'memcached': ('memcached', '{program} -s {socket} -a 0700 -u {user} -m 1024 -c 4096'),
}
WARM_UP_SECONDS = 1


class Server(compare.Server):
    """A running server on a Unix socket; ended by its own process ID."""

    def __init__(self, name, program, cores):
        self.name, self.dir = name, tempfile.mkdtemp(prefix='caches-')
        self.socket = os.path.join(self.dir, 's')
        self.is_memcached = name == 'memcached'
        command = KNOWN[name][1].format(
            program=shlex.quote(program), socket=self.socket, port=free_port(), dir=self.dir, user=os.environ.get('USER', 'root'))
        self.log = open(os.path.join(self.dir, 'server.log'), 'wb')
        self.process = subprocess.Popen(pinned(cores) + shlex.split(command), stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)

    def answers(self):
        return self.version() is not None

    def version(self):
        """Its product and version; None while it does not answer."""
        try:
            with socket.socket(socket.AF_UNIX) as link:
                link.settimeout(1)
                link.connect(self.socket)
                link.sendall(b'version\r\n' if self.is_memcached else encode('INFO', 'server'))
                text = link.recv(64 * 1024).decode(errors='replace')
        except OSError:
            return None
        if self.is_memcached:
            return f'memcached {text.split()[1]}' if text.startswith('VERSION ') else None
        fields = dict(line.split(':', 1) for line in text.split('\r\n') if ':' in line)
        if self.name == 'microsoft':
            return f"Microsoft's Garnet {fields['garnet_version']}" if 'garnet_version' in fields else None
        for field, product in (('garnet_version', 'Garnet'), ('valkey_version', 'Valkey'), ('redis_version', 'Redis')):
            if field in fields:
                return f'{product} {fields[field]}'
        return None


class Bench:
    """Load by `garnet bench`."""

    name = 'garnet bench'

    def __init__(self, program, arguments):
        self.program, self.arguments = program, arguments

    def takes(self, server):
        return not server.is_memcached

    def fill(self, server):
        pass  # --fill does, before each measurement

    def run(self, server, command, pipeline, seconds):
        """Requests per second, p99 in ms, the server's processor microseconds for a request."""
        ratio = '1:0' if command == 'SET' else '0:1'
        argv = [self.program, 'bench', '-s', server.socket, '-c', str(self.arguments.clients), '--threads', str(self.arguments.threads), '-P', str(pipeline),
                '--ratio', ratio, '-r', str(self.arguments.keys), '-d', str(self.arguments.size), '--fill', '--warmup', str(WARM_UP_SECONDS), '--test-time', str(seconds),
                '--json', '--no-progress', '--server-pid', str(server.process.pid)]
        out = subprocess.run(pinned(self.arguments.load_cores) + argv, check=True, capture_output=True, text=True).stdout
        test = json.loads(out)['tests'][0]
        figures = test['commands'][0]
        if figures['errors'] or figures['nulls']:
            sys.exit(f'{server.name}: {figures["errors"]} errors and {figures["nulls"]} misses; nothing can be compared')
        return figures['requests_per_second'], figures['p99_ms'], test['server_us_per_request']


class Memtier:
    """Load by memtier_benchmark."""

    name = 'memtier_benchmark'

    def __init__(self, program, arguments):
        self.program, self.arguments = program, arguments

    def takes(self, server):
        return True

    def fill(self, server):
        self.call(server, ['--threads=1', '--clients=1', '--pipeline=50', '--ratio=1:0', '--key-pattern=P:P', '--requests=allkeys'])

    def run(self, server, command, pipeline, seconds):
        threads = self.arguments.threads
        options = [f'--threads={threads}', f'--clients={self.arguments.clients // threads}', f'--pipeline={pipeline}',
                   '--ratio=1:0' if command == 'SET' else '--ratio=0:1', '--key-pattern=R:R']
        self.call(server, options + [f'--test-time={WARM_UP_SECONDS}'])
        before = processor_seconds(server.process.pid)
        report = self.call(server, options + [f'--test-time={seconds}'])
        used = processor_seconds(server.process.pid) - before
        if report['Gets']['Misses/sec']:
            sys.exit(f'{server.name}: {report["Gets"]["Misses/sec"]} misses a second; nothing can be compared')
        totals = report['Totals']
        return totals['Ops/sec'], totals['Percentile Latencies']['p99.00'], used * 1e6 / totals['Count']

    def call(self, server, options):
        report = os.path.join(server.dir, 'memtier.json')
        protocol = ['--protocol=memcache_text'] if server.is_memcached else []
        argv = [self.program, '-S', server.socket, '--hide-histogram', '--json-out-file', report, f'--data-size={self.arguments.size}',
                '--key-minimum=1', f'--key-maximum={self.arguments.keys}'] + protocol + options
        subprocess.run(pinned(self.arguments.load_cores) + argv, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(report) as file:
            return json.load(file)['ALL STATS']


def pinned(cores):
    return ['taskset', '-c', cores] if cores else []


def programs(arguments, garnet):
    """The servers that take part, by name."""
    found = {'garnet': garnet}
    for name, (program, _) in KNOWN.items():
        path = shutil.which(program) if program else None
        if path:
            found[name] = path
    if not arguments.servers:
        return found
    missing = [name for name in arguments.servers.split(',') if name not in found]
    if missing:
        sys.exit(f'Not found: {", ".join(missing)}. Put the program on PATH.')
    return {name: found[name] for name in arguments.servers.split(',')}


def compare(load, servers, command, pipeline, arguments):
    """The medians of all rounds, by server."""
    rounds = {server.name: [] for server in servers}
    for number in range(arguments.rounds):
        for server in servers if number % 2 == 0 else reversed(servers):
            rounds[server.name].append(load.run(server, command, pipeline, arguments.seconds))
    return {name: tuple(statistics.median(column) for column in zip(*each)) for name, each in rounds.items()}


def table(cells, versions):
    """Markdown: a row for each command, pipeline and server; cells are by (command, pipeline)."""
    lines = ['| command | pipeline | server | requests/s | p99 ms | server us/request | requests/s, Garnet = 1 |', '|---|---|---|---|---|---|---|']
    for (command, pipeline), figures in cells.items():
        base = figures.get('garnet', next(iter(figures.values())))[0]
        for name, (rate, p99, cost) in figures.items():
            lines.append(f'| {command} | {pipeline} | {versions[name]} | {rate:,.0f} | {p99:.2f} | {cost:.2f} | {rate / base:.2f} |')
            command = pipeline = ''
    return '\n'.join(lines) + '\n'


def heading(arguments):
    cores = f'server on {arguments.server_cores}, load on {arguments.load_cores}' if arguments.server_cores else 'shared by server and load'
    return (f'{os.cpu_count()} processors, {cores}. Unix socket, {arguments.clients} clients on {arguments.threads} thread(s), {arguments.keys:,} keys, values of '
            f'{arguments.size} bytes, medians of {arguments.rounds} interleaved rounds of {arguments.seconds} s.\n')


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', help='a published garnet program to run instead of publishing one')
    parser.add_argument('--servers', help='comma-separated names (garnet, valkey, redis, microsoft, memcached); all that are found by default')
    parser.add_argument('--loads', default='bench,memtier', help='load generators (bench,memtier)')
    parser.add_argument('--commands', default='SET,GET')
    parser.add_argument('--pipelines', default='1,10,25,50')
    parser.add_argument('--clients', type=int, default=256)
    parser.add_argument('--threads', type=int, default=1, help='threads of the load generator (1)')
    parser.add_argument('--keys', type=int, default=100_000)
    parser.add_argument('--size', type=int, default=64, help='bytes of a value (64)')
    parser.add_argument('--seconds', type=int, default=5)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--server-cores', help='processors of the servers, as for taskset')
    parser.add_argument('--load-cores', help='processors of the load generator')
    parser.add_argument('--table', help='file for the tables; printed in any case')
    parser.add_argument('--picture', help='file for the picture, SVG')
    return parser.parse_args()


def loads(arguments, garnet):
    wanted, memtier = arguments.loads.split(','), shutil.which('memtier_benchmark')
    found = [Bench(garnet, arguments)] if 'bench' in wanted else []
    if 'memtier' in wanted and memtier:
        found.append(Memtier(memtier, arguments))
    return found or sys.exit('No load generator: put memtier_benchmark on PATH, or take bench.')


def main():
    arguments = read_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # an end that also ends the servers
    garnet = arguments.garnet or publish()
    text, pictured = heading(arguments), None
    with contextlib.ExitStack() as running:
        servers = [running.enter_context(Server(name, program, arguments.server_cores)) for name, program in programs(arguments, garnet).items()]
        versions = {server.name: server.version() for server in servers}
        for load in loads(arguments, garnet):
            taking_part, cells = [server for server in servers if load.takes(server)], {}
            for server in taking_part:
                load.fill(server)
            for command in arguments.commands.split(','):
                for pipeline in arguments.pipelines.split(','):
                    cells[command, pipeline] = compare(load, taking_part, command, int(pipeline), arguments)
                    print(table({(command, pipeline): cells[command, pipeline]}, versions), flush=True)
            text += f'\nMeasured by {load.name}:\n\n{table(cells, versions)}'
            pictured = (load.name, cells)  # the last: the judge, where it is there
    if arguments.table:
        with open(arguments.table, 'w') as file:
            file.write(text)
    if arguments.picture:
        with open(arguments.picture, 'w') as file:
            file.write(draw(pictured[1], versions, f'{arguments.clients} clients on a Unix socket, measured by {pictured[0]}'))


if __name__ == '__main__':
    main()
