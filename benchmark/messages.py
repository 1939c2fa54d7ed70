#!/usr/bin/env python3
"""Measures publish and subscribe, keyspace notifications, client-side caching and restricted users on Garnet and other servers.

  benchmark/messages.py                                     all parts, Garnet and every known server found on PATH
  benchmark/messages.py --parts deliveries --rounds 3
  benchmark/messages.py --parts deliveries --loads large      one load alone: only then the peak of resident memory is that load's
  benchmark/messages.py --parts memory,notifications --servers garnet,valkey

Parts:
  deliveries     messages of 128 bytes to 0, 1, 100, 1,000 and 5,000 subscribers of a channel, 100 publishers on 100 channels of 100 subscribers
                 each, 10,000 channels of one subscriber each, and messages of 1 MiB to 100 subscribers; per second of the server's processor
                 time. All servers run at the same time on core 0, all but one idle; the load (benchmark/Garnet.PubSubLoad) on core 1.
  memory         resident bytes of 1,000,000 subscriptions (10 clients with 100,000 channels each; 10,000 with 100 each), and the longest
                 PING of another client while one with 100,000 channels disconnects
  notifications  processor time of SET with pipeline 32, notifications off, on without subscribers (KEA), and with one subscriber of a pattern

Needs: Python 3.9, Linux, taskset; memtier_benchmark for notifications; a limit of open files (ulimit -n) of 20,000 for 5,000 and 10,000 clients.
Servers and their options: see benchmark/compare.py --help. Compare ratios within one table.
"""
import argparse, os, shutil, socket, statistics, subprocess, sys, time

import compare

CHANNELS = 1_000_000


def resident_bytes(pid):
    with open(f'/proc/{pid}/statm') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


def row(*cells):
    print('| ' + ' | '.join(str(cell) for cell in cells) + ' |', flush=True)


def head(*cells):
    row(*cells)
    print('|' + '---|' * len(cells), flush=True)


def raise_max_clients(command, name):
    return command + ' --maxclients 15000' if name in ('garnet', 'valkey', 'redis') else command


def deliveries(servers, arguments):
    load = os.path.join(compare.ROOT, 'artifacts', 'pubsub-load')
    subprocess.run(['dotnet', 'publish', os.path.join(compare.ROOT, 'benchmark', 'Garnet.PubSubLoad'), '-c', 'Release', '-o', load, '-v', 'q', '--nologo'],
                   check=True, stdout=sys.stderr)
    running = [compare.Server(name, raise_max_clients(command, name), True).__enter__() for name, command in servers.items()]
    try:
        argv = ['taskset', '-c', '1', os.path.join(load, 'Garnet.PubSubLoad'), '--seconds', str(arguments.seconds)]
        argv += ['--loads', arguments.loads] if arguments.loads else []
        argv += [f'{server.name}={server.port}:{server.process.pid}' for server in running]
        rounds = [subprocess.run(argv, check=True, capture_output=True, text=True).stdout.splitlines()[2:] for _ in range(arguments.rounds)]
    finally:
        for server in running:
            server.__exit__()
    results = {}
    for line in [line for each in rounds for line in each]:
        name, pipeline, server, _, _, per_second, _, peak = [cell.strip() for cell in line.strip('|').split('|')]
        results.setdefault((name, pipeline), {}).setdefault(server, []).append((float(per_second.replace(',', '')), float(peak)))
    has_peak = len(set(name for name, _ in results)) == 1
    head('load', 'pipeline', *[f'{name}: deliveries per processor second' for name in servers], *[f'{name}: peak MiB' for name in servers if has_peak])
    for (name, pipeline), found in results.items():
        row(name, pipeline, *[f'{statistics.median(each[0] for each in found[server]):,.0f}' for server in servers],
            *[f'{max(each[1] for each in found[server]):.0f}' for server in servers if has_peak])


class Link:
    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port))

    def subscribe(self, first, count):
        for at in range(first, first + count, 1000):
            names = [f'channel:{number:08}' for number in range(at, min(at + 1000, first + count))]
            self.socket.sendall(compare.encode('SUBSCRIBE', *names))
            self.skip(len(names) * len(b'*3\r\n$9\r\nsubscribe\r\n$16\r\nchannel:00000000\r\n:'))

    def skip(self, least):
        # The lengths of the counts differ: what is left is read before the next request.
        while least > 0:
            least -= len(self.socket.recv(1 << 20))

    def ping_seconds(self):
        start = time.perf_counter()
        self.socket.sendall(compare.encode('PING'))
        self.socket.recv(64)
        return time.perf_counter() - start


def memory(servers, arguments):
    head('server', *[f'{clients:,} clients x {CHANNELS // clients:,}: bytes per subscription' for clients in (10, 10_000)],
         'longest PING while 100,000 subscriptions end, ms')
    for name, command in servers.items():
        cells = []
        wait = 0
        for clients in (10, 10_000):
            with compare.Server(name, raise_max_clients(command, name), False) as server:
                links = [Link(server.port) for _ in range(clients)]
                onlooker = Link(server.port)
                for _ in range(1000):
                    onlooker.ping_seconds()
                before = resident_bytes(server.process.pid)
                each = CHANNELS // clients
                for number, link in enumerate(links):
                    link.subscribe(number * each, each)
                cells.append(f'{(resident_bytes(server.process.pid) - before) / CHANNELS:.0f}')
                if clients == 10:
                    for link in links[:3]:
                        link.socket.close()
                        end = time.time() + 1
                        while time.time() < end:
                            wait = max(wait, onlooker.ping_seconds())
                for link in links:
                    link.socket.close()
        row(name, *cells, f'{wait * 1000:.1f}')


def notifications(servers, arguments):
    program = shutil.which('memtier_benchmark') or sys.exit('notifications need memtier_benchmark.')
    load = compare.Memtier(program)
    names = [name for name in servers if name != 'microsoft']
    head('server', 'off, us per SET', 'on, no subscriber', 'on, one subscriber', 'on / off', 'subscriber / off')
    results = {name: [] for name in names}
    for _ in range(arguments.rounds):
        for name in names:
            with compare.Server(name, servers[name], True) as server:
                costs = []
                for setting, subscribes in (('', False), ('KEA', False), ('KEA', True)):
                    with socket.create_connection(('127.0.0.1', server.port)) as link:
                        link.sendall(compare.encode('CONFIG', 'SET', 'notify-keyspace-events', setting))
                        link.recv(64)
                    reader = None
                    if subscribes:
                        reader = subprocess.Popen(['taskset', '-c', '1', sys.executable, '-c', READER, str(server.port)])
                    run = lambda seconds: load.run(server, 1, ['--threads=1', '--clients=50', '--pipeline=32', '--ratio=1:0', '--data-size=64',
                                                               '--key-maximum=100000', '--key-pattern=R:R', f'--test-time={seconds}'])
                    run(2)
                    before = compare.processor_seconds(server.process.pid)
                    count = run(arguments.seconds)[0]
                    costs.append((compare.processor_seconds(server.process.pid) - before) * 1e6 / count)
                    if reader:
                        reader.kill()
                        reader.wait()
                results[name].append(costs)
    for name in names:
        off, on, read = (statistics.median(each[i] for each in results[name]) for i in range(3))
        row(name, f'{off:.3f}', f'{on:.3f}', f'{read:.3f}', f'{on / off:.2f}', f'{read / off:.2f}')


# Reads and discards everything.
READER = '''
import socket, sys
link = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
link.sendall(b'*2\\r\\n$10\\r\\nPSUBSCRIBE\\r\\n$16\\r\\n__keyevent@0__:*\\r\\n')
buffer = bytearray(1 << 20)
while link.recv_into(buffer):
    pass
'''

PARTS = {'deliveries': deliveries, 'memory': memory, 'notifications': notifications}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    compare.add_server_options(parser)
    parser.add_argument('--parts', default=','.join(PARTS))
    parser.add_argument('--loads', help='comma-separated loads of Garnet.PubSubLoad for the part "deliveries"; all by default')
    parser.add_argument('--seconds', type=int, default=4)
    parser.add_argument('--rounds', type=int, default=1)
    arguments = parser.parse_args()
    servers = compare.commands(arguments)
    for part in arguments.parts.split(','):
        print(f'\n### {part}\n')
        PARTS[part](servers, arguments)


if __name__ == '__main__':
    main()
