// Addresses that are opened, moved and closed together while the server runs. One caller at a time; Bound may be read by any thread.
using System.Net;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Hosting.Kestrel;

/// <summary>
/// One endpoint to Kestrel, which opens its endpoints at start and knows no others later; any number of addresses, none too, to the
/// network. Connections outlive a move.
/// </summary>
/// <param name="addresses">Where to listen from the start on.</param>
internal sealed class EndPointGroup(IReadOnlyList<EndPoint> addresses) : EndPoint
{
    private MovableListener? _listener;

    /// <summary>Where it listens now, with the ports the kernel chose; where it will, before the start.</summary>
    public IReadOnlyList<EndPoint> Bound => Volatile.Read(ref _listener)?.Bound ?? addresses;

    /// <summary>
    /// Listens on these addresses and no others; what is open already and wanted stays open. Before the start they are only noted.
    /// </summary>
    /// <exception cref="EndPointException">An address cannot be opened; the group listens where it did before.</exception>
    public async Task MoveAsync(IReadOnlyList<EndPoint> wanted)
    {
        if (_listener is { } listener)
            await listener.MoveAsync(wanted).ConfigureAwait(false);
        else
            addresses = wanted;
    }

    /// <inheritdoc/>
    public override string ToString() => string.Join(", ", Bound.Select(ListenAddress.Text));

    internal async ValueTask<IConnectionListener> BindAsync(IConnectionListenerFactory factory)
    {
        var listener = new MovableListener(this, factory);
        await listener.MoveAsync(addresses).ConfigureAwait(false);
        Volatile.Write(ref _listener, listener);
        return listener;
    }
}
