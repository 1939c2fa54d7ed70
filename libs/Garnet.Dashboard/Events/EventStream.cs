// One page that follows the events. The feed puts events in; the request's task takes them out.
using System.Threading.Channels;
using Garnet.Dashboard.Login;

namespace Garnet.Dashboard.Events;

/// <summary>Holds the latest event alone: a page that reads slowly misses some and costs nothing.</summary>
internal sealed class EventStream(DashboardSession session, TimeProvider time)
{
    /// <summary>How long a page may take to read one event.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly CancellationTokenSource _ending = new();
    private readonly Channel<ReadOnlyMemory<byte>> _latest = Channel.CreateBounded<ReadOnlyMemory<byte>>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true }
    );

    /// <summary>Whose page it is.</summary>
    public DashboardSession Session => session;

    /// <summary>Hands an event over.</summary>
    public void Offer(ReadOnlyMemory<byte> message) => _latest.Writer.TryWrite(message);

    /// <summary>Cancelled when another page needs its place.</summary>
    public CancellationToken Ended => _ending.Token;

    /// <summary>Ends it, even if its reader takes nothing; on another thread.</summary>
    public void End() => _ = _ending.CancelAsync();

    /// <summary>Writes events until the stream, the session or the browser ends.</summary>
    /// <exception cref="TimeoutException">The browser does not read.</exception>
    public async Task WriteToAsync(Stream body, CancellationToken cancellationToken)
    {
        await foreach (ReadOnlyMemory<byte> message in _latest.Reader.ReadAllAsync(cancellationToken).ConfigureAwait(false))
        {
            using var patience = new CancellationTokenSource(Patience, time);
            using var end = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
            try
            {
                await body.WriteAsync(message, end.Token).ConfigureAwait(false);
                await body.FlushAsync(end.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException e) when (patience.IsCancellationRequested)
            {
                throw new TimeoutException("The browser does not read its events.", e);
            }
        }
    }
}
