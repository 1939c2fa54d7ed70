#!/usr/bin/env python3
"""Sends single costly requests to Garnet and to Valkey, and measures how long each takes and how long another client waits meanwhile.

  benchmark/one_request.py                                  all cases, Garnet and valkey-server from PATH
  benchmark/one_request.py --cases zinter,sinter --best-of 24

Best of several for each figure, since noise only adds. Both servers run at the same time, one of them idle. Milliseconds, the client's own time included, which is the
same for both. Needs Python 3.9 and Linux.
"""
import argparse, os, shlex, shutil, signal, socket, subprocess, sys, tempfile, threading, time

import compare

MEMBERS = 100_000
VALKEY = 'valkey-server --port 0 --unixsocket {dir}/s --save "" --dir {dir} --enable-debug-command yes --maxclients 10000'
GARNET = ' --port 0 --unixsocket {dir}/s --dir {dir} --enable-debug-command yes --maxclients 10000'
MARK = compare.encode('ECHO', '<the end of the reply>')
MARK_REPLY = b'<the end of the reply>\r\n'


class Link:
    """A connection with complete replies."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile('rb', 1 << 20)

    def send(self, *words):
        self.socket.sendall(compare.encode(*words))

    def call(self, *words):
        self.send(*words)
        return self.read()

    def run(self, request):
        """Sends an encoded request and reads its reply without looking into it, so that little of the time is this program's own."""
        self.socket.sendall(request + MARK)
        tail = b''
        while not tail.endswith(MARK_REPLY):
            part = self.socket.recv(1 << 20)
            if not part:
                sys.exit('connection closed')
            if not tail and part.startswith(b'-'):
                sys.exit(f'refused: {part[:100]}')
            tail = (tail + part)[-len(MARK_REPLY):]

    def read(self):
        line = self.file.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b'-':
            sys.exit(f'refused: {rest.decode()}')
        if kind == b'$':
            return None if rest == b'-1' else self.file.read(int(rest) + 2)[:-2]
        if kind in b'*%~':
            return [self.read() for _ in range(int(rest) * (2 if kind == b'%' else 1))]
        if not line:
            sys.exit('connection closed')
        return rest

    def close(self):
        self.file.close()
        self.socket.close()


class Onlooker(threading.Thread):
    """Keeps the longest time that another client waits. Python's own pauses are part of it, on either server."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.link, self.longest, self.ends = Link(path), 0, False
        self.start()

    def run(self):
        while not self.ends:
            start = time.perf_counter()
            self.link.call('INCR', 'onlooker')
            self.longest = max(self.longest, time.perf_counter() - start)
            time.sleep(0.0005)

    def stop(self):
        self.ends = True
        self.join()
        self.link.close()
        return self.longest


class Server:
    def __init__(self, name, command):
        self.name, self.folder = name, tempfile.mkdtemp(prefix='one-request-')
        self.path = os.path.join(self.folder, 's')
        self.process = subprocess.Popen(shlex.split(command.format(dir=self.folder)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        deadline = time.time() + 30
        while True:
            try:
                self.link = Link(self.path)
                break
            except OSError:
                if time.time() > deadline:
                    sys.exit('a server did not start')
                time.sleep(0.05)

    def stop(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def fill_sets(server):
    """Five sorted sets and five sets; each lacks other members, and scores follow the names in the first three only."""
    for number in range(5):
        for start in range(0, MEMBERS, 5000):
            names = [i + number * MEMBERS // 20 for i in range(start, start + 5000)]
            scores = [n if number < 3 else n * 7919 % 1000003 for n in names]
            server.link.call('ZADD', f'z{number}', *(word for n, score in zip(names, scores) for word in (score, f'member:{n}')))
            server.link.call('SADD', f's{number}', *(f'member:{n}' for n in names))
    for start in range(0, 3 * MEMBERS, 5000):
        server.link.call('ZADD', 'large', *(word for n in range(start, start + 5000) for word in (n * 7919 % 1000003, f'member:{n}')))
        server.link.call('SADD', 'large:set', *(f'member:{n}' for n in range(start, start + 5000)))
        server.link.call('HSET', 'large:hash', *(word for n in range(start, start + 5000) for word in (f'field:{n}', n)))


    for start in range(0, 5000, 500):
        server.link.call('MSET', *(word for n in range(start, start + 500) for word in (f'{n:0100}', n)))


def restore(key):
    payload = {}

    def prepare(server):
        payload[server.name] = server.link.call('DUMP', key)
        payload[server.name] = compare.encode('RESTORE', 'restored', 0, payload[server.name], 'REPLACE')
    return prepare, lambda server: server.link.run(payload[server.name])


def simple(*words):
    request = compare.encode(*words)
    return None, lambda server: server.link.run(request)


def watching(count, end):
    names = [f'key:{i}' for i in range(count)]

    def prepare(server):
        server.link.call('UNWATCH')
        server.link.call('WATCH', *names)
        if end != 'UNWATCH':
            server.link.call('MULTI')
    return prepare, lambda server: server.link.run(compare.encode(end))


def leaving(words, field='blocked_clients'):
    """A client that waits leaves: until the server knows."""
    waiting, request = {}, compare.encode(*words)

    def prepare(server):
        waiting[server.name] = Link(server.path)
        waiting[server.name].socket.sendall(request)
        wait_for(server, field, 1)

    def attack(server):
        waiting[server.name].close()
        wait_for(server, field, 0)
    return prepare, attack


def blocking(words):
    """A client begins to wait: until the server says that it does."""
    waiting, request = {}, compare.encode(*words)

    def prepare(server):
        if server.name in waiting:
            waiting.pop(server.name).close()
        wait_for(server, 'blocked_clients', 0)

    def attack(server):
        waiting[server.name] = Link(server.path)
        waiting[server.name].socket.sendall(request)
        wait_for(server, 'blocked_clients', 1)
    attack.end = prepare
    return prepare, attack


def wait_for(server, field, value):
    deadline = time.time() + 30
    while f'{field}:{value}\r\n'.encode() not in server.link.call('INFO', 'clients'):
        if time.time() > deadline:
            sys.exit(f'{field} does not become {value}')


def client_list(count):
    """Thousands of idle clients, connected once a server."""
    idle = {}

    def prepare(server):
        if server.name not in idle:
            idle[server.name] = [Link(server.path) for _ in range(count)]
    return prepare, lambda server: server.link.run(compare.encode('CLIENT', 'LIST'))


def delete(count):
    names = [f'doomed:{i}' for i in range(count)]
    request = compare.encode('DEL', *names)

    def prepare(server):
        for start in range(0, count, 10_000):
            server.link.call('MSET', *(word for name in names[start:start + 10_000] for word in (name, 'v')))
    return prepare, lambda server: server.link.run(request)


def transaction(count):
    request = b''.join(compare.encode('SET', f'set:{i}', 'v') for i in range(10_000))

    def prepare(server):
        server.link.call('MULTI')
        for _ in range(count // 10_000):
            server.link.socket.sendall(request)
            for _ in range(10_000):
                server.link.file.readline()
    return prepare, lambda server: server.link.run(compare.encode('EXEC'))


CASES = {
    'zintercard5': simple('ZINTERCARD', 5, 'z0', 'z1', 'z2', 'z3', 'z4'),
    'zintercard of one, 5 times': simple('ZINTERCARD', 5, *['z0'] * 5),
    'zinter5': simple('ZINTER', 5, 'z0', 'z1', 'z2', 'z3', 'z4'),
    'zinterstore5': simple('ZINTERSTORE', 'target', 5, 'z0', 'z1', 'z2', 'z3', 'z4'),
    'zintercard2': simple('ZINTERCARD', 2, 'z0', 'z1'),
    'zinterstore2': simple('ZINTERSTORE', 'target', 2, 'z0', 'z1'),
    'zinterstore2 unlike scores': simple('ZINTERSTORE', 'target', 2, 'z0', 'z3'),
    'zunionstore2': simple('ZUNIONSTORE', 'target', 2, 'z0', 'z4'),
    'zdiffstore2': simple('ZDIFFSTORE', 'target', 2, 'z0', 'z4'),
    'sintercard5': simple('SINTERCARD', 5, 's0', 's1', 's2', 's3', 's4'),
    'sintercard of one, 5 times': simple('SINTERCARD', 5, *['s0'] * 5),
    'sinter5': simple('SINTER', 's0', 's1', 's2', 's3', 's4'),
    'sinterstore2': simple('SINTERSTORE', 'target', 's0', 's1'),
    'sunionstore2': simple('SUNIONSTORE', 'target', 's0', 's4'),
    'sdiffstore2': simple('SDIFFSTORE', 'target', 's0', 's4'),
    'sdiff2': simple('SDIFF', 's0', 's4'),
    'restore zset 300,000': restore('large'),
    'restore set 300,000': restore('large:set'),
    'restore hash 300,000': restore('large:hash'),
    'debug digest': simple('DEBUG', 'DIGEST'),
    'keys 2,000 classes': simple('KEYS', '*' + '[0123456789]' * 2000),
    'command docs': simple('COMMAND', 'DOCS'),
    'unwatch 20,000': watching(20_000, 'UNWATCH'),
    'unwatch 40,000': watching(40_000, 'UNWATCH'),
    'exec 20,000 watched': watching(20_000, 'EXEC'),
    'exec 40,000 watched': watching(40_000, 'EXEC'),
    'discard 20,000 watched': watching(20_000, 'DISCARD'),
    'discard 40,000 watched': watching(40_000, 'DISCARD'),
    'xread block 10,000': blocking(['XREAD', 'BLOCK', 0, 'STREAMS', *(f'stream:{i}' for i in range(10_000)), *['$'] * 10_000]),
    'xread block 10,000 leaves': leaving(['XREAD', 'BLOCK', 0, 'STREAMS', *(f'stream:{i}' for i in range(10_000)), *['$'] * 10_000]),
    'blpop 10,000': blocking(['BLPOP', *(f'list:{i}' for i in range(10_000)), 0]),
    'blpop 10,000 leaves': leaving(['BLPOP', *(f'list:{i}' for i in range(10_000)), 0]),
    'client list 5,000': client_list(5_000),
    'del 300,000': delete(300_000),
    'exec 1,000,000 sets': transaction(1_000_000),
}


def measure(server, case, best_of):
    """(milliseconds, milliseconds that another client waits), each the best of several."""
    prepare, attack = CASES[case]
    times, waits = [], []
    for _ in range(best_of):
        if prepare:
            prepare(server)
        onlooker = Onlooker(server.path)
        time.sleep(0.02)
        onlooker.longest = 0
        start = time.perf_counter()
        attack(server)
        times.append(time.perf_counter() - start)
        waits.append(onlooker.stop())
    if hasattr(attack, 'end'):
        attack.end(server)
    return min(times) * 1000, min(waits) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', help='a published garnet program to run instead of publishing one')
    parser.add_argument('--valkey', default=VALKEY, help='the command of Valkey, with {dir}')
    parser.add_argument('--cases', help='beginnings of the names of cases, separated by commas')
    parser.add_argument('--best-of', type=int, default=12)
    arguments = parser.parse_args()
    wanted = tuple(arguments.cases.split(',')) if arguments.cases else ('',)
    servers = [Server('garnet', (arguments.garnet or compare.publish()) + GARNET), Server('valkey', arguments.valkey)]
    try:
        for server in servers:
            fill_sets(server)
        print('| request | ms: Garnet | Valkey | ratio | others wait ms: Garnet | Valkey |\n|---|---|---|---|---|---|')
        for case in CASES:
            if not case.startswith(wanted):
                continue
            best_of = min(arguments.best_of, 4) if 'exec 1,000,000' in case else arguments.best_of
            (ours, our_wait), (theirs, their_wait) = [measure(server, case, best_of) for server in servers]
            print(f'| {case} | {ours:.1f} | {theirs:.1f} | {ours / theirs:.2f} | {our_wait:.1f} | {their_wait:.1f} |', flush=True)
    finally:
        for server in servers:
            server.stop()


if __name__ == '__main__':
    main()
