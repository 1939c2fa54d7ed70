#!/usr/bin/env python3
"""Compares servers over TLS: GETs of 100 KiB, and a pipeline of 32 small SETs and GETs, for several values of tls-write-bytes.

  benchmark/tls.py --table tls.md      all sizes, Valkey's TLS and Kestrel's, five rounds of 3 s
  benchmark/tls.py --quick             one round of 1 s: only checks that the script works

Needs Python 3.9, Linux, two cores, openssl, taskset, a memtier_benchmark built with TLS, and strace for the system calls (omitted without it).
Garnet is published as by benchmark/compare.py, unless --garnet names a build; valkey-server takes part if it is on PATH (or --valkey). `kestrel` is Garnet's
sessions on Kestrel's transport and its TLS (UseHttps on a plain connection), built from benchmark/Garnet.Microbenchmarks; --no-kestrel omits it.

The server runs on core 0, the load on core 1. The most meaningful figure is the server's processor time per operation. Numbers depend on the machine and its other load, so
rounds are interleaved, medians are shown, and only numbers within one table can be compared.
"""
import argparse, json, os, shlex, shutil, socket, statistics, subprocess, sys, tempfile, time

import compare

WORKLOADS = {
    'GET 100 KiB': ['--clients=10', '--pipeline=1', '--ratio=0:1', '--data-size=102400', '--key-minimum=1', '--key-maximum=100', '--key-pattern=R:R'],
    'pipeline 32': ['--clients=50', '--pipeline=32', '--ratio=1:1', '--data-size=64', '--key-minimum=1', '--key-maximum=200000', '--key-pattern=R:R'],
}
FILL = {'GET 100 KiB': ['--clients=1', '--requests=100', '--ratio=1:0', '--data-size=102400', '--key-minimum=1', '--key-maximum=100', '--key-pattern=S:S']}
LONGEST_RUN = 120


def make_certificate(folder):
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=localhost',
                    '-keyout', f'{folder}/key.pem', '-out', f'{folder}/cert.pem'], check=True, capture_output=True)


class Server:
    def __init__(self, name, command, folder):
        self.name, self.port = name, compare.free_port()
        own = tempfile.mkdtemp(dir=folder)
        argv = ['taskset', '-c', '0'] + shlex.split(command) + [
            '--port', '0', '--tls-port', str(self.port), '--bind', '127.0.0.1', '--tls-cert-file', f'{folder}/cert.pem', '--tls-key-file', f'{folder}/key.pem',
            '--tls-auth-clients', 'no', '--save', '', '--dir', own]
        self.log = open(f'{own}/log', 'w+')
        self.process = subprocess.Popen(argv, stdout=self.log, stderr=subprocess.STDOUT)
        deadline = time.time() + 30
        while True:
            try:
                socket.create_connection(('127.0.0.1', self.port), 1).close()
                return
            except OSError:
                if time.time() > deadline or self.process.poll() is not None:
                    self.stop()
                    self.log.seek(0)
                    sys.exit(f'{name} does not start: {" ".join(argv)}\n{self.log.read()[-2000:]}')
                time.sleep(0.05)

    def stop(self):
        self.process.kill()
        self.process.wait()

    def load(self, memtier, options, folder):
        out = f'{folder}/run.json'
        run = subprocess.run(['taskset', '-c', '1', memtier, '-s', '127.0.0.1', '-p', str(self.port), '--tls', '--tls-skip-verify', '--hide-histogram', '--threads=1',
                              '--json-out-file', out] + options, capture_output=True, text=True, timeout=LONGEST_RUN)
        if run.returncode != 0:
            sys.exit(f'{memtier} failed on {self.name}: {run.stderr[-2000:]}')
        with open(out) as result:
            return json.load(result)['ALL STATS']['Totals']

    def system_calls(self, memtier, options, seconds, folder):
        """System calls per operation, counted in a separate run because counting slows everything down; None if strace is missing or not permitted."""
        if not shutil.which('strace'):
            return None
        out = f'{folder}/strace'
        strace = subprocess.Popen(['strace', '-c', '-f', '-o', out, '-p', str(self.process.pid)], stderr=subprocess.DEVNULL)
        time.sleep(1)
        totals = self.load(memtier, options + [f'--test-time={seconds}'], folder)
        if strace.poll() is not None:
            return None
        strace.send_signal(2)
        strace.wait(30)
        with open(out) as table:
            total = [line.split() for line in table if line.rstrip().endswith(' total')]
        return int(total[0][3 if len(total[0]) > 4 else 2]) / totals['Count'] if total else None


def commands(arguments):
    garnet = arguments.garnet or compare.publish()
    found = {f'garnet, {size} KiB': f'{garnet} --tls-write-bytes {size}kb' for size in arguments.sizes.split(',')}
    valkey = shutil.which('valkey-server') if arguments.valkey is None else arguments.valkey
    if valkey:
        found['valkey'] = valkey
    if not arguments.no_kestrel:
        project = os.path.join(compare.ROOT, 'benchmark', 'Garnet.Microbenchmarks')
        subprocess.run(['dotnet', 'build', project, '-c', 'Release', '-v', 'q', '--nologo'], check=True, stdout=sys.stderr)
        found['kestrel'] = f'dotnet exec {project}/bin/Release/net10.0/Garnet.Microbenchmarks.dll kestrel-tls'
    found.update(other.split('=', 1) for other in arguments.other)
    return found


def measure(workload, servers, arguments, folder):
    options = WORKLOADS[workload]
    results = {server.name: [] for server in servers}
    for server in servers:
        if workload in FILL:
            server.load(arguments.memtier, FILL[workload], folder)
        server.load(arguments.memtier, options + [f'--test-time={arguments.seconds}'], folder)
    # Interleaved, so that other load on the machine affects all of them.
    for _ in range(arguments.rounds):
        for server in servers:
            before = compare.processor_seconds(server.process.pid)
            totals = server.load(arguments.memtier, options + [f'--test-time={arguments.seconds}'], folder)
            spent = compare.processor_seconds(server.process.pid) - before
            results[server.name].append((totals['Count'] / arguments.seconds, totals['Average Latency'], totals['Percentile Latencies']['p99.00'], spent * 1e6 / totals['Count']))
    calls = {server.name: server.system_calls(arguments.memtier, options, arguments.seconds, folder) for server in servers}
    lines = [f'### {workload}', '', '| server | operations/s | mean ms | p99 ms | system calls/op | processor us/op |', '|---|---|---|---|---|---|']
    for name, runs in results.items():
        rate, mean, latency, processor = (statistics.median(run[i] for run in runs) for i in range(4))
        counted = '-' if calls[name] is None else f'{calls[name]:.2f}'
        lines.append(f'| {name} | {rate:,.0f} | {mean:.2f} | {latency:.2f} | {counted} | {processor:.2f} |')
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', help='command of a built Garnet; one is published when it is left out')
    parser.add_argument('--valkey', help='command of Valkey; "" for none')
    parser.add_argument('--no-kestrel', action='store_true')
    parser.add_argument('--other', action='append', default=[], metavar='NAME=COMMAND', help='another server that takes the same options')
    parser.add_argument('--memtier', default='memtier_benchmark')
    parser.add_argument('--sizes', default='1,4,8,16,64', help='sizes of writes in KiB')
    parser.add_argument('--workload', action='append', choices=list(WORKLOADS))
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=int, default=3)
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--table', help='file for the tables; printed in any case')
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seconds = 1, 1
    for program in (arguments.memtier, 'openssl', 'taskset'):
        if not shutil.which(program):
            sys.exit(f'{program} is needed.')
    text = f'{arguments.rounds} rounds of {arguments.seconds} s.\n\n'
    servers = []
    with tempfile.TemporaryDirectory(prefix='garnet-tls-') as folder:
        make_certificate(folder)
        try:
            for name, command in commands(arguments).items():
                servers.append(Server(name, command, folder))
            for workload in arguments.workload or WORKLOADS:
                table = measure(workload, servers, arguments, folder)
                print(table, flush=True)
                text += table + '\n'
        finally:
            for server in servers:
                server.stop()
    if arguments.table:
        with open(arguments.table, 'w') as file:
            file.write(text)


if __name__ == '__main__':
    main()
