#!/usr/bin/env python3
"""Compares servers over TLS: GETs of 100 KiB, and a pipeline of 32 small SETs and GETs, for several sizes of writes.

Needs Linux, openssl, taskset, strace (for the system calls) and a memtier_benchmark built with TLS. The server has core 0, the load core 1; what counts is the
server's processor time for an operation. Numbers depend on the machine and its neighbours: compare within one run.

    benchmark/tls.py --garnet 'dotnet src/GarnetServer/bin/Release/net10.0/garnet.dll' --valkey valkey-server
"""
import argparse
import json
import os
import shlex
import socket
import statistics
import subprocess
import tempfile
import time

TICKS = os.sysconf('SC_CLK_TCK')
WORKLOADS = {
    'GET 100 KiB': ['--clients=10', '--pipeline=1', '--ratio=0:1', '--data-size=102400', '--key-minimum=1', '--key-maximum=100', '--key-pattern=R:R'],
    'pipeline 32': ['--clients=50', '--pipeline=32', '--ratio=1:1', '--data-size=64', '--key-minimum=1', '--key-maximum=200000', '--key-pattern=R:R'],
}
FILL = {'GET 100 KiB': ['--clients=1', '--requests=100', '--ratio=1:0', '--data-size=102400', '--key-minimum=1', '--key-maximum=100', '--key-pattern=S:S']}


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def make_certificate(folder):
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=localhost',
                    '-keyout', f'{folder}/key.pem', '-out', f'{folder}/cert.pem'], check=True, capture_output=True)


def processor_seconds(pid):
    with open(f'/proc/{pid}/stat') as stat:
        fields = stat.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Server:
    def __init__(self, name, command, folder):
        self.name, self.port = name, free_port()
        argv = ['taskset', '-c', '0'] + shlex.split(command) + [
            '--port', '0', '--tls-port', str(self.port), '--bind', '127.0.0.1', '--tls-cert-file', f'{folder}/cert.pem', '--tls-key-file', f'{folder}/key.pem',
            '--tls-auth-clients', 'no', '--save', '', '--dir', folder]
        self.process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.time() + 20
        while True:
            try:
                socket.create_connection(('127.0.0.1', self.port), 1).close()
                return
            except OSError:
                if time.time() > deadline or self.process.poll() is not None:
                    raise SystemExit(f'{name} does not start: {" ".join(argv)}')
                time.sleep(0.05)

    def load(self, memtier, options, folder):
        out = f'{folder}/run.json'
        subprocess.run(['taskset', '-c', '1', memtier, '-s', '127.0.0.1', '-p', str(self.port), '--tls', '--tls-skip-verify', '--hide-histogram', '--threads=1',
                        '--json-out-file', out] + options, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(out) as result:
            return json.load(result)['ALL STATS']['Totals']

    def system_calls(self, memtier, options, folder):
        """System calls for an operation, counted in a run of its own, as counting slows everything down."""
        out = f'{folder}/strace'
        strace = subprocess.Popen(['strace', '-c', '-f', '-o', out, '-p', str(self.process.pid)], stderr=subprocess.DEVNULL)
        time.sleep(1)
        totals = self.load(memtier, options + ['--test-time=2'], folder)
        strace.send_signal(2)
        strace.wait()
        with open(out) as table:
            rows = [line.split() for line in table]
        total = [row for row in rows if row and row[-1] == 'total']
        return int(total[0][3 if len(total[0]) > 4 else 2]) / totals['Count'] if total else float('nan')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', default='garnet', help='command of Garnet')
    parser.add_argument('--valkey', default='valkey-server', help='command of Valkey; "" for none')
    parser.add_argument('--other', action='append', default=[], metavar='NAME=COMMAND', help='another server that takes the same options')
    parser.add_argument('--memtier', default='memtier_benchmark')
    parser.add_argument('--sizes', default='1,4,8,16,64', help='sizes of writes in KiB')
    parser.add_argument('--workload', action='append', choices=list(WORKLOADS))
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seconds', type=int, default=3)
    arguments = parser.parse_args()
    commands = {f'garnet, {size} KiB': f'{arguments.garnet} --tls-write-bytes {size}kb' for size in arguments.sizes.split(',')}
    commands.update(other.split('=', 1) for other in arguments.other)
    if arguments.valkey:
        commands['valkey'] = arguments.valkey
    with tempfile.TemporaryDirectory(prefix='garnet-tls-') as folder:
        make_certificate(folder)
        for workload in arguments.workload or WORKLOADS:
            measure(workload, commands, arguments, folder)


def measure(workload, commands, arguments, folder):
    servers = [Server(name, command, folder) for name, command in commands.items()]
    options = WORKLOADS[workload]
    results = {server.name: [] for server in servers}
    try:
        for server in servers:
            if workload in FILL:
                server.load(arguments.memtier, FILL[workload], folder)
            server.load(arguments.memtier, options + ['--test-time=2'], folder)
        # In turn, so that what happens on the machine meanwhile meets all of them.
        for _ in range(arguments.rounds):
            for server in servers:
                before = processor_seconds(server.process.pid)
                totals = server.load(arguments.memtier, options + [f'--test-time={arguments.seconds}'], folder)
                spent = processor_seconds(server.process.pid) - before
                results[server.name].append((totals['Ops/sec'], totals['Percentile Latencies']['p99.00'], spent * 1e6 / totals['Count']))
        calls = {server.name: server.system_calls(arguments.memtier, options, folder) for server in servers}
    finally:
        for server in servers:
            server.process.kill()
            server.process.wait()
    print(f'\n{workload}\n\n| server | ops/s | p99 ms | processor us/op | system calls/op |\n|---|---|---|---|---|')
    for name, runs in results.items():
        rate, latency, processor = (statistics.median(run[i] for run in runs) for i in range(3))
        print(f'| {name} | {rate:,.0f} | {latency:.2f} | {processor:.2f} | {calls[name]:.2f} |', flush=True)


if __name__ == '__main__':
    main()
