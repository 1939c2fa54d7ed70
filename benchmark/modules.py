#!/usr/bin/env python3
"""Measures the processor time of a module's command that replicates another one, in Valkey and in Garnet, and of modules' commands compared with built-in ones.

  benchmark/modules.py --header ~/valkey/src             valkeymodule.h of the valkey-server in PATH
  benchmark/modules.py --header ~/valkey/src --rounds 4  fewer calls

The append-only log is on (everysec); 50 connections, pipeline 32. All servers run at the same time, one of them busy, and the cases take turns, so that noise meets all of them.
For each case the lowest and the median of the rounds: nanoseconds of the server's processor time per call, system calls and log included. Needs gcc, valkey-server, valkey-benchmark,
the .NET SDK, Python 3.9 and Linux.
"""
import argparse, os, statistics, subprocess, sys, tempfile

import compare

HERE = os.path.dirname(os.path.abspath(__file__))
KEYS = 100_000
COMMON = '--port {port} --dir {dir} --save "" --appendonly yes --appendfsync everysec --auto-aof-rewrite-percentage 0'

# Name of the case, server, command.
CASES = [
    ('Valkey, module, by name', 'valkey', ['REP.NAME', 'key:__rand_int__']),
    ('Valkey, module, option to skip validation', 'valkey skip', ['REP.NAME', 'key:__rand_int__']),
    ('Valkey, INCR', 'valkey', ['INCR', 'key:__rand_int__']),
    ('Garnet, module, by name with validation', 'garnet', ['REP.NAME', 'key:__rand_int__']),
    ('Garnet, module, flag to skip validation', 'garnet', ['REP.SKIP', 'key:__rand_int__']),
    ('Garnet, module, option to skip validation', 'garnet skip', ['REP.NAME', 'key:__rand_int__']),
    ('Garnet, module, by token', 'garnet', ['REP.TOKEN', 'key:__rand_int__']),
    ('Garnet, INCR', 'garnet', ['INCR', 'key:__rand_int__']),
    ('Garnet, module, reads a field', 'garnet', ['REP.HGET', 'hash:__rand_int__', 'field']),
    ('Garnet, HGET', 'garnet', ['HGET', 'hash:__rand_int__', 'field']),
    ('Garnet, module, increments a field', 'garnet', ['REP.HINCRBY', 'hash:__rand_int__', 'field', '1']),
    ('Garnet, HINCRBY', 'garnet', ['HINCRBY', 'hash:__rand_int__', 'field', '1']),
]


class Server:
    """A server process with its own folder."""

    def __init__(self, command, log):
        self.port, self.folder = compare.free_port(), tempfile.TemporaryDirectory(prefix='garnet-modules-')
        command = command.format(port=self.port, dir=self.folder.name)
        self.process = subprocess.Popen(['sh', '-c', 'exec ' + command], stdout=log, stderr=log)

    def wait(self):
        for _ in range(200):
            if self.process.poll() is not None:
                sys.exit('a server has ended; its messages are in the log')
            if compare.ping(self.port):
                return
            subprocess.run(['sleep', '0.1'], check=True)
        sys.exit('a server does not answer')

    def load(self, command, calls, keys=KEYS):
        """Calls a command so often, and returns the processor nanoseconds of a call."""
        before = compare.processor_seconds(self.process.pid)
        subprocess.run(
            ['valkey-benchmark', '-p', str(self.port), '-c', '50', '-P', '32', '-n', str(calls), '-r', str(keys), '-q', *command],
            stdout=subprocess.DEVNULL, check=True)
        return (compare.processor_seconds(self.process.pid) - before) * 1e9 / calls

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def build(arguments, folder):
    library = os.path.join(folder, 'replicating.so')
    subprocess.run(['gcc', '-O2', '-shared', '-fPIC', '-I', arguments.header, '-o', library, os.path.join(HERE, 'valkey-module', 'replicating.c')], check=True)
    if arguments.garnet:
        return library, arguments.garnet, arguments.module
    project = os.path.join(HERE, 'Garnet.ReplicatingModule')
    for source, target in ((os.path.join(HERE, '..', 'src', 'GarnetServer'), 'garnet'), (project, 'module')):
        subprocess.run(['dotnet', 'publish', source, '-c', 'Release', '-o', os.path.join(folder, target), '--nologo', '-v', 'q'], check=True)
    return library, os.path.join(folder, 'garnet', 'garnet'), os.path.join(folder, 'module', 'Garnet.ReplicatingModule.dll')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--header', required=True, help='folder with valkeymodule.h')
    parser.add_argument('--valkey', default='valkey-server')
    parser.add_argument('--garnet', help='a published server; published now by default')
    parser.add_argument('--module', help='the built Garnet.ReplicatingModule.dll, with --garnet')
    parser.add_argument('--rounds', type=int, default=10)
    parser.add_argument('--calls', type=int, default=1_000_000)
    parser.add_argument('--log', default=os.devnull, help='where the servers write their messages')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='garnet-modules-') as folder, open(arguments.log, 'w') as log:
        library, garnet, module = build(arguments, folder)
        servers = {}
        try:
            for kind, argument in (('valkey', ''), ('valkey skip', ' skip')):
                servers[kind] = Server(f'{arguments.valkey} {COMMON} --loadmodule {library}{argument}', log)
            for kind, argument in (('garnet', ''), ('garnet skip', ' skip')):
                servers[kind] = Server(f"{garnet} {COMMON} --loadmodule '{module}{argument}'", log)
            for server in servers.values():
                server.wait()
            servers['garnet'].load(['HSET', 'hash:__rand_int__', 'field', '1'], 5 * KEYS)
            times = {case[0]: [] for case in CASES}
            for number in range(arguments.rounds + 1):
                for name, server, command in CASES:
                    time = servers[server].load(command, arguments.calls)
                    if number > 0:  # the first warms the code up
                        times[name].append(time)
        finally:
            for server in servers.values():
                server.end()
    print(f'{arguments.rounds} rounds of {arguments.calls:,} calls\n\n| | lowest, ns | median, ns |\n|---|---|---|')
    for name, values in times.items():
        print(f'| {name} | {min(values):,.0f} | {statistics.median(values):,.0f} |')


if __name__ == '__main__':
    main()
