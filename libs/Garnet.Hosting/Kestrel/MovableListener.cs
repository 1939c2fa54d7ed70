// Accepts from any number of listeners, which may change. Thread-safe; moves come one after another.
using System.Collections.Immutable;
using System.Net;
using System.Threading.Channels;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Hosting.Kestrel;

/// <summary>
/// Looks like one listener to Kestrel. A move closes first what is no longer wanted, as a new address may overlap an old one.
/// </summary>
internal sealed class MovableListener(EndPointGroup group, IConnectionListenerFactory factory) : IConnectionListener
{
    private readonly Channel<ConnectionContext> _accepted = Channel.CreateUnbounded<ConnectionContext>(
        new UnboundedChannelOptions { SingleReader = true }
    );
    private readonly SemaphoreSlim _moving = new(1);
    private ImmutableArray<Opened> _open = [];
    private bool _isUnbound;

    public EndPoint EndPoint => group;

    /// <summary>The open addresses, with the ports the kernel chose.</summary>
    public IReadOnlyList<EndPoint> Bound => [.. _open.Select(static opened => opened.Listener.EndPoint)];

    /// <summary>Opens what is missing and closes the rest.</summary>
    /// <exception cref="EndPointException">An address cannot be opened; everything is as it was.</exception>
    public async Task MoveAsync(IReadOnlyList<EndPoint> wanted)
    {
        await _moving.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_isUnbound)
                return;
            EndPoint[] before = [.. _open.Select(static opened => opened.Wanted)];
            await CloseAllButAsync(wanted).ConfigureAwait(false);
            try
            {
                await OpenMissingAsync(wanted).ConfigureAwait(false);
            }
            catch (EndPointException)
            {
                await CloseAllButAsync(before).ConfigureAwait(false);
                await OpenMissingAsync(before).ConfigureAwait(false);
                throw;
            }
        }
        finally
        {
            _moving.Release();
        }
    }

    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (await _accepted.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false))
        {
            if (_accepted.Reader.TryRead(out ConnectionContext? connection))
                return connection;
        }

        return null;
    }

    public async ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        await _moving.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        _isUnbound = true;
        await CloseAllButAsync([]).ConfigureAwait(false);
        _accepted.Writer.TryComplete();
        _moving.Release();
    }

    public async ValueTask DisposeAsync()
    {
        await UnbindAsync().ConfigureAwait(false);
        while (_accepted.Reader.TryRead(out ConnectionContext? connection))
            await RefuseAsync(connection).ConfigureAwait(false);
    }

    private async Task CloseAllButAsync(IReadOnlyList<EndPoint> wanted)
    {
        foreach (Opened opened in _open)
        {
            if (wanted.Contains(opened.Wanted))
                continue;
            await opened.Listener.UnbindAsync().ConfigureAwait(false);
            await opened.Pumping.ConfigureAwait(false);
            await opened.Listener.DisposeAsync().ConfigureAwait(false);
            _open = _open.Remove(opened);
        }
    }

    private async Task OpenMissingAsync(IReadOnlyList<EndPoint> wanted)
    {
        foreach (EndPoint endPoint in wanted)
        {
            if (_open.Any(opened => opened.Wanted.Equals(endPoint)))
                continue;
            IConnectionListener listener = await factory.BindAsync(endPoint).ConfigureAwait(false);
            _open = _open.Add(new Opened(endPoint, listener, PumpAsync(listener)));
        }
    }

    private async Task PumpAsync(IConnectionListener listener)
    {
        while (await listener.AcceptAsync().ConfigureAwait(false) is { } connection)
        {
            if (!_accepted.Writer.TryWrite(connection))
                await RefuseAsync(connection).ConfigureAwait(false);
        }
    }

    private static ValueTask RefuseAsync(ConnectionContext connection)
    {
        connection.Abort();
        return connection.DisposeAsync();
    }

    private sealed record Opened(EndPoint Wanted, IConnectionListener Listener, Task Pumping);
}
