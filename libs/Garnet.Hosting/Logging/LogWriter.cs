// Writes log lines to the console or a file. Any thread; one line at a time.
using System.Globalization;
using System.Text;

namespace Garnet.Hosting.Logging;

/// <summary>
/// Lines as operators of Redis and Valkey know them: <c>pid:M 21 Nov 2026 11:30:12.345 * message</c>. Each is one write, so that
/// a crash loses none that was logged, and lines of several processes in one file do not mix.
/// </summary>
internal sealed class LogWriter : IDisposable
{
    private readonly Lock _writing = new();
    private readonly Stream _output;
    private readonly TimeProvider _time;

    private LogWriter(Stream output, TimeProvider time)
    {
        _output = output;
        _time = time;
    }

    public static LogWriter ToConsole(TimeProvider time) => new(Console.OpenStandardOutput(), time);

    public static LogWriter ToFile(string path, TimeProvider time) =>
        new(new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0), time);

    public void Write(char mark, string message, Exception? exception)
    {
        string when = _time.GetLocalNow().ToString("dd MMM yyyy HH:mm:ss.fff", CultureInfo.InvariantCulture);
        string more = exception is null ? "" : Environment.NewLine + exception;
        byte[] line = Encoding.UTF8.GetBytes($"{Environment.ProcessId}:M {when} {mark} {message}{more}\n");
        lock (_writing)
            _output.Write(line);
    }

    public void Dispose() => _output.Dispose();
}
