// Writes log lines to the console or a file, and to the system's log. Any thread; one line at a time.
using System.Text;

namespace Garnet.Hosting.Logging;

/// <summary>
/// Lines as operators of Redis and Valkey know them: <c>pid:M 21 Nov 2026 11:30:12.345 * message</c>, or as <c>log-format</c> says. Each is
/// one write, so that a crash loses none that was logged, and lines of several processes in one file do not mix.
/// </summary>
internal sealed class LogWriter : IDisposable
{
    private readonly Lock _writing = new();
    private readonly Stream _output;
    private readonly TimeProvider _time;
    private readonly Func<GarnetOptions> _options;
    private readonly Func<bool> _isReplica;
    private readonly SystemLog? _systemLog;
    private long _lost; // messages since the last one that was written
    private string _problem = "";

    /// <param name="output">Where lines go.</param>
    /// <param name="time">The clock.</param>
    /// <param name="options">The options of the moment, which say the format.</param>
    /// <param name="isReplica">Whether the server is a replica at the moment.</param>
    /// <param name="systemLog">The system's log, or null.</param>
    public LogWriter(Stream output, TimeProvider time, Func<GarnetOptions> options, Func<bool> isReplica, SystemLog? systemLog)
    {
        _output = output;
        _time = time;
        _options = options;
        _isReplica = isReplica;
        _systemLog = systemLog;
    }

    public void Write(char mark, string message, Exception? exception)
    {
        GarnetOptions options = _options();
        string line = LogLine.Format(options, _isReplica(), _time.GetLocalNow(), mark, message, exception);
        lock (_writing)
        {
            try
            {
                if (_lost > 0)
                {
                    string lost = $"{_lost} log messages before this one could not be written: {_problem}";
                    line = LogLine.Format(options, _isReplica(), _time.GetLocalNow(), '#', lost, null) + line;
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

            _systemLog?.Send(mark, exception is null ? message : $"{message} {exception}");
        }
    }

    public void Dispose()
    {
        _output.Dispose();
        _systemLog?.Dispose();
    }
}
