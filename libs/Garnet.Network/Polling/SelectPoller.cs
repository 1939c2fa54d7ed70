// The poller for systems other than Linux: the runtime's select. One thread.
using System.Net.Sockets;

namespace Garnet.Network.Polling;

/// <summary>Looks at all its sockets in each wait, so that it is meant for some hundreds of them.</summary>
internal sealed class SelectPoller : SocketPoller
{
    private const long NanosecondsPerMicrosecond = 1000;

    private readonly Dictionary<Socket, int> _ids = [];
    private readonly HashSet<Socket> _writers = [];
    private readonly List<Socket> _readable = [];
    private readonly List<Socket> _writable = [];
    private int _next;

    public override void Add(PolledSocket socket, int id) => _ids.Add(socket.Socket, id);

    public override void Remove(PolledSocket socket)
    {
        _ids.Remove(socket.Socket);
        _writers.Remove(socket.Socket);
    }

    public override void SetWantsWrite(PolledSocket socket, int id, bool wanted)
    {
        if (wanted)
            _writers.Add(socket.Socket);
        else
            _writers.Remove(socket.Socket);
    }

    public override int Wait(Span<ReadySocket> ready, long timeoutNs)
    {
        if (_next >= _readable.Count + _writable.Count)
            Select(timeoutNs);
        int written = 0;
        while (written < ready.Length && _next < _readable.Count + _writable.Count)
        {
            if (TryTake(_next++) is { } socket)
                ready[written++] = socket;
        }

        return written;
    }

    protected override void Dispose(bool disposing)
    {
        _ids.Clear();
        _writers.Clear();
    }

    // Null for one that has been removed since it was found ready.
    private ReadySocket? TryTake(int index)
    {
        bool canRead = index < _readable.Count;
        return _ids.TryGetValue(canRead ? _readable[index] : _writable[index - _readable.Count], out int id)
            ? new ReadySocket(id, canRead, CanWrite: !canRead)
            : null;
    }

    private void Select(long timeoutNs)
    {
        _next = 0;
        _readable.Clear();
        _readable.AddRange(_ids.Keys);
        _writable.Clear();
        _writable.AddRange(_writers);
        int timeoutUs = (int)Math.Min(timeoutNs / NanosecondsPerMicrosecond, int.MaxValue);
        Socket.Select(_readable, _writable.Count > 0 ? _writable : null, null, timeoutUs);
    }
}
