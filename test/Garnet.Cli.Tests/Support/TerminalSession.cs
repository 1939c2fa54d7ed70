// The built command on a pseudo terminal. One owner, which disposes of it.
using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Testing;

namespace Garnet.Cli.Tests.Support;

/// <summary>Runs <c>garnet cli</c> under script(1), which gives it a terminal; types, and waits for what it shows.</summary>
internal sealed class TerminalSession : IDisposable
{
    /// <summary>The program that makes the pseudo terminal.</summary>
    public const string Peer = "script";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly StringBuilder _shown = new();
    private int _seen;
    private bool _hasEnded;

    /// <summary>Starts it.</summary>
    /// <param name="arguments">What follows <c>garnet cli</c>, without quotes in it.</param>
    /// <param name="columns">The width of the terminal.</param>
    /// <param name="variables">The environment.</param>
    /// <param name="behind">What runs on the terminal when it has ended; then its process is named before it starts.</param>
    public TerminalSession(
        string arguments,
        int columns = 100,
        IReadOnlyDictionary<string, string>? variables = null,
        string? behind = null
    )
        : this(CommandOf(arguments, behind), variables ?? new Dictionary<string, string>(), columns) { }

    private TerminalSession(string command, IReadOnlyDictionary<string, string> variables, int columns)
    {
        var start = new ProcessStartInfo(Peers.Find(Peer), ["-qfec", $"stty cols {columns} rows 30; {command}", "/dev/null"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            StandardOutputEncoding = Encoding.UTF8,
        };
        start.Environment["TERM"] = "xterm";
        start.Environment["SHELL"] = "/bin/sh";
        foreach ((string name, string value) in variables)
            start.Environment[name] = value;
        _process = Process.Start(start)!;
        new Thread(Collect) { IsBackground = true }.Start();
    }

    /// <summary>A shell that knows jobs, as Ctrl+Z needs it; <see cref="CommandOf"/> is a line for it.</summary>
    public static TerminalSession OfShell(IReadOnlyDictionary<string, string> variables) =>
        new("exec env --default-signal PS1='shell> ' bash --norc --noprofile --noediting -i", variables, columns: 100);

    /// <summary>The line for a shell that runs <c>garnet cli</c>.</summary>
    public static string CommandOf(string arguments, string? behind = null)
    {
        // Tests that run in the background of a script inherit SIGINT and SIGQUIT ignored, and pass that on: no signal would arrive.
        string run = $"exec env --default-signal {string.Join(' ', GarnetProcess.Tool)} cli {arguments}";
        // Ctrl+C reaches the shell, too, and some shells end with what they wait for unless they catch it.
        return behind is null ? run : $"trap : INT; sh -c 'echo process $$; {run}'; {behind}";
    }

    /// <summary>All that was shown.</summary>
    public string Shown
    {
        get
        {
            lock (_shown)
                return _shown.ToString();
        }
    }

    /// <summary>Presses keys.</summary>
    public void Type(string keys)
    {
        _process.StandardInput.BaseStream.Write(Encoding.UTF8.GetBytes(keys));
        _process.StandardInput.BaseStream.Flush();
    }

    /// <summary>Waits for a text behind the one waited for last.</summary>
    public void WaitFor(string text)
    {
        long start = Stopwatch.GetTimestamp();
        lock (_shown)
        {
            while (true)
            {
                int at = _shown.ToString().IndexOf(text, _seen, StringComparison.Ordinal);
                if (at >= 0)
                {
                    _seen = at + text.Length;
                    return;
                }

                TimeSpan left = Patience - Stopwatch.GetElapsedTime(start);
                if (_hasEnded || left <= TimeSpan.Zero || !Monitor.Wait(_shown, left))
                    throw new TimeoutException($"'{text}' was not shown, but:{Environment.NewLine}{_shown}");
            }
        }
    }

    /// <summary>The number of the client's process, of a session that names it.</summary>
    public int ProcessId => int.Parse(Regex.Match(Shown, "process ([0-9]+)").Groups[1].ValueSpan, CultureInfo.InvariantCulture);

    /// <summary>Takes the terminal away, as the end of a window or of a connection does.</summary>
    public void CloseTerminal() => _process.Kill();

    /// <summary>Makes the terminal of a session that names its process as wide as this.</summary>
    public void Resize(int columns)
    {
        string path = new FileInfo($"/proc/{ProcessId}/fd/0").LinkTarget!;
        using var stty = Process.Start("stty", ["-F", path, "cols", $"{columns}"]);
        stty.WaitForExit();
    }

    /// <summary>Waits for the end.</summary>
    /// <returns>The exit code.</returns>
    public int WaitForExit()
    {
        if (!_process.WaitForExit(Patience))
            throw new TimeoutException($"The session did not end:{Environment.NewLine}{Shown}");
        return _process.ExitCode;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
    }

    private void Collect()
    {
        char[] buffer = new char[4096];
        for (int read = _process.StandardOutput.Read(buffer); read > 0; read = _process.StandardOutput.Read(buffer))
        {
            lock (_shown)
            {
                _shown.Append(buffer, 0, read);
                Monitor.PulseAll(_shown);
            }
        }

        lock (_shown)
        {
            _hasEnded = true;
            Monitor.PulseAll(_shown);
        }
    }
}
