// A connection as the load sees it. One thread.
namespace Garnet.Bench.Load;

/// <summary>Bytes to and from a server, without waiting.</summary>
internal interface ILoadChannel : IDisposable
{
    /// <summary>Receives what is there.</summary>
    /// <returns>The number of bytes; 0 at the end of the stream; -1 when there is nothing yet.</returns>
    /// <exception cref="IOException">The connection is broken.</exception>
    int Receive(Span<byte> buffer);

    /// <summary>Sends, or keeps for <see cref="Continue"/>, all bytes.</summary>
    /// <exception cref="IOException">The connection is broken.</exception>
    void Send(ReadOnlySpan<byte> bytes);

    /// <summary>Whether bytes are kept that the peer has no room for; more should not be sent now.</summary>
    bool IsBlocked { get; }

    /// <summary>Sends what was kept; called when the channel can be written.</summary>
    void Continue();
}
