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
    private readonly LogWriter _writer;
    private readonly ServerLogger _logger;
    private volatile ServerConfiguration? _configuration;

    /// <summary>Opens the log that the options name.</summary>
    /// <exception cref="OptionException">The file cannot be opened.</exception>
    public ServerLoggerFactory(GarnetOptions options, TimeProvider time)
    {
        _writer = Open(options, time);
        ServerLogLevel initial = options.LogLevel;
        _logger = new ServerLogger(_writer, () => _configuration?.Current.LogLevel ?? initial);
    }

    /// <summary>Uses a running server's <c>loglevel</c> from now on.</summary>
    public void Follow(ServerConfiguration configuration) => _configuration = configuration;

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => _logger;

    /// <summary>Not supported: there is one output.</summary>
    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException("The server's log has one output.");

    /// <inheritdoc/>
    public void Dispose() => _writer.Dispose();

    private static LogWriter Open(GarnetOptions options, TimeProvider time)
    {
        if (options.LogFile.Length == 0)
            return LogWriter.ToConsole(time);
        string path = Path.GetFullPath(options.LogFile, options.Dir);
        try
        {
            return LogWriter.ToFile(path, time);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OptionException($"logfile {path}: cannot be opened: {e.Message}");
        }
    }
}
