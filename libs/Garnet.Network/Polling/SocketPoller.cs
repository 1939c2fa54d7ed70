// Waits until one of many connected sockets can be used: the heart of a client's event loop. One thread uses a poller and its sockets.
namespace Garnet.Network.Polling;

/// <summary>
/// Reports sockets that can be read or written. Readiness to read may be reported once only, when bytes arrive: whoever is told reads until
/// <see cref="PolledSocket.WouldBlock"/> or a short count, or to the end where <see cref="ReadySocket.HasEnded"/> says that there is one.
/// </summary>
internal abstract class SocketPoller : IDisposable
{
    /// <summary>The poller for this system.</summary>
    public static SocketPoller Create() => OperatingSystem.IsLinux() ? new EpollPoller() : new SelectPoller();

    /// <summary>Begins to report a socket under a number, which is not in use.</summary>
    public abstract void Add(PolledSocket socket, int id);

    /// <summary>Ends the reports about a socket that is about to be closed; its number is free again.</summary>
    public abstract void Remove(PolledSocket socket);

    /// <summary>Says whether the socket's readiness to write is to be reported, too. At first it is not.</summary>
    public abstract void SetWantsWrite(PolledSocket socket, int id, bool wanted);

    /// <summary>Waits until a socket is ready or the time is over; less precise than its unit where the system is.</summary>
    /// <param name="ready">Receives what is ready.</param>
    /// <param name="timeoutNs">Nanoseconds to wait; 0 only looks.</param>
    /// <returns>How many elements were written; 0 also when a wait ended early.</returns>
    public abstract int Wait(Span<ReadySocket> ready, long timeoutNs);

    /// <summary>Releases the poller, not its sockets.</summary>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Releases what the derived class holds.</summary>
    protected abstract void Dispose(bool disposing);
}
