// A session on a terminal. One thread; Ctrl+C during a command comes on another.
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Modes;
using Garnet.Cli.Options;
using Garnet.Cli.Output;

namespace Garnet.Cli.Interactive;

/// <summary>Reads lines and runs them until the user ends the session.</summary>
internal sealed class InteractiveMode
{
    private static readonly TimeSpan NotableTime = TimeSpan.FromMilliseconds(500);

    private readonly CliOptions _options;
    private readonly CliHost _host;
    private readonly CliSession _session;
    private readonly ReplyPrinter _printer;
    private readonly ITerminal _terminal;
    private readonly CommandCatalog _catalog = new();
    private readonly Completer _completer;
    private readonly History _history;
    private readonly LineEditor _editor;
    private CliConnection? _described;

    /// <summary>A session that has not begun.</summary>
    public InteractiveMode(CliOptions options, CliHost host, CliSession session, ReplyPrinter printer, ITerminal terminal)
    {
        (_options, _host, _session, _printer, _terminal) = (options, host, session, printer, terminal);
        _completer = new Completer(_catalog);
        _history = new History(History.DefaultPath(host.Variable));
        _editor = new LineEditor(terminal, _history, _completer, new LineColors(_catalog));
        session.IsInteractive = true;
    }

    /// <summary>Runs the session.</summary>
    /// <returns>The exit code.</returns>
    public int Run()
    {
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Interrupt);
        if (_history.Problem is { } problem)
            _printer.PrintLine($"The history is not kept: {problem}");
        _session.Connect();
        while (true)
        {
            Describe();
            if (_editor.ReadLine(Prompt()) is not { } text)
                return 0;
            if (text.Length > 0)
                _history.Add(text, SecretCommand.Is(text));
            foreach (string line in LineWords.Lines(text))
            {
                if (!Execute(line))
                    return 0;
            }

            if (_session.State.IsSubscribed)
                ReadMessages();
        }
    }

    private void Interrupt(PosixSignalContext context)
    {
        // Without a connection there is nothing to end but the process.
        context.Cancel = _session.Connection is not null;
        if (!context.Cancel)
            _terminal.LeaveRawMode();
        _session.Abort();
    }

    // Once for each connection: the server may be another one.
    private void Describe()
    {
        if (
            _session.Connection is not { } connection
            || connection == _described
            || _session.State.IsInTransaction
            || _session.State.IsSubscribed
        )
        {
            return;
        }

        try
        {
            // Without the right to ask, it is asked again after the next command.
            if (_catalog.Load(connection))
                _described = connection;
        }
        catch (ConnectionLostException)
        {
            _session.Drop();
        }
    }

    private string Prompt()
    {
        if (_session.Connection is null)
            return "not connected> ";
        SessionState state = _session.State;
        string database = state.Database == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"[{state.Database}]");
        return $"{_options.Connection.Address}{database}{(state.IsInTransaction ? "(TX)" : "")}{(state.IsSubscribed ? "(subscribed mode)" : "")}> ";
    }

    // False ends the session.
    private bool Execute(string line)
    {
        if (LineCommand.TryParse(Encoding.UTF8.GetBytes(line), out byte[][] command, out long repeat) is { } problem)
        {
            _printer.PrintLine(problem);
            return true;
        }

        if (command.Length == 0)
            return true;
        string name = Encoding.UTF8.GetString(command[0]).ToLowerInvariant();
        switch (name)
        {
            case "quit" or "exit":
                return false;
            case "help" or "?":
                new HelpPrinter(_catalog, _host.Output, _terminal.HasColors).Print(Array.ConvertAll(command[1..], Encoding.UTF8.GetString));
                break;
            case "clear" when command.Length == 1:
                _terminal.Write("\u001b[H\u001b[2J");
                break;
            case "connect" when command.Length == 3:
                LineCommand.Connect(command, _options, _session, _printer);
                break;
            default:
                if (name.StartsWith(':'))
                    SetPreference(line);
                else
                    RunCommand(command, repeat);
                break;
        }

        return true;
    }

    private void SetPreference(string line)
    {
        switch (line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            case [":set", "hints"]:
                _completer.ShowsHints = true;
                break;
            case [":set", "nohints"]:
                _completer.ShowsHints = false;
                break;
            default:
                _printer.PrintLine("Unknown preference; there are :set hints and :set nohints");
                break;
        }
    }

    private void RunCommand(byte[][] command, long repeat)
    {
        // A Ctrl+C that came too late for the last command must not end this one.
        if (_session.Connection is { IsAborted: true })
            _session.Connect();
        long start = Stopwatch.GetTimestamp();
        _session.Run(command, repeat);
        TimeSpan time = Stopwatch.GetElapsedTime(start);
        if (time >= NotableTime && _options.Output.Format == OutputFormat.Standard)
            _printer.PrintLine(string.Create(CultureInfo.InvariantCulture, $"({time.TotalSeconds:F2}s)"));
    }

    // Messages are printed until a key is pressed. The output of a terminal in raw mode needs both characters of a line's end, so that the
    // terminal is raw only while the keys are waited for.
    private void ReadMessages()
    {
        while (_session.State.IsSubscribed && _session.Connection is { } connection)
        {
            try
            {
                if (!WaitForMessage(connection))
                    return;
                _session.PrintMessage();
            }
            catch (ConnectionLostException e)
            {
                _session.Drop();
                _printer.PrintLine($"Error: {e.Message}");
            }
        }
    }

    // False if a key was pressed.
    private bool WaitForMessage(CliConnection connection)
    {
        if (connection.HasBytes)
            return true;
        const string Notice = "Reading messages... (press Ctrl-C to quit or any key to type command)";
        _terminal.EnterRawMode();
        _terminal.Write(Notice + "\r");
        using var stop = new CancellationTokenSource();
        Task message = connection.BeginReceive();
        Task<bool> key = Task.Run(() => _terminal.WaitForKey(stop.Token));
        bool isMessage = Task.WaitAny(message, key) == 0;
        stop.Cancel();
        bool isKey = key.GetAwaiter().GetResult() && !isMessage;
        KeyPress pressed = isKey ? _terminal.ReadKey() : default;
        _terminal.Write("\u001b[K");
        _terminal.LeaveRawMode();
        if (!isKey)
            return true;
        if (pressed.Key is EditKey.Interrupt)
        {
            _printer.PrintLine("Closing current connection. Ready to reconnect to the server...");
            _session.Connect();
        }
        else if (pressed.Key is not EditKey.None)
        {
            _editor.PushBack(pressed);
        }

        return false;
    }
}
