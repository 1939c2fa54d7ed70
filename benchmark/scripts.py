#!/usr/bin/env python3
"""Measures scripts and functions on Garnet and other servers.

  benchmark/scripts.py                                        all parts, Garnet and every known server found on PATH
  benchmark/scripts.py --parts calls --loads one,bucket --seconds 3 --rounds 3
  benchmark/scripts.py --parts loops,memory --servers garnet,valkey

Parts:
  calls    a script that returns 1; one that reads its key; SET and a compare-and-delete of the key; a token bucket: by EVALSHA and by FCALL,
           50 connections, pipeline 1 and 32. The server's processor time per request, and for Garnet the managed bytes allocated per request.
           The server on core 0, the load on core 1
  loops    processor time of one run of scripts that compute: additions, table writes, string.format, gsub, sort, cjson and cmsgpack of 100 KB
  memory   resident and used bytes after 10,000 SCRIPT LOADs of 2 KB, resident bytes once each was called, and after the first script
  pauses   round trips of another client's PING beside a client whose scripts of about a millisecond make garbage

Needs: Python 3.9, Linux, taskset; memtier_benchmark for calls. Servers and their options: see benchmark/compare.py --help; Microsoft's Garnet
runs with --lua. Compare ratios within one table.
"""
import argparse, re, shutil, socket, statistics, sys, time

import compare
from messages import head, resident_bytes, row

KEYS = 10_000

UNLOCK = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
BUCKET = '''local now, rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local state = redis.call('hmget', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(state[1]) or burst, tonumber(state[2]) or now
tokens = math.min(burst, tokens + (now - at) * rate)
local isAllowed = tokens >= 1
if isAllowed then tokens = tokens - 1 end
redis.call('hset', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('pexpire', KEYS[1], 60000)
return {isAllowed and 1 or 0, tostring(tokens)}'''

# Name, requests before it, script, number of keys, arguments.
CALLS = {
    'one': ('return 1', [], 'return 1', 0, ''),
    'get': ('GET of the key', [], "return redis.call('get', KEYS[1])", 1, ''),
    'unlock': ('SET and unlock', ['SET __key__ token'], UNLOCK, 1, ' token'),
    'bucket': ('token bucket', [], BUCKET, 1, ' 1000 1000000 100'),
}

# Functions get keys and arguments as parameters.
LIBRARY = '#!lua name=figures\n' + ''.join(
    f"redis.register_function('{name}', function(KEYS, ARGV) {script} end)\n" for name, (_, _, script, _, _) in CALLS.items())

LOOPS = {
    '1,000,000 additions': 'local s = 0 for i = 1, 1000000 do s = s + i end return s',
    '200,000 table writes': 'local t = {} for i = 1, 200000 do t[i] = i end return #t',
    '200,000 field writes': "local t = {} for i = 1, 200000 do t.a = i t.b = t.a end return t.b",
    '100,000 string.format': "local s for i = 1, 100000 do s = string.format('%d:%s:%5.2f', i, 'abc', i / 3) end return #s",
    '100,000 concatenations': "local s for i = 1, 100000 do s = 'key:' .. i .. ':x' end return #s",
    'gsub of 100 KB': "local s = string.rep('hello world ', 8500) local r for i = 1, 5 do r = s:gsub('%w+', string.upper) end return #r",
    'sort of 50,000': 'local t = {} for i = 1, 50000 do t[i] = math.random(1000000) end table.sort(t) return #t',
    'cjson of 100 KB': "local t = {} for i = 1, 2000 do t[i] = {id = i, name = 'item ' .. i, price = i / 7, tags = {'a', 'b'}} end "
                       'local n for i = 1, 5 do n = #cjson.decode(cjson.encode(t)) end return n',
    'cmsgpack of 100 KB': "local t = {} for i = 1, 2500 do t[i] = {id = i, name = 'item ' .. i, price = i / 7, tags = {'a', 'b'}} end "
                          'local n for i = 1, 5 do n = #cmsgpack.unpack(cmsgpack.pack(t)) end return n',
}

GARBAGE = "local t = {} for i = 1, 3000 do t[i % 100 + 1] = {name = 'n' .. i, list = {i, i + 1}} end return #t"


class Link:
    """A connection with one request at a time."""

    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile('rb')

    def call(self, *words):
        self.socket.sendall(compare.encode(*words))
        line = self.file.readline()
        if line[:1] == b'-':
            raise RuntimeError(line.decode().strip())
        return self.file.read(int(line[1:]) + 2)[:-2] if line[:1] == b'$' and int(line[1:]) >= 0 else line[1:].strip()

    def info(self, field):
        found = re.search(rf'^{field}:(\d+)'.encode(), self.call('INFO', 'memory'), re.M)
        return int(found.group(1)) if found else None


def calls(servers, arguments):
    load = compare.Memtier(shutil.which('memtier_benchmark') or sys.exit('The part "calls" needs memtier_benchmark.'))
    names = list(servers)
    head('script', 'called by', 'pipeline', *[f'{name}: us' for name in names], *[f'{name} = 1' for name in names[1:]], 'bytes allocated')
    for chosen in arguments.loads.split(','):
        for form in ('EVALSHA', 'FCALL'):
            for pipeline in (1, 32):
                rounds = [{name: call_cost(load, name, servers[name], chosen, form, pipeline, arguments.seconds) for name in names}
                          for _ in range(arguments.rounds)]
                costs = {name: median([each[name][0] for each in rounds]) for name in names}
                allocated = median([each[names[0]][1] for each in rounds])
                row(CALLS[chosen][0], form, pipeline, *[shown(costs[name], 2) for name in names],
                    *[shown(costs[names[0]] / costs[name] if costs[name] else None, 2) for name in names[1:]], shown(allocated, 0))


def median(values):
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def shown(value, digits):
    return '-' if value is None else f'{value:.{digits}f}'


def call_cost(load, name, command, chosen, form, pipeline, seconds):
    """Microseconds of the processor and managed bytes allocated per script call; None where the server cannot."""
    _, before, script, keys, words = CALLS[chosen]
    with compare.Server(name, command, True) as server:
        link = Link(server.port)
        try:
            sha = link.call('SCRIPT', 'LOAD', script).decode()
            if form == 'FCALL':
                link.call('FUNCTION', 'LOAD', LIBRARY)
        except RuntimeError:
            return None, None
        load.fill(server, 64, KEYS)
        if chosen == 'bucket':
            link.call('FLUSHALL')
        target = sha if form == 'EVALSHA' else chosen
        requests = before + [f'{form} {target} {keys}{" __key__" * keys}{words}']
        options = ['--threads=1', '--clients=50', f'--pipeline={pipeline}', '--data-size=64', '--key-minimum=1', f'--key-maximum={KEYS}']
        for request in requests:
            options += [f'--command={request}', '--command-ratio=1', '--command-key-pattern=R']
        run = lambda time_: load.run(server, 1, options + [f'--test-time={time_}'])[0] / len(requests)
        run(2)
        allocated, used = link.info('managed_heap_allocated_bytes'), compare.processor_seconds(server.process.pid)
        count = run(seconds)
        used = compare.processor_seconds(server.process.pid) - used
        return used * 1e6 / count, None if allocated is None else (link.info('managed_heap_allocated_bytes') - allocated) / count


def loops(servers, arguments):
    names = list(servers)
    head('script', *[f'{name}: ms' for name in names], *[f'{name} = 1' for name in names[1:]])
    running = [compare.Server(name, servers[name], True).__enter__() for name in names]
    try:
        # The runtime compiles a method for speed after some thousand calls, and a loop calls the interpreter once.
        for server in running:
            link = Link(server.port)
            for _ in range(6000):
                link.call('EVAL', 'return 1', 0)
        for title, script in LOOPS.items():
            costs = [median([run_cost(server, script) for _ in range(arguments.rounds)]) for server in running]
            row(title, *[shown(cost and cost * 1000, 2) for cost in costs],
                *[shown(costs[0] / cost if cost else None, 2) for cost in costs[1:]])
    finally:
        for server in running:
            server.__exit__()


def run_cost(server, script):
    """Processor seconds of one run, measured over about half a second."""
    link = Link(server.port)
    try:
        start = time.perf_counter()
        while time.perf_counter() - start < 0.3:
            link.call('EVAL', script, 0)
        runs, used, start = 0, compare.processor_seconds(server.process.pid), time.perf_counter()
        while time.perf_counter() - start < 0.5:
            link.call('EVAL', script, 0)
            runs += 1
        return (compare.processor_seconds(server.process.pid) - used) / runs
    except RuntimeError:
        return None


def memory(servers, arguments):
    head('server', '10,000 scripts of 2 KB: resident MB', 'used MB', 'each called once: resident MB', 'first script: resident KB')
    body = ' '.join(f"local v{i} = redis.call('hget', KEYS[1], 'field{i}')" for i in range(36))
    for name, command in servers.items():
        with compare.Server(name, command, False) as server:
            link = Link(server.port)
            for _ in range(1000):
                link.call('PING')
            before = resident_bytes(server.process.pid)
            link.call('EVAL', 'return 1', 0)
            first = resident_bytes(server.process.pid) - before
            before, used = resident_bytes(server.process.pid), link.info('used_memory')
            hashes = [link.call('SCRIPT', 'LOAD', f'{body}\n-- {number} '.ljust(2048, 'x')) for number in range(10_000)]
            # Not what compiling left behind.
            link.call('MEMORY', 'PURGE')
            time.sleep(1)
            loaded, after = resident_bytes(server.process.pid), link.info('used_memory')
            for each in hashes:
                link.call('EVALSHA', each.decode(), 1, 'key')
            link.call('MEMORY', 'PURGE')
            time.sleep(1)
            row(name, f'{(loaded - before) / 1e6:.1f}', '-' if used is None else f'{(after - used) / 1e6:.1f}',
                f'{(resident_bytes(server.process.pid) - before) / 1e6:.1f}', f'{first / 1e3:.0f}')


def pauses(servers, arguments):
    head('server', 'script, ms: median', '99.9 %', 'longest', 'PING, ms: median', '99.9 %', 'longest')
    for name, command in servers.items():
        with compare.Server(name, command, True) as server:
            maker, other = Link(server.port), Link(server.port)
            maker.socket.setblocking(True)
            scripts, pings = [], []
            end = time.perf_counter() + arguments.seconds + 1
            begin = time.perf_counter() + 1
            request = compare.encode('EVAL', GARBAGE, 0)
            while time.perf_counter() < end:
                start = time.perf_counter()
                maker.socket.sendall(request)
                other.call('PING')
                pinged = time.perf_counter()
                maker.file.readline()
                if start > begin:
                    pings.append(pinged - start)
                    scripts.append(time.perf_counter() - start)
            row(name, *[f'{value * 1000:.2f}' for values in (scripts, pings) for value in (statistics.median(values), *worst(values))])


def worst(values):
    ordered = sorted(values)
    return ordered[len(ordered) * 999 // 1000], ordered[-1]


PARTS = {'calls': calls, 'loops': loops, 'memory': memory, 'pauses': pauses}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    compare.add_server_options(parser)
    parser.add_argument('--parts', default=','.join(PARTS))
    parser.add_argument('--loads', default=','.join(CALLS), help=f'comma-separated scripts for the part "calls": {", ".join(CALLS)}')
    parser.add_argument('--seconds', type=int, default=3)
    parser.add_argument('--rounds', type=int, default=1)
    arguments = parser.parse_args()
    servers = compare.commands(arguments)
    if 'microsoft' in servers:
        servers['microsoft'] += ' --lua'
    for part in arguments.parts.split(','):
        print(f'\n### {part}\n')
        PARTS[part](servers, arguments)


if __name__ == '__main__':
    main()
