// The connections of one thread, and waiting for them. One thread.
using Garnet.Network.Polling;

namespace Garnet.Bench.Load;

/// <summary>Opens channels and reports those that are ready. Tests have one whose server and time exist in memory.</summary>
internal abstract class ChannelSet : IDisposable
{
    /// <summary>Connects; ready when it returns.</summary>
    /// <param name="id">The channel's number in <see cref="Wait"/>.</param>
    public abstract ILoadChannel Open(int id);

    /// <summary>Closes a channel and opens another one under its number.</summary>
    public abstract ILoadChannel Reopen(int id);

    /// <summary>Waits until channels are ready or the time is over, as <see cref="SocketPoller.Wait"/>.</summary>
    public abstract int Wait(Span<ReadySocket> ready, long timeoutNs);

    /// <summary>Closes all channels.</summary>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Closes what the derived class holds.</summary>
    protected abstract void Dispose(bool disposing);
}
