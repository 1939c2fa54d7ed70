// The file with the process ID. One thread.
using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Garnet.Tool;

/// <summary>Written while the server runs, if <c>pidfile</c> names a file; removed when it ends.</summary>
internal sealed class PidFile(GarnetOptions options, ILogger log) : IDisposable
{
    private readonly string? _path = options.PidFile.Length == 0 ? null : Path.GetFullPath(options.PidFile, options.Dir);
    private bool _isWritten;

    /// <summary>Writes it. The server can do without it, so that a failure is only logged.</summary>
    public void Write()
    {
        if (_path is null)
            return;
        try
        {
            File.WriteAllText(_path, string.Create(CultureInfo.InvariantCulture, $"{Environment.ProcessId}\n"));
            _isWritten = true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            log.LogWarning("pidfile {Path}: cannot be written: {Problem}", _path, e.Message);
        }
    }

    /// <summary>Removes it.</summary>
    public void Dispose()
    {
        if (!_isWritten)
            return;
        _isWritten = false;
        try
        {
            File.Delete(_path!);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            log.LogWarning("pidfile {Path}: cannot be removed: {Problem}", _path, e.Message);
        }
    }
}
