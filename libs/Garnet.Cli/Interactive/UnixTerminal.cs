// The terminal of the process on Unix. One thread; disposal from any.
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using Garnet.Cli.Output;

namespace Garnet.Cli.Interactive;

/// <summary>Reads bytes in raw mode and decodes them.</summary>
internal sealed class UnixTerminal : ITerminal, IDisposable
{
    private const int DefaultColumns = 80;
    private const int PollMs = 100;

    // A key that sends several bytes sends them at once; Escape alone is followed by nothing.
    private const int EscapeMs = 50;

    // For how long Ctrl+Z may take to stop the process; where no shell would continue it, the system leaves it running.
    private const int StopMs = 1000;
    private const string BracketedPasteOn = "\u001b[?2004h";
    private const string BracketedPasteOff = "\u001b[?2004l";

    private static readonly PosixSignal[] EndingSignals = [PosixSignal.SIGTERM, PosixSignal.SIGHUP, PosixSignal.SIGQUIT];

    private readonly byte[] _original;
    private readonly byte[] _raw;
    private readonly IOutput _output;
    private readonly KeyDecoder _decoder;
    private readonly PosixSignalRegistration[] _signals;
    private readonly byte[] _bytes = new byte[4096];
    private int _start;
    private int _end;
    private volatile bool _isRaw;

    private UnixTerminal(byte[] original, IOutput output)
    {
        _original = original;
        _raw = TerminalCalls.Raw(original);
        _output = output;
        _decoder = new KeyDecoder(NextByte);
        _signals = Array.ConvertAll(EndingSignals, each => PosixSignalRegistration.Create(each, _ => Restore()));
        AppDomain.CurrentDomain.ProcessExit += RestoreAtExit;
    }

    /// <summary>The terminal; null where standard input is none.</summary>
    public static UnixTerminal? TryOpen(IOutput output) =>
        TerminalCalls.TryGetSettings() is { } settings ? new UnixTerminal(settings, output) : null;

    /// <inheritdoc/>
    public int Columns => TerminalCalls.Columns() is > 0 and var columns ? columns : DefaultColumns;

    /// <inheritdoc/>
    public bool HasColors { get; } =
        string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"))
        && Environment.GetEnvironmentVariable("TERM") is not (null or "" or "dumb");

    /// <inheritdoc/>
    public void EnterRawMode()
    {
        if (_isRaw)
            return;
        TerminalCalls.Set(_raw);
        _isRaw = true;
        Write(BracketedPasteOn);
    }

    /// <inheritdoc/>
    public void LeaveRawMode()
    {
        if (!_isRaw)
            return;
        _isRaw = false;
        Write(BracketedPasteOff);
        TerminalCalls.Set(_original);
    }

    /// <inheritdoc/>
    public KeyPress ReadKey() => _decoder.Read();

    /// <inheritdoc/>
    public bool WaitForKey(CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            if (_start < _end || TerminalCalls.Poll(PollMs))
                return true;
        }

        return false;
    }

    /// <inheritdoc/>
    public void Write(string text) => _output.Write(Encoding.UTF8.GetBytes(text));

    /// <inheritdoc/>
    [UnsupportedOSPlatform("windows")]
    public void Suspend()
    {
        LeaveRawMode();
        // The call may return before another thread takes the signal, by which all threads stop: raw mode, entered until then, would be the
        // shell's to undo, and the line would go on without it.
        var goesOn = new TaskCompletionSource();
        using (PosixSignalRegistration.Create(PosixSignal.SIGCONT, _ => goesOn.TrySetResult()))
        {
            TerminalCalls.StopJob();
            goesOn.Task.Wait(StopMs);
        }

        EnterRawMode();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= RestoreAtExit;
        foreach (PosixSignalRegistration signal in _signals)
            signal.Dispose();
        LeaveRawMode();
    }

    private void RestoreAtExit(object? sender, EventArgs arguments) => Restore();

    // However the process ends, the shell must find its terminal as it was. The runtime ends at these signals without ProcessExit.
    private void Restore()
    {
        if (!_isRaw)
            return;
        TerminalCalls.Set(_original);
        try
        {
            Write(BracketedPasteOff);
        }
        catch (CliException)
        {
            // The terminal is gone, and with it what was to be restored.
        }
    }

    // -1 at the end of the input, or if nothing follows an Escape.
    private int NextByte(bool isWithinKey)
    {
        if (_start == _end)
        {
            if (isWithinKey && !TerminalCalls.Poll(EscapeMs))
                return -1;
            int read = TerminalCalls.Read(_bytes);
            if (read <= 0)
                return -1;
            (_start, _end) = (0, read);
        }

        return _bytes[_start++];
    }
}
