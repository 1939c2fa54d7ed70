// The stand-alone server's logging. Any thread.
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting.Logging;

/// <summary>
/// Loggers that write to one console or file. The general logging stack with its console provider and its own thread takes longer
/// to start than the rest of the server; an embedding application uses its own factory instead of this one.
/// </summary>
internal sealed class ServerLoggerFactory : ILoggerFactory
{
    // Kestrel names connections by numbers of its own; the server says who connects.
    private const string Connections = "Microsoft.AspNetCore.Server.Kestrel.Connections";

    private readonly LogWriter _writer;
    private readonly ServerLogger _logger;
    private readonly ServerLogger _connections;
    private readonly GarnetOptions _initial;
    private volatile ServerConfiguration? _configuration;
    private volatile Func<bool> _isReplica = static () => false;

    /// <summary>Opens the log that the options name.</summary>
    /// <exception cref="OptionException">The file cannot be opened.</exception>
    /// <param name="options">The options; those of a running server count later, see <see cref="Follow"/>.</param>
    /// <param name="time">The clock.</param>
    /// <param name="systemLog">The socket of the system's log.</param>
    public ServerLoggerFactory(GarnetOptions options, TimeProvider time, string systemLog = SystemLog.DefaultPath)
    {
        _initial = options.Clone();
        _writer = new LogWriter(
            Open(options),
            time,
            Options,
            () => _isReplica(),
            options.SyslogEnabled ? OpenSystemLog(options, systemLog) : null
        );
        _logger = new ServerLogger(_writer, () => Options().LogLevel);
        _connections = new ServerLogger(_writer, () => Options().LogLevel, LogLevel.Warning);
    }

    /// <summary>Uses a running server's <c>loglevel</c>, formats and role from now on.</summary>
    public void Follow(ServerConfiguration configuration, Func<bool> isReplica)
    {
        _isReplica = isReplica;
        _configuration = configuration;
    }

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => categoryName == Connections ? _connections : _logger;

    /// <summary>Not supported: there is one output.</summary>
    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException("The server's log has one output.");

    /// <inheritdoc/>
    public void Dispose() => _writer.Dispose();

    private GarnetOptions Options() => _configuration?.Current ?? _initial;

    private static SystemLog OpenSystemLog(GarnetOptions options, string path) =>
        File.Exists(path)
            ? new SystemLog(options, path)
            : throw new OptionException($"syslog-enabled yes: this system has no log at {path} (allowed here: no)");

    private static Stream Open(GarnetOptions options)
    {
        if (options.LogFile.Length == 0)
            return Console.OpenStandardOutput();
        string path = Path.GetFullPath(options.LogFile, options.Dir);
        try
        {
            return new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OptionException($"logfile {path}: cannot be opened: {e.Message}");
        }
    }
}
