#!/usr/bin/env python3
"""Compares Garnet with other RESP servers on lists, sets, hashes, sorted sets and streams, and writes Markdown tables.

  benchmark/compare_types.py                       everything, with Garnet and every known server found on PATH
  benchmark/compare_types.py --servers garnet,valkey --parts small,large --seconds 5 --rounds 3 --output types.md

Needs Python 3.9 and Linux; this script generates the load, on core 1, with the server on core 0. Servers are found and named as in compare.py.

Parts:
  small    10,000 keys of 10 elements: LPUSH+LPOP, SADD+SREM, HSET+HGET, ZADD+ZRANGE of 10, XADD
  large    the same on one key of 1,000,000 elements
  curve    ZRANK, LINDEX in the middle and SRANDMEMBER on one key of 10^3 to 10^7 elements
  groups   XCLAIM, XREADGROUP of a consumer's history and XPENDING of a consumer, with 100,000 pending entries and 10 to 10^5 consumers in one group
  memory   bytes of resident memory for 1,000,000 hashes of 10 fields, and per element of one key of 5,000,000
  drop     milliseconds until UNLINK of a key of 10,000,000 elements is answered, and the worst PING of another client in the two seconds after it;
           and, if INFO memory reports it, how long a garbage collection of the whole managed heap pauses the server with that key

Cells of the first four are the server's processor microseconds per command: 16 connections send 30 commands and a PING at a time, so that the
server is busy and not waiting. Rounds are interleaved and medians shown: compare ratios within one table.
"""
import argparse, os, random, selectors, socket, statistics, sys, time

import compare
from compare import encode

CONNECTIONS = 16
BATCH = 30
CHUNKS = 1500
SMALL_KEYS = 10_000
SMALL_ELEMENTS = 10
LARGE_ELEMENTS = 1_000_000
CURVE = [10**3, 10**4, 10**5, 10**6, 10**7]
CONSUMERS = [10, 10**3, 10**5]
PENDING = 100_000
MEMORY_ELEMENTS = 5_000_000
WARM_SECONDS = 12
DROPPED_ELEMENTS = 10_000_000
MEMORY_HASHES = 1_000_000
PING = b'*1\r\n$4\r\nPING\r\n'
TYPES = ('list', 'set', 'hash', 'zset', 'stream')
COMMANDS = {'list': 'LPUSH+LPOP', 'set': 'SADD+SREM', 'hash': 'HSET+HGET', 'zset': 'ZADD+ZRANGE', 'stream': 'XADD'}


class Unsupported(Exception):
    """A server replied to a command with an error: its cell stays empty."""


class Link:
    """A connection that sends batches ended by a PING and reads until its PONG."""

    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.tail = b''

    def send(self, batch):
        self.socket.sendall(batch)
        self.tail = b''

    def receive(self):
        """Whether the batch has been answered."""
        data = self.socket.recv(1 << 18)
        if not data:
            sys.exit('The server closed the connection.')
        is_first, data = not self.tail, self.tail + data
        if (is_first and data.startswith(b'-')) or b'\r\n-' in data:
            raise Unsupported(data[max(0, data.find(b'\r\n-')):][:200])
        self.tail = data[-7:]
        return self.tail == b'+PONG\r\n'

    def run(self, batch):
        self.send(batch + PING)
        while not self.receive():
            pass


def load(server, chunks, seconds):
    """Sends chunks for some time; returns the server's processor microseconds per command."""
    links = [Link(server.port) for _ in range(CONNECTIONS)]
    chosen = selectors.DefaultSelector()
    for link in links:
        chosen.register(link.socket, selectors.EVENT_READ, link)
    next_chunk = iter(lambda: random.choice(chunks), None)
    before, count, end = compare.processor_seconds(server.process.pid), 0, time.time() + seconds
    for link in links:
        link.send(next(next_chunk))
    busy = len(links)
    while busy:
        for key, _ in chosen.select():
            if not key.data.receive():
                continue
            count += BATCH + 1
            if time.time() < end:
                key.data.send(next(next_chunk))
            else:
                busy -= 1
    cost = (compare.processor_seconds(server.process.pid) - before) * 1e6 / count
    for link in links:
        link.socket.close()
    return cost


def pair(kind, key, elements):
    """Commands that keep the key's size (a stream's new entry replaces the oldest)."""
    number = random.randrange(elements)
    if kind == 'list':
        return [encode('LPUSH', key, f'element:{number}'), encode('LPOP', key)]
    if kind == 'set':
        return [encode('SADD', key, f'new:{number}'), encode('SREM', key, f'new:{number}')]
    if kind == 'hash':
        return [encode('HSET', key, f'field:{number}', f'value:{number}'), encode('HGET', key, f'field:{number}')]
    if kind == 'zset':
        first = random.randrange(max(1, elements - 10))
        return [encode('ZADD', key, random.randrange(elements), f'member:{number}'), encode('ZRANGE', key, first, first + 9)]
    return [encode('XADD', key, 'MAXLEN', '~', elements, '*', 'field', f'value:{number}')]


def chunks_of(kind, keys, elements):
    made = []
    for _ in range(CHUNKS):
        batch = []
        while len(batch) < BATCH:
            batch += pair(kind, random.choice(keys), elements)
        made.append(b''.join(batch) + PING)
    return made


def additions(kind, key, first, last):
    """One command that adds the elements from first to last, or one command per entry of a stream."""
    numbers = range(first, last)
    if kind == 'list':
        return encode('RPUSH', key, *(f'element:{n}' for n in numbers))
    if kind == 'set':
        return encode('SADD', key, *(f'member:{n}' for n in numbers))
    if kind == 'hash':
        return encode('HSET', key, *(word for n in numbers for word in (f'field:{n}', f'value:{n}')))
    if kind == 'zset':
        return encode('ZADD', key, *(word for n in numbers for word in (n, f'member:{n}')))
    return b''.join(encode('XADD', key, '*', 'field', f'value:{n}') for n in numbers)


def fill(server, kind, key, elements, start=0):
    link = Link(server.port)
    for first in range(start, elements, 500):
        link.run(additions(kind, key, first, min(first + 500, elements)))
    link.socket.close()


def fill_small(server, kind, keys, elements):
    link = Link(server.port)
    for first in range(0, len(keys), 100):
        link.run(b''.join(additions(kind, key, 0, elements) for key in keys[first:first + 100]))
    link.socket.close()


def work(part, kind, name, command, seconds):
    with compare.Server(name, command, pinned=True) as server:
        if part == 'small':
            keys, elements = [f'key:{n}' for n in range(SMALL_KEYS)], SMALL_ELEMENTS
            fill_small(server, kind, keys, elements)
        else:
            keys, elements = ['large'], LARGE_ELEMENTS
            fill(server, kind, 'large', elements)
        chunks = chunks_of(kind, keys, elements)
        load(server, chunks, WARM_SECONDS)  # just-in-time compilation takes some time under such a load
        return load(server, chunks, seconds)


def curve(name, command, seconds, sizes):
    """Microseconds for ZRANK, LINDEX and SRANDMEMBER at each size."""
    costs = {}
    with compare.Server(name, command, pinned=True) as server:
        before = 0
        for size in sizes:
            for kind in ('zset', 'list', 'set'):
                fill(server, kind, kind, size, before)
            before = size
            asked = {
                'ZRANK': lambda: encode('ZRANK', 'zset', f'member:{random.randrange(size)}'),
                'LINDEX': lambda: encode('LINDEX', 'list', size // 2 + random.randrange(-size // 100, size // 100)),
                'SRANDMEMBER': lambda: encode('SRANDMEMBER', 'set'),
            }
            for question, make in asked.items():
                chunks = [b''.join(make() for _ in range(BATCH)) + PING for _ in range(CHUNKS)]
                load(server, chunks, 0.5)
                costs[question, size] = load(server, chunks, seconds)
    return costs


def groups(name, command, seconds, consumers):
    """Microseconds for commands on one consumer, by the number of consumers in the group."""
    with compare.Server(name, command, pinned=True) as server:
        link = Link(server.port)
        link.run(encode('XGROUP', 'CREATE', 'stream', 'group', '$', 'MKSTREAM'))
        for first in range(1, PENDING, 500):
            link.run(b''.join(encode('XADD', 'stream', f'{n}-0', 'field', f'value:{n}') for n in range(first, first + 500)))
        for first in range(0, consumers, 500):
            link.run(b''.join(encode('XREADGROUP', 'GROUP', 'group', f'consumer:{n}', 'COUNT', PENDING // consumers, 'STREAMS', 'stream', '>') for n in range(first, min(first + 500, consumers))))
        link.socket.close()

        def consumer():
            return f'consumer:{random.randrange(consumers)}'

        asked = {
            'XCLAIM': lambda: encode('XCLAIM', 'stream', 'group', consumer(), 0, f'{random.randrange(1, PENDING)}-0', 'JUSTID'),
            'XREADGROUP': lambda: encode('XREADGROUP', 'GROUP', 'group', consumer(), 'COUNT', 1, 'STREAMS', 'stream', 0),
            'XPENDING': lambda: encode('XPENDING', 'stream', 'group', '-', '+', 1, consumer()),
        }
        costs = {}
        for question, make in asked.items():
            chunks = [b''.join(make() for _ in range(BATCH)) + PING for _ in range(CHUNKS)]
            load(server, chunks, WARM_SECONDS / 2)
            costs[question] = load(server, chunks, seconds)
        return costs


def resident(server):
    with open(f'/proc/{server.process.pid}/status') as status:
        return next(int(line.split()[1]) for line in status if line.startswith('VmRSS')) * 1024


def memory(kind, name, command):
    """Bytes of resident memory per hash of 10 fields ('hashes'), or per element of one large key, relative to a key of a tenth of the size that has warmed up the process."""
    with compare.Server(name, command, pinned=False) as server:
        fill(server, 'hash' if kind == 'hashes' else kind, 'warm', MEMORY_ELEMENTS // 10)
        time.sleep(12)
        before = resident(server)
        if kind == 'hashes':
            link = Link(server.port)
            for first in range(0, MEMORY_HASHES, 500):
                link.run(b''.join(encode('HSET', f'hash:{n}', *(word for f in range(10) for word in (f'field{f}', f'value{n % 1000}'))) for n in range(first, first + 500)))
            link.socket.close()
            count = MEMORY_HASHES
        else:
            fill(server, kind, 'large', MEMORY_ELEMENTS)
            count = MEMORY_ELEMENTS
        time.sleep(12)  # lets periodic background work finish
        return (resident(server) - before) / count


def drop(kind, name, command):
    """(UNLINK's milliseconds, the worst PING's after it, the pause of a full collection beside the key or None)."""
    with compare.Server(name, command, pinned=False) as server:
        fill(server, kind, 'large', DROPPED_ELEMENTS)
        pause = collection_pause(server)
        link, other = Link(server.port), Link(server.port)
        other.run(PING)
        start = time.time()
        link.run(encode('UNLINK', 'large') + PING)
        took, worst = time.time() - start, 0
        while time.time() - start < 2:
            asked = time.time()
            other.run(PING)
            worst = max(worst, time.time() - asked)
        return took * 1000, worst * 1000, pause


def collection_pause(server):
    link = socket.create_connection(('127.0.0.1', server.port))
    link.sendall(encode('MEMORY', 'PURGE') + encode('INFO', 'memory'))
    file = link.makefile('rb')
    file.readline()
    text = file.read(int(file.readline()[1:])).decode()
    link.close()
    fields = dict(line.split(':', 1) for line in text.split('\r\n') if ':' in line)
    return int(fields['managed_heap_last_full_pause_usec']) / 1000 if 'managed_heap_last_full_pause_usec' in fields else None


def table(title, rows, names):
    """rows: name of the row -> {server: number}; the last column is the first server's share of the second's."""
    def text(cell):
        return '–' if cell is None else f'{cell:.2f}'

    lines = [f'### {title}', '', '| | ' + ' | '.join(names) + (f' | {names[0]} / {names[1]} |' if len(names) > 1 else ' |'), '|---' * (len(names) + 2 if len(names) > 1 else 2) + '|']
    for row, cells in rows.items():
        share = f' | {cells[names[0]] / cells[names[1]]:.2f}' if len(names) > 1 and cells[names[1]] else ''
        lines.append(f'| {row} | ' + ' | '.join(text(cells[name]) for name in names) + share + ' |')
    return '\n'.join(lines) + '\n'


def groups_or_none(*arguments):
    try:
        return groups(*arguments)
    except Unsupported as error:
        print(f'{arguments[0]}: {error}', file=sys.stderr)


def medians(rounds, names, measure):
    def attempt(name):
        try:
            return measure(name)
        except Unsupported as error:
            print(f'{name}: {error}', file=sys.stderr)

    runs = [{name: attempt(name) for name in names} for _ in range(rounds)]
    return {name: None if runs[0][name] is None else statistics.median(run[name] for run in runs) for name in names}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    compare.add_server_options(parser)
    parser.add_argument('--parts', default='small,large,curve,groups,memory,drop')
    parser.add_argument('--types', default=','.join(TYPES))
    parser.add_argument('--seconds', type=float, default=4)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--largest', type=int, default=CURVE[-1], help='largest size of the curve')
    parser.add_argument('--output', help='file for the tables; printed in any case')
    arguments = parser.parse_args()
    servers = compare.commands(arguments)
    names, kinds = list(servers), arguments.types.split(',')
    os.sched_setaffinity(0, {1})
    random.seed(1)
    tables = []
    for part in arguments.parts.split(','):
        rows = {}
        if part in ('small', 'large'):
            for kind in kinds:
                rows[COMMANDS[kind]] = medians(arguments.rounds, names, lambda name: work(part, kind, name, servers[name], arguments.seconds))
        elif part == 'curve':
            sizes = [size for size in CURVE if size <= arguments.largest]
            costs = {name: curve(name, servers[name], arguments.seconds / 2, sizes) for name in names}
            for question, size in costs[names[0]]:
                rows[f'{question} of {size:,}'] = {name: costs[name][question, size] for name in names}
        elif part == 'groups':
            for count in CONSUMERS:
                costs = {name: groups_or_none(name, servers[name], arguments.seconds / 2, count) for name in names}
                for question in costs[names[0]]:
                    rows[f'{question} with {count:,} consumers'] = {name: costs[name] and costs[name][question] for name in names}
        elif part == 'drop':
            for kind in kinds:
                found = {name: drop(kind, name, servers[name]) for name in names}
                for i, what in enumerate(('UNLINK', 'worst PING after', 'collection')):
                    rows[f'{kind}: {what}'] = {name: found[name][i] for name in names}
        else:
            for kind in ['hashes', *kinds]:
                rows[kind] = medians(1, names, lambda name: memory(kind, name, servers[name]))
        unit = {'memory': 'bytes each', 'drop': 'milliseconds'}.get(part, 'processor us per command')
        tables.append(table(f'{part}: {unit}', rows, names))
        print(tables[-1], flush=True)
    if arguments.output:
        with open(arguments.output, 'w') as file:
            file.write('\n'.join(tables))


if __name__ == '__main__':
    main()
