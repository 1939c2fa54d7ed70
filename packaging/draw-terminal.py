#!/usr/bin/env python3
"""Draws sessions of `garnet cli` and `garnet bench`, typed on a pseudo terminal, as SVG. Needs Python alone, and a published garnet program.

  packaging/draw-terminal.py PROGRAM docs        writes docs/cli.svg and docs/bench.svg

What is shown is what the programs wrote: a small terminal obeys their escape sequences. The pictures are readable on light and dark pages.
"""
import codecs, fcntl, os, pty, re, select, signal, socket, struct, subprocess, sys, tempfile, termios, time, unicodedata
from html import escape

PORT = 6379  # the prompt shows it
ROWS, COLUMNS = 24, 84
WAIT_SECONDS = 30
CHARACTER_WIDTH, LINE_HEIGHT, MARGIN = 7.25, 17, 12
STYLE = """
.page { fill: #fbfbfb; stroke: #ccc; } text { fill: #24292f; }
.bold { font-weight: bold; } .grey { fill: #8c959f; }
.red { fill: #c6283e; } .green { fill: #1a7f37; } .yellow { fill: #9a6700; } .blue { fill: #0969da; } .magenta { fill: #8250df; } .cyan { fill: #1b7c83; }
@media (prefers-color-scheme: dark) {
.page { fill: #161b22; stroke: #444; } text { fill: #d0d7de; } .grey { fill: #768390; }
.red { fill: #ff7b72; } .green { fill: #56d364; } .yellow { fill: #e3b341; } .blue { fill: #79c0ff; } .magenta { fill: #d2a8ff; } .cyan { fill: #76e3ea; }
}
"""
COLORS = ['grey', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', '']
SEQUENCE = re.compile(r'\x1b\[([?0-9;]*)([A-Za-z])')
KEYPAD = re.compile('\x1b[=>]')


class Screen:
    """Obeys what the programs write; an escape sequence that it does not know ends the drawing."""

    def __init__(self):
        self.rows, self.row, self.column, self.style = [[]], 0, 0, ()

    def write(self, text):
        at = 0
        text = KEYPAD.sub('', text)
        while at < len(text):
            found = SEQUENCE.match(text, at)
            if found:
                self.obey(found.group(1), found.group(2))
                at = found.end()
                continue
            self.show(text[at])
            at += 1

    def show(self, character):
        if character == '\r':
            self.column = 0
        elif character == '\n':
            self.down()
        elif character == '\x1b':
            sys.exit('an unknown escape sequence')
        else:
            if self.column >= COLUMNS:
                self.column = 0
                self.down()
            line = self.rows[self.row]
            line.extend([(' ', ())] * (self.column + 1 - len(line)))
            line[self.column] = (character, self.style)
            self.column += 2 if unicodedata.east_asian_width(character) in 'WF' else 1

    def down(self):
        self.row += 1
        while len(self.rows) <= self.row:
            self.rows.append([])

    def obey(self, parameters, kind):
        number = int(parameters) if parameters.isdigit() else 1
        if kind == 'A':
            self.row = max(0, self.row - number)
        elif kind == 'C':
            self.column = min(COLUMNS - 1, self.column + number)
        elif kind in 'JK':
            del self.rows[self.row][self.column:]
            if kind == 'J':
                del self.rows[self.row + 1:]
        elif kind == 'm':
            self.color([int(each or 0) for each in parameters.split(';')])
        elif kind not in 'hl':
            sys.exit(f'an unknown escape sequence: {parameters}{kind}')

    def color(self, codes):
        for code in codes:
            if code == 0:
                self.style = ()
            elif code == 1:
                self.style += ('bold',)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                name = 'grey' if code == 90 else COLORS[code % 10]
                self.style = tuple(each for each in self.style if each == 'bold') + ((name,) if name else ())
            else:
                sys.exit(f'an unknown colour: {code}')


class Session:
    """A program on a pseudo terminal."""

    def __init__(self, words, shown, variables):
        self.screen, self.text, self.seen = Screen(), '', 0
        self.decode = codecs.getincrementaldecoder('utf-8')().decode
        self.screen.write(f'$ {shown}\r\n')
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(words[0], words, {**os.environ, **variables, 'TERM': 'xterm'})
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack('HHHH', ROWS, COLUMNS, 0, 0))

    def read(self):
        """Whether there was something to read; False at the end."""
        try:
            bytes_ = os.read(self.terminal, 65536)
        except OSError:  # how Linux reports that the last process has left the terminal
            return False
        text = self.decode(bytes_)
        self.text += text
        self.screen.write(text)
        return bool(bytes_)

    def wait(self, text):
        deadline = time.time() + WAIT_SECONDS
        while text not in self.text[self.seen:]:
            ready, _, _ = select.select([self.terminal], [], [], max(0, deadline - time.time()))
            if not ready or not self.read():
                sys.exit(f'{text!r} was not shown, but: {self.text!r}')
        self.seen = self.text.index(text, self.seen) + len(text)

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def end(self):
        while self.read():
            pass
        os.waitpid(self.process, 0)

    def kill(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def draw(screen, title):
    rows = list(screen.rows)
    while rows and not ''.join(character for character, _ in rows[-1]).strip():
        rows.pop()
    width, height = 2 * MARGIN + COLUMNS * CHARACTER_WIDTH, 2 * MARGIN + len(rows) * LINE_HEIGHT
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" font-family="ui-monospace, Menlo, Consolas, monospace" '
             f'font-size="12"><title>{escape(title)}</title><style>{STYLE}</style>',
             f'<rect class="page" x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="6"/>']
    for number, row in enumerate(rows):
        y = MARGIN + (number + 0.8) * LINE_HEIGHT
        parts.extend(f'<text xml:space="preserve" x="{MARGIN + start * CHARACTER_WIDTH:.1f}" y="{y:.1f}" textLength="{len(text) * CHARACTER_WIDTH:.1f}"'
                     f'{classes(style)}>{escape(text)}</text>' for start, text, style in runs(row) if text.strip())
    return '\n'.join(parts + ['</svg>']) + '\n'


def classes(style):
    return f' class="{" ".join(style)}"' if style else ''


def runs(row):
    """Parts of a row in one style: where each begins, its text, the style."""
    while row and row[-1][0] == ' ':
        row = row[:-1]
    start = 0
    for at in range(1, len(row) + 1):
        if at == len(row) or row[at][1] != row[start][1]:
            yield start, ''.join(character for character, _ in row[start:at]), row[start][1]
            start = at


def draw_client(program, folder):
    session = Session([program, 'cli'], 'garnet cli', {'GARNETCLI_HISTFILE': '/dev/null'})
    prompt = f'127.0.0.1:{PORT}> '
    for line, reply in (('SET greeting "hello world"', 'OK'), ('HSET user:1 name Ada born 1815', '(integer) 2'), ('HGETALL user:1', '"1815"'),
                        ('ZADD scores 12 Ada 10 Grace', '(integer) 2')):
        session.wait(prompt)
        session.type(line + '\r')
        session.wait(reply + '\r\n')
    session.wait(prompt)
    session.type('EXPIRE greeting ')
    session.wait('[')  # the hint
    while select.select([session.terminal], [], [], 0.3)[0] and session.read():
        pass
    with open(os.path.join(folder, 'cli.svg'), 'w') as file:
        file.write(draw(session.screen, 'A session of garnet cli'))
    session.kill()


def draw_load(program, folder):
    session = Session([program, 'bench', '-t', 'set,get', '-P', '16', '--test-time', '3'], 'garnet bench -t set,get -P 16 --test-time 3', {})
    session.end()
    with open(os.path.join(folder, 'bench.svg'), 'w') as file:
        file.write(draw(session.screen, 'A run of garnet bench'))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen([program, '--port', str(PORT), '--bind', '127.0.0.1', '--dir', data], stdout=subprocess.DEVNULL)
        try:
            await_server(server)
            draw_client(program, folder)
            draw_load(program, folder)
        finally:
            server.kill()
            server.wait()


def await_server(server):
    deadline = time.time() + WAIT_SECONDS
    while server.poll() is None and time.time() < deadline:
        try:
            socket.create_connection(('127.0.0.1', PORT)).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit(f'the server did not start; is port {PORT} in use?')


if __name__ == '__main__':
    main()
