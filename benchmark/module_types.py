#!/usr/bin/env python3
"""Compares a large value of a module's type, a JSON document, with a hash of the same bytes: COPY, UNLINK, a snapshot while clients write, and loading it.

  benchmark/module_types.py                               a million elements, five rounds
  benchmark/module_types.py --garnet DIR/garnet --module DIR/Garnet.JsonDocuments.dll

Each row is the median of the rounds; the longest wait is that of a client that sets a small key while another one changes the value, during the snapshot and in a second without one. Needs the .NET SDK, Python 3.9 and Linux.
"""
import argparse, os, socket, statistics, subprocess, sys, tempfile, threading, time

import compare

HERE = os.path.dirname(os.path.abspath(__file__))


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port))
        self.file = self.socket.makefile('rb')

    def call(self, *arguments):
        arguments = [each if isinstance(each, bytes) else str(each).encode() for each in arguments]
        self.socket.sendall(b''.join([b'*%d\r\n' % len(arguments)] + [b'$%d\r\n%s\r\n' % (len(each), each) for each in arguments]))
        return self.reply()

    def reply(self):
        line = self.file.readline()
        if line[:1] == b'-':
            raise RuntimeError(line.decode())
        if line[:1] == b'$':
            length = int(line[1:])
            return self.file.read(length + 2)[:-2] if length >= 0 else None
        return [self.reply() for _ in range(int(line[1:]))] if line[:1] == b'*' else line[1:-2]


class Server:
    def __init__(self, arguments, folder, log):
        self.port = compare.free_port()
        command = [arguments.garnet, '--port', str(self.port), '--dir', folder, '--save', '', '--loadmodule', arguments.module]
        self.process = subprocess.Popen(command, stdout=log, stderr=log)
        start = time.monotonic()
        while not compare.ping(self.port):
            if self.process.poll() is not None:
                sys.exit('the server has ended')
            time.sleep(0.001)
        self.start_seconds = time.monotonic() - start
        self.client = Client(self.port)

    def end(self):
        self.process.kill()
        self.process.wait()


def timed(client, *command):
    start = time.perf_counter()
    client.call(*command)
    return (time.perf_counter() - start) * 1e3


def fill(client, kind, count):
    value = [b'value-%07d-%07d' % (i, i * 7919 % count) for i in range(count)]
    if kind == 'JSON':
        client.call('JSON.SET', 'key', '$', b'["' + b'","'.join(value) + b'"]')
    else:
        for i in range(0, count, 1000):
            client.call('HSET', 'key', *[part for each in value[i:i + 1000] for part in (each[:13], each[13:])])


def change(client, kind):
    if kind == 'JSON':
        client.call('JSON.SET', 'key', '$[0]', '"changed"')
    else:
        client.call('HSET', 'key', 'value-0000000', 'changed')


def load(server, kind, work):
    """Milliseconds of work during which clients write, and the longest wait of one that sets a small key."""
    ended, waits = threading.Event(), []

    def write(make):
        client = Client(server.port)
        while not ended.is_set():
            waits.append(make(client))

    writers = [threading.Thread(target=write, args=(lambda client: timed(client, 'SET', 'small', 'x'),))]
    writers.append(threading.Thread(target=write, args=(lambda client: change(client, kind) or 0,)))
    for writer in writers:
        writer.start()
    start = time.perf_counter()
    work()
    took = (time.perf_counter() - start) * 1e3
    ended.set()
    for writer in writers:
        writer.join()
    return took, max(waits)


def save(server):
    server.client.call('BGSAVE')
    while b'rdb_bgsave_in_progress:1' in server.client.call('INFO', 'persistence'):
        time.sleep(0.001)


def measure(arguments, kind, log):
    rows = {'COPY, ms': [], 'UNLINK, ms': [], 'snapshot, ms': [], 'longest wait during it, ms': [], 'longest wait without it, ms': [], 'start and load, ms': []}
    for _ in range(arguments.rounds):
        with tempfile.TemporaryDirectory(prefix='garnet-types-') as folder:
            server = Server(arguments, folder, log)
            fill(server.client, kind, arguments.count)
            rows['COPY, ms'].append(timed(server.client, 'COPY', 'key', 'other'))
            rows['UNLINK, ms'].append(timed(server.client, 'UNLINK', 'other'))
            rows['longest wait without it, ms'].append(load(server, kind, lambda: time.sleep(1))[1])
            took, wait = load(server, kind, lambda: save(server))
            rows['snapshot, ms'].append(took)
            rows['longest wait during it, ms'].append(wait)
            server.end()
            again = Server(arguments, folder, log)
            while b'loading:1' in again.client.call('INFO', 'persistence'):
                time.sleep(0.001)
            rows['start and load, ms'].append(again.start_seconds * 1e3)
            assert again.client.call('EXISTS', 'key') == b'1', 'the snapshot lacks the key'
            again.end()
    return {name: statistics.median(values) for name, values in rows.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', help='a published server; published now by default')
    parser.add_argument('--module', help='the built Garnet.JsonDocuments.dll, with --garnet')
    parser.add_argument('--count', type=int, default=1_000_000)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--log', default=os.devnull, help='where the servers write their messages')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='garnet-types-') as folder, open(arguments.log, 'w') as log:
        if not arguments.garnet:
            for source, target in (('src/GarnetServer', 'garnet'), ('samples/Garnet.JsonDocuments', 'module')):
                path = os.path.join(HERE, '..', source)
                subprocess.run(['dotnet', 'publish', path, '-c', 'Release', '-o', os.path.join(folder, target), '--nologo', '-v', 'q'], check=True)
            arguments.garnet = os.path.join(folder, 'garnet', 'garnet')
            arguments.module = os.path.join(folder, 'module', 'Garnet.JsonDocuments.dll')
        results = {kind: measure(arguments, kind, log) for kind in ('JSON', 'hash')}
    print(f'{arguments.count:,} elements, {arguments.rounds} rounds\n\n| | JSON | hash |\n|---|---|---|')
    for name in results['JSON']:
        print(f"| {name} | {results['JSON'][name]:,.2f} | {results['hash'][name]:,.2f} |")


if __name__ == '__main__':
    main()
