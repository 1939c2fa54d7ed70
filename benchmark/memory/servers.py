"""Servers under test, connections to them, and readings of their processes. Used by the scripts in this folder; Linux only."""
import os, shlex, signal, socket, subprocess, sys, tempfile, time

# The scripts in this folder are started by their paths.
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import compare
from compare import encode, free_port

PAGE = os.sysconf('SC_PAGE_SIZE')
FILL_BATCH = 500


class Link:
    """A connection that sends raw requests and reads replies one by one."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.file = self.socket.makefile('rb', buffering=1 << 20)

    def send(self, data):
        self.socket.sendall(data)

    def reply(self):
        """A status, a number or a string as bytes, None for null; exits on an error."""
        line = self.file.readline()
        if line[:1] == b'$' and line != b'$-1\r\n':
            return self.file.read(int(line[1:]) + 2)[:-2]
        if line[:1] == b'-' or not line:
            sys.exit(f'error reply: {line.decode()}')
        return None if line == b'$-1\r\n' else line.strip()

    def skip(self, count):
        """Reads replies of one line each."""
        for _ in range(count):
            line = self.file.readline()
            if line[:1] == b'-' or not line:
                sys.exit(f'error reply: {line.decode()}')

    def fill(self, form, first, last):
        """Sends a request for each number, whose replies are one line each, a batch ahead of the replies."""
        waiting = 0
        for start in range(first, last, FILL_BATCH):
            count = min(FILL_BATCH, last - start)
            self.send(b''.join([form % number for number in range(start, start + count)]))
            self.skip(waiting)
            waiting = count
        self.skip(waiting)

    def call(self, *words):
        self.send(encode(*words))
        return self.reply()

    def keys(self):
        return int(self.call('DBSIZE')[1:])

    def info(self, section):
        text = self.call('INFO', section).decode()
        return dict(line.split(':', 1) for line in text.split('\r\n') if ':' in line)


class Server:
    """A started server; ended by its process id when the with-block is left. A port is opened only when one is asked for."""

    def __init__(self, command, *arguments, port=0):
        self.folder = tempfile.mkdtemp(prefix='memory-')
        self.path = os.path.join(self.folder, 's')
        argv = shlex.split(command) + self.listening(port) + [*map(str, arguments)]
        self.process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.time() + 20
        while True:
            try:
                self.link = Link(self.path)
                self.link.send(encode('PING'))
                if self.link.file.readline() == b'+PONG\r\n':
                    return
            except OSError:
                pass
            if time.time() > deadline or self.process.poll() is not None:
                self.stop()
                sys.exit(f'{command} did not start')
            time.sleep(0.02)

    def listening(self, port):
        return ['--port', str(port), '--unixsocket', self.path, '--save', '', '--dir', self.folder]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        subprocess.run(['rm', '-rf', self.folder], check=True)

    def resident(self):
        with open(f'/proc/{self.process.pid}/statm') as file:
            return int(file.read().split()[1]) * PAGE

    def processor_seconds(self):
        return compare.processor_seconds(self.process.pid)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def add_options(parser):
    """The servers that a script compares."""
    parser.add_argument('--garnet', default='artifacts/garnet/garnet', help='command line of the one server')
    parser.add_argument('--valkey', default='valkey-server', help='command line of the other, or nothing to leave it out')
    parser.add_argument('--output', default='', help='a file for the table, beside the standard output')


def commands(options):
    return [(name, command) for name, command in (('Garnet', options.garnet), ('Valkey', options.valkey)) if command]


def write(lines, output):
    print('\n'.join(lines), flush=True)
    if output:
        with open(output, 'w') as file:
            file.write('\n'.join(lines) + '\n')
