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
    private long _lost; // messages since the last one that was written
    private string _problem = "";

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
        string line = $"{Environment.ProcessId}:M {when} {mark} {OneLine(message)}{more}\n";
        lock (_writing)
        {
            try
            {
                if (_lost > 0)
                {
                    line =
                        $"{Environment.ProcessId}:M {when} # {_lost} log messages before this one could not be written: {_problem}\n{line}";
                }

                _output.Write(Encoding.UTF8.GetBytes(line));
                _lost = 0;
            }
            catch (IOException e)
            {
                // A full disk must not end the command that logs. The number of lost messages is logged when there is space
                // again.
                _lost++;
                _problem = e.Message;
            }
        }
    }

    // Messages quote untrusted text, such as the name in a certificate: a line end in it must not produce a line that looks like ours.
    private static string OneLine(string message)
    {
        if (!message.Any(char.IsControl))
            return message;
        var line = new StringBuilder(message.Length + 16);
        foreach (char character in message)
        {
            if (char.IsControl(character))
                line.Append(CultureInfo.InvariantCulture, $"\\x{(int)character:x2}");
            else
                line.Append(character);
        }

        return line.ToString();
    }

    public void Dispose() => _output.Dispose();
}
