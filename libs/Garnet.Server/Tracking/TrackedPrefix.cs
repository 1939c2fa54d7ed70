// A prefix of keys, and the clients that are notified of them. Written under the lock of its table, read by any thread.
using Garnet.Engine.Execution;

namespace Garnet.Server.Tracking;

/// <summary>Exists while it has clients.</summary>
internal sealed class TrackedPrefix(byte[] bytes, ClientSession[] clients)
{
    private volatile ClientSession[] _clients = clients;

    /// <summary>The prefix; empty for all keys.</summary>
    public byte[] Bytes => bytes;

    /// <summary>The clients; an array that is replaced, never changed, and may belong to several prefixes.</summary>
    public ClientSession[] Clients
    {
        get => _clients;
        set => _clients = value;
    }
}
