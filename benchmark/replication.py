#!/usr/bin/env python3
"""Measures replication for several sizes of the sends: a full synchronization, the link alone, and a stream of writes, over TCP and TLS.

  benchmark/replication.py --table replication.md                          all sizes, TCP and TLS, Valkey beside, three rounds
  benchmark/replication.py --transport tls --valkey ''                     one part, where a run may not take long
  benchmark/replication.py --receivers 3 --part sync                       three replicas at once; only the full synchronization
  benchmark/replication.py --merge a.md b.md --table all.md --picture all.svg   tables of several runs as one
  benchmark/replication.py --quick                                         one round with little data: only checks that the script works

Needs Python 3.9, Linux, two cores, taskset, openssl for TLS, and strace for the system calls (omitted without it). Garnet is published as by benchmark/compare.py, unless
--garnet names a build; valkey-server takes part if it is on PATH (or --valkey) as its own replica: diskless, with a file, and with its second connection.

The link alone: the primary sends what was written while the replica's process was stopped. The primary runs on core 0, the replica and the load on core 1. Values are
random, so nothing is compressed. Seconds are those until the replica has everything; processor seconds are per GiB of the data, of one replica if there are
several. On the loopback interface only processor time and system calls discriminate: the link costs nothing. Rounds are interleaved, medians shown.
"""
import argparse, os, shlex, shutil, signal, socket, statistics, subprocess, sys, tempfile, time

import compare

SIZES = [1 << 10, 4 << 10, 8 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 0]
VALKEY_MODES = {'Valkey': '', 'Valkey, file': ' --repl-diskless-sync no', 'Valkey, dual channel': ' --dual-channel-replication-enabled yes'}
OPTION = 'repl-send-buffer-size'
SYNC, LINK, STREAM = PARTS = ['full synchronization', 'link alone', 'stream']
HEADER = '| | seconds | sends/GiB | system calls/GiB | processor s/GiB, primary | replica |'
RULE = '|---|---|---|---|---|---|---|'
PATIENCE = 120
DEFAULTS = {'--save': '', '--repl-diskless-sync-delay': '0', '--rdbcompression': 'no', '--client-output-buffer-limit': 'replica 0 0 0', '--repl-backlog-size': '64mb'}


def make_certificate(folder):
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=localhost',
                    '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', f'{folder}/key.pem', '-out', f'{folder}/cert.pem'], check=True, capture_output=True)


class Server:
    """A primary or a replica, which the script reaches over a Unix socket."""

    def __init__(self, command, core, transport, folder, *options):
        own = tempfile.mkdtemp(dir=folder)
        self.path, self.port = f'{own}/s', compare.free_port()
        tls = transport == 'tls'
        ports = ['--port', '0', '--tls-port', str(self.port)] if tls else ['--port', str(self.port)]
        if tls:
            ports += ['--tls-cert-file', f'{folder}/cert.pem', '--tls-key-file', f'{folder}/key.pem', '--tls-ca-cert-file', f'{folder}/cert.pem', '--tls-auth-clients', 'no',
                      '--tls-replication', 'yes']
        argv = ['taskset', '-c', str(core)] + shlex.split(command) + ports + [
            '--bind', '127.0.0.1', '--unixsocket', self.path, '--dir', own] + [word for option in {**DEFAULTS, **dict(zip(options[::2], options[1::2]))}.items() for word in option]
        self.log = open(f'{own}/log', 'w+')
        self.process = subprocess.Popen(argv, stdout=self.log, stderr=subprocess.STDOUT)
        deadline = time.time() + 30
        while True:
            try:
                self.connect()
                self.call('PING')
                return
            except OSError:
                if time.time() > deadline or self.process.poll() is not None:
                    self.log.seek(0)
                    sys.exit(f'it does not start: {" ".join(argv)}\n{self.log.read()[-2000:]}')
                time.sleep(0.02)

    def connect(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(self.path)
        self.reader = self.socket.makefile('rb')

    def call(self, *words):
        try:
            self.socket.sendall(compare.encode(*words))
            return self.read()
        except (ConnectionError, EOFError):
            # A Sentinel has closed the connections of all clients, because the role has changed.
            self.connect()
            self.socket.sendall(compare.encode(*words))
            return self.read()

    def read(self):
        line = self.reader.readline()
        if not line:
            raise EOFError
        if line[:1] == b'-':
            sys.exit(line.decode())
        if line[:1] == b'$':
            return self.reader.read(int(line[1:]) + 2)[:-2]
        return [self.read() for _ in range(int(line[1:]))] if line[:1] == b'*' else line[1:-2]

    def info(self):
        return dict(line.split(':', 1) for line in self.call('INFO', 'replication').decode().split('\r\n') if ':' in line)

    def write(self, keys, value_bytes, prefix='k'):
        """Pipelined SETs of random values."""
        pipeline = max(1, (1 << 20) // value_bytes)
        for first in range(0, keys, pipeline):
            batch = [compare.encode('SET', f'{prefix}{i}', os.urandom(value_bytes)) for i in range(first, min(keys, first + pipeline))]
            self.socket.sendall(b''.join(batch))
            for _ in batch:
                self.read()

    def processor_seconds(self):
        # The process's clock, which is exact, and the children that Valkey has forked for a synchronization, in hundredths.
        with open(f'/proc/{self.process.pid}/stat') as stat:
            fields = stat.read().rsplit(')', 1)[1].split()
        return time.clock_gettime((~self.process.pid << 3) | 2) + sum(int(fields[i]) for i in (13, 14)) / os.sysconf('SC_CLK_TCK')

    def stop(self):
        self.process.kill()
        self.process.wait()


class SystemCalls:
    """Counts the calls of a process that write, while the body runs; None without strace."""

    def __init__(self, server, folder, wanted):
        self.server, self.out, self.wanted, self.count = server, f'{folder}/strace', wanted and shutil.which('strace'), None

    def __enter__(self):
        if self.wanted:
            self.strace = subprocess.Popen(['strace', '-c', '-f', '-e', 'trace=write,writev,sendto,sendmsg', '-o', self.out, '-p', str(self.server.process.pid)], stderr=subprocess.DEVNULL)
            time.sleep(1)
        return self

    def __exit__(self, *_):
        if self.wanted:
            self.strace.send_signal(2)
            self.strace.wait(30)
            with open(self.out) as table:
                self.count = sum(int(line.split()[3]) for line in table if line.split()[-1:] and line.split()[-1] in ('write', 'writev', 'sendto', 'sendmsg'))


def wait(condition):
    deadline = time.time() + PATIENCE
    while not condition():
        if time.time() > deadline:
            sys.exit('the replica does not get the data')
        time.sleep(0.005)


def follow(replicas, primary):
    for replica in replicas:
        replica.call('REPLICAOF', '127.0.0.1', str(primary.port))
    wait(lambda: all(replica.info().get('master_link_status') == 'up' for replica in replicas))


def signal_all(servers, number):
    for server in servers:
        server.process.send_signal(number)


def measure(primary, replica_command, transport, folder, size, arguments, counts):
    """A row for each part: seconds, sends, system calls, processor seconds of primary and replica; all but the first per GiB."""
    value_bytes = arguments.value_kib << 10
    keys, gib = arguments.mib * (1 << 20) // value_bytes, arguments.mib / 1024
    if size is not None:
        primary.call('CONFIG', 'SET', OPTION, str(size))
    replicas = [Server(replica_command, 1, transport, folder) for _ in range(arguments.receivers)]
    results = []
    try:
        if arguments.part == 'link':
            follow(replicas, primary)
        for part in {'all': PARTS, 'sync': [SYNC], 'link': [LINK]}[arguments.part]:
            if part == LINK:
                signal_all(replicas, signal.SIGSTOP)
                primary.write(keys, value_bytes)
            sends = int(primary.info().get('replica_sends', 0))
            with SystemCalls(primary, folder, counts) as calls:
                before, start = [server.processor_seconds() for server in [primary] + replicas], time.time()
                if part == SYNC:
                    follow(replicas, primary)
                else:
                    if part == LINK:
                        signal_all(replicas, signal.SIGCONT)
                    else:
                        primary.write(keys, value_bytes)
                    wait(lambda: all(replica.info()['slave_repl_offset'] == primary.info()['master_repl_offset'] for replica in replicas))
                seconds = time.time() - start
            used = [server.processor_seconds() - former for server, former in zip([primary] + replicas, before)]
            sends = int(primary.info().get('replica_sends', 0)) - sends
            results.append((part, [seconds, sends / gib if size is not None else None, None if calls.count is None else calls.count / gib, used[0] / gib,
                                   statistics.mean(used[1:]) / gib]))
    finally:
        for replica in replicas:
            replica.stop()
        wait(lambda: primary.info()['connected_slaves'] == '0')
    return results


def run(arguments, garnet, transport, folder):
    """Medians by part and name."""
    primaries = [('Garnet', garnet, SIZES)] + ([(name, arguments.valkey + mode, [None]) for name, mode in VALKEY_MODES.items()] if arguments.valkey else [])
    figures, running = {}, []
    try:
        for name, command, sizes in primaries:
            primary = Server(command, 0, transport, folder, *(['--repl-diskless-sync-max-replicas', str(arguments.receivers), '--repl-diskless-sync-delay', '5'] if arguments.receivers > 1 else []))
            running.append((primary, name, command, sizes))
            primary.write(arguments.mib * (1 << 20) // (arguments.value_kib << 10), arguments.value_kib << 10)
        for counts in [False] * arguments.rounds + ([True] if shutil.which('strace') and not arguments.without_calls else []):
            for primary, name, command, sizes in running:
                for size in sizes:
                    label = name if size is None else 'adaptive' if size == 0 else f'{size >> 10} KiB'
                    for part, row in measure(primary, command, transport, folder, size, arguments, counts):
                        kept = figures.setdefault((part, label), ([], []))
                        kept[counts].append(row)
    finally:
        for primary, *_ in running:
            primary.stop()
    return {key: [statistics.median(row[i] for row in plain) if i not in (1, 2) else (counted or plain)[0][i] for i in range(5)] for key, (plain, counted) in figures.items()}


def number(value, form):
    return '-' if value is None else format(value, form)


def table(results):
    lines = []
    for part in PARTS:
        lines += ['', f'| {part} {HEADER}', RULE]
        for transport, figures in results:
            for (of, label), row in figures.items():
                if of == part:
                    lines.append(f'| {transport} | {label} | {number(row[0], ".2f")} | {number(row[1], ",.0f")} | {number(row[2], ",.0f")} | {row[3]:.2f} | {row[4]:.2f} |')
    return '\n'.join(lines[1:]) + '\n'


def merge(files):
    """The rows of several tables: transport and name, with the other columns as text."""
    rows = {}
    for file in files:
        with open(file) as lines:
            part = None
            for line in lines:
                cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
                if cells[0] in PARTS:
                    part = cells[0]
                elif part and len(cells) == 7 and not cells[0].startswith('-'):
                    rows[part, cells[0], cells[1]] = cells[2:]
    return rows


def merged_table(rows):
    lines = []
    for part in PARTS:
        lines += ['', f'| {part} {HEADER}', RULE] + ['| ' + ' | '.join([transport, label] + cells) + ' |' for (of, transport, label), cells in rows.items() if of == part]
    return '\n'.join(lines[1:]) + '\n'


def picture(rows):
    """Processor seconds of the primary by the size of the sends, a panel for each part."""
    width, panel, left, top, gap = 860, 220, 70, 40, 70
    height = top + len(PARTS) * panel + (len(PARTS) - 1) * gap + 50
    colours = dict(zip(dict.fromkeys(transport for _, transport, _ in rows), ['#1b6ca8', '#c0392b', '#3a7d44', '#8e5ea2']))
    labels = [f'{size >> 10} KiB' for size in SIZES if size]
    x = lambda i: left + (width - left - 150) * i / (len(labels) - 1)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for number_of_part, part in enumerate(PARTS):
        start = top + number_of_part * (panel + gap)
        most = max((float(cells[3]) for (of, *_), cells in rows.items() if of == part), default=1)
        y = lambda value: start + panel * (1 - value / most)
        out += [f'<text x="{left}" y="{start - 8}">{part}: processor seconds of the primary per GiB, by the size of the sends</text>',
                f'<rect x="{left}" y="{start}" width="{width - left - 150}" height="{panel}" fill="none" stroke="#999"/>']
        out += [f'<text x="{x(i)}" y="{start + panel + 16}" text-anchor="middle">{label}</text>' for i, label in enumerate(labels)]
        out += [f'<text x="{left - 6}" y="{y(most * i / 4) + 4:.1f}" text-anchor="end">{most * i / 4:.1f}</text>' for i in range(5)]
        texts = []
        for transport, colour in colours.items():
            values = {label: float(cells[3]) for (of, each, label), cells in rows.items() if (of, each) == (part, transport)}
            points = ' '.join(f'{x(i):.1f},{y(values[label]):.1f}' for i, label in enumerate(labels) if label in values)
            out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
            valkey = min((value for label, value in values.items() if label.startswith('Valkey')), default=None)
            for name, value, dashes in (('adaptive', values.get('adaptive'), '2 3'), ('Valkey', valkey, '8 4')):
                if value is not None:
                    out.append(f'<line x1="{left}" x2="{width - 150}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="{colour}" stroke-dasharray="{dashes}"/>')
                    texts.append((y(value) + 4, colour, f'{transport}, {name}'))
        lowest = float('inf')
        for at, colour, text in sorted(texts, reverse=True):
            lowest = min(at, lowest - 14)
            out.append(f'<text x="{width - 144}" y="{lowest:.1f}" fill="{colour}">{text}</text>')
    return '\n'.join(out + ['</svg>']) + '\n'


def write(file, text):
    if file:
        with open(file, 'w') as target:
            target.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', help='command of a built server')
    parser.add_argument('--valkey', default=shutil.which('valkey-server') or '', help='command of valkey-server; empty for none')
    parser.add_argument('--transport', choices=['tcp', 'tls'], help='only this one')
    parser.add_argument('--mib', type=int, default=256, help='size of the data')
    parser.add_argument('--value-kib', type=int, default=4, help='size of a value')
    parser.add_argument('--receivers', type=int, default=1, help='replicas at once')
    parser.add_argument('--part', choices=['all', 'sync', 'link'], default='all', help='a full synchronization or the link alone')
    parser.add_argument('--without-calls', action='store_true', help='does not count system calls, which takes a round more')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--merge', nargs='+', help='files with tables of earlier runs; nothing is measured')
    parser.add_argument('--table', help='file for the table')
    parser.add_argument('--picture', help='file for the picture of merged tables')
    arguments = parser.parse_args()
    if arguments.merge:
        rows = merge(arguments.merge)
        print(merged_table(rows))
        write(arguments.table, merged_table(rows))
        write(arguments.picture, picture(rows))
        return
    if arguments.quick:
        arguments.rounds, arguments.mib = 1, 16
    garnet = arguments.garnet or compare.publish()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        if arguments.transport != 'tcp':
            make_certificate(folder)
        for transport in [arguments.transport] if arguments.transport else ['tcp', 'tls']:
            label = transport.upper() + (f', {arguments.receivers} replicas' if arguments.receivers > 1 else '')
            results.append((label, run(arguments, garnet, transport, folder)))
    text = table(results)
    print(text)
    write(arguments.table, text)


if __name__ == '__main__':
    main()
