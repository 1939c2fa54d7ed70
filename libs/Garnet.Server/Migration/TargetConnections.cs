// Connections to targets of MIGRATE, kept for the next call. Thread-safe.
using System.Buffers;
using Garnet.Engine.Clients;
using Garnet.Server.Configuration;
using Garnet.Server.Replication;

namespace Garnet.Server.Migration;

/// <summary>
/// A call takes an idle connection to its target, or opens one, and returns it afterwards. Idle connections are closed after ten seconds;
/// as in Valkey, at most 64 are kept.
/// </summary>
internal sealed class TargetConnections(ServerConfiguration configuration, ServerClock clock, IServerConnector? connector) : IDisposable
{
    private const int MaxIdle = 64;
    private const long MaxIdleMs = 10_000;

    // Of names and addresses. A path would lead to any Unix socket of the machine.
    private static readonly SearchValues<char> HostCharacters = SearchValues.Create(
        "%-.0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
    );

    private readonly Lock _gate = new();
    private readonly List<(MigrationTarget Target, TargetConnection Connection)> _idle = [];
    private bool _isDisposed;

    /// <summary>The number of idle connections.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _idle.Count;
        }
    }

    /// <summary>An idle connection to a target; null when there is none.</summary>
    public TargetConnection? TryTake(MigrationTarget target)
    {
        lock (_gate)
        {
            int index = _idle.FindLastIndex(entry => entry.Target == target);
            if (index < 0)
                return null;
            TargetConnection connection = _idle[index].Connection;
            _idle.RemoveAt(index);
            return connection;
        }
    }

    /// <summary>Opens a connection.</summary>
    /// <exception cref="IOException">The target cannot be reached.</exception>
    public async Task<TargetConnection> OpenAsync(MigrationTarget target, CancellationToken cancel)
    {
        if (connector is null || target.Port < 0 || target.Host.Length == 0 || target.Host.AsSpan().ContainsAnyExcept(HostCharacters))
            throw new IOException("There is no such target.");
        Stream stream = await connector.ConnectAsync(target.Host, target.Port, configuration.Current, cancel).ConfigureAwait(false);
        return new TargetConnection(stream);
    }

    /// <summary>Keeps a connection for the next call.</summary>
    public void Return(MigrationTarget target, TargetConnection connection)
    {
        connection.IsReused = true;
        connection.IdleSinceMs = clock.NowMs;
        TargetConnection? dropped = connection;
        lock (_gate)
        {
            if (!_isDisposed)
            {
                _idle.Add((target, connection));
                dropped = _idle.Count > MaxIdle ? _idle[0].Connection : null;
                if (dropped is not null)
                    _idle.RemoveAt(0);
            }
        }

        dropped?.Dispose();
    }

    /// <summary>Closes connections that have been idle for long. Called by the clock.</summary>
    public void CloseIdle(long nowMs)
    {
        List<TargetConnection> closed = [];
        lock (_gate)
        {
            // The oldest come first.
            while (_idle.Count > 0 && nowMs - _idle[0].Connection.IdleSinceMs > MaxIdleMs)
            {
                closed.Add(_idle[0].Connection);
                _idle.RemoveAt(0);
            }
        }

        foreach (TargetConnection connection in closed)
            connection.Dispose();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
            _isDisposed = true;
        CloseIdle(long.MaxValue);
    }
}
