#!/usr/bin/env python3
"""Sends single requests with many arguments to Garnet and to Valkey, and measures processor time, peak memory and the memory that remains, for each shape.

  benchmark/many_arguments.py                                   all shapes, Garnet and valkey-server from PATH
  benchmark/many_arguments.py --shapes MSET:2000:16384,DEL:1000000:100 --rounds 5

A shape is COMMAND:arguments:bytes; bytes can be "mixed" (1 byte to 1 MB, most of them short; the same sizes for each server). Both servers get the
same bytes over a Unix socket, twice: the first time ("cold") includes compiling code and allocating memory from the system, the second time ("warm", after
FLUSHALL) does not. Memory is resident memory in excess of what the server had before: at its peak, and five seconds after FLUSHALL. Rounds are
interleaved and medians shown. Needs Python 3.9 and Linux.
"""
import argparse, os, random, shlex, shutil, signal, socket, statistics, subprocess, sys, tempfile, time

import compare

SHAPES = ('MSET:1:1000000,MSET:2000:16384,MSET:2000:40000,MSET:500:1000000,MSET:100000:4096,MSET:1000000:100,DEL:8000:16384,DEL:100000:4096,DEL:1000000:100,'
          'SADD:100000:1,LPUSH:20000:16384,MSET:20000:mixed,DEL:20000:mixed')
VALKEY = 'valkey-server --port 0 --unixsocket {dir}/s --save "" --dir {dir}'


def status(pid, field):
    """A field of /proc/<pid>/status in megabytes."""
    with open(f'/proc/{pid}/status') as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def sizes(count, size):
    if size != 'mixed':
        return [int(size)] * count
    draw = random.Random(1)
    return [int(10 ** draw.uniform(0, draw.choice((2, 2, 3, 4, 6)))) for _ in range(count)]


def request(shape):
    command, count, size = shape.split(':')
    words = [command.encode()] + ([b'key'] if command in ('SADD', 'LPUSH') else [])
    for number, length in enumerate(sizes(int(count), size)):
        name = b'%d' % number
        if command == 'MSET':
            words += [name, b'x' * length]
        else:
            words.append(name + b'x' * max(0, length - len(name)))
    return compare.encode(*words)


def measure(command, data):
    """One round in a fresh server: (processor seconds cold, warm, peak MB, remaining MB). A small request of the same command runs first, so that its code is compiled."""
    folder = tempfile.mkdtemp(prefix='many-arguments-')
    process = subprocess.Popen(shlex.split(command.format(dir=folder)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        link = connect(os.path.join(folder, 's'))
        call(link, compare.encode('MSET', *(['k', 'v'] * 2000)))
        call(link, compare.encode('FLUSHALL'))
        with open(f'/proc/{process.pid}/clear_refs', 'w') as refs:
            refs.write('5')
        memory, start = status(process.pid, 'VmRSS:'), compare.processor_seconds(process.pid)
        reply = call(link, data)
        if reply.startswith(b'-'):
            sys.exit(f'refused: {reply.decode()}')
        spent, peak = compare.processor_seconds(process.pid) - start, status(process.pid, 'VmHWM:') - memory
        call(link, compare.encode('FLUSHALL'))
        start = compare.processor_seconds(process.pid)
        call(link, data)
        warm = compare.processor_seconds(process.pid) - start
        call(link, compare.encode('FLUSHALL'))
        time.sleep(5)
        return spent, warm, peak, status(process.pid, 'VmRSS:') - memory
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def connect(path):
    deadline = time.time() + 30
    while True:
        try:
            link = socket.socket(socket.AF_UNIX)
            link.connect(path)
            return link
        except OSError:
            if time.time() > deadline:
                sys.exit('a server did not start')
            time.sleep(0.05)


def call(link, data):
    link.sendall(data)
    return link.recv(4096)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', help='a published garnet program to run instead of publishing one')
    parser.add_argument('--valkey', default=VALKEY, help='the command of Valkey, with {dir}')
    parser.add_argument('--shapes', default=SHAPES)
    parser.add_argument('--rounds', type=int, default=3)
    arguments = parser.parse_args()
    servers = {'garnet': (arguments.garnet or compare.publish()) + ' --port 0 --unixsocket {dir}/s --dir {dir}', 'valkey': arguments.valkey}
    print('| request | MB sent | cold s: Garnet | Valkey | warm s: Garnet | Valkey | peak MB: Garnet | Valkey | stays MB: Garnet | Valkey |\n|---|---|---|---|---|---|---|---|---|---|')
    for shape in arguments.shapes.split(','):
        data = request(shape)
        rounds = [{name: measure(command, data) for name, command in servers.items()} for _ in range(arguments.rounds)]
        median = {name: [statistics.median(each[name][i] for each in rounds) for i in range(4)] for name in servers}
        (ours, theirs) = (median['garnet'], median['valkey'])
        print(f'| {shape} | {len(data) / 1e6:.0f} | {ours[0]:.2f} | {theirs[0]:.2f} | {ours[1]:.2f} | {theirs[1]:.2f} | {ours[2]:.0f} | {theirs[2]:.0f} | {ours[3]:.0f} | {theirs[3]:.0f} |', flush=True)


if __name__ == '__main__':
    main()
