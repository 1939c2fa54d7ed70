// Accepts on an epoll thread. Accepting runs on that thread; the rest is thread-safe.
using System.Net;
using System.Runtime.InteropServices;
using Garnet.Network.Loops;
using Microsoft.Extensions.Logging;

namespace Garnet.Network.Epoll;

internal sealed unsafe class EpollListener : StreamListener, IEpollTarget
{
    private const int AcceptsPerTurn = 64;
    private const int RetryMs = 100;

    private static readonly Action<object?> StartCallback = static l => ((EpollListener)l!).Start();
    private static readonly Action<object?> StopCallback = static l => ((EpollListener)l!).Stop();
    private static readonly TimerCallback Retry = static l => ((EpollListener)l!).Post(StartCallback);

    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly EpollThread _thread;
    private readonly int _descriptor;
    private readonly EndPoint? _local;
    private Timer? _retry;
    private ulong _slot;
    private bool _watched;
    private bool _stopping;

    internal EpollListener(EpollTransport transport, ListeningSocket listening, EpollThread thread)
        : base(transport, listening)
    {
        _thread = thread;
        _descriptor = (int)listening.Socket.Handle;
        listening.Socket.Blocking = false;
        _local =
            listening.EndPoint is IPEndPoint ip && (ip.Address.Equals(IPAddress.Any) || ip.Address.Equals(IPAddress.IPv6Any))
                ? null
                : listening.EndPoint;
        SetSocketOptions();
        Post(StartCallback);
    }

    public void OnEvents(uint events)
    {
        for (int i = 0; i < AcceptsPerTurn && _watched; i++)
        {
            if (!AcceptOne())
                return;
        }
    }

    internal override void KeepAliveChanged() => SetSocketOptions();

    private protected override ValueTask StopAcceptingAsync()
    {
        if (!Post(StopCallback))
            _stopped.TrySetResult();
        return new ValueTask(_stopped.Task);
    }

    private bool Post(Action<object?> callback) => _thread.TryPost(null, callback, this);

    private void Start()
    {
        if (_watched || _stopping)
            return;
        _slot = _thread.WatchListener(this, _descriptor);
        _watched = true;
    }

    private void Stop()
    {
        _stopping = true;
        Unwatch();
        _retry?.Dispose();
        _stopped.TrySetResult();
    }

    private void Unwatch()
    {
        if (!_watched)
            return;
        _watched = false;
        _thread.UnwatchListener(_descriptor, _slot);
    }

    private bool AcceptOne()
    {
        byte* address = stackalloc byte[SocketAddresses.Largest];
        uint length = SocketAddresses.Largest;
        int descriptor = LinuxCalls.Accept(_descriptor, address, &length, LinuxCalls.NonBlocking | LinuxCalls.CloseOnExec);
        if (descriptor < 0)
        {
            OnAcceptFailed(Marshal.GetLastSystemError());
            return false;
        }
        if (Transport.AssignLoop() is not { } owner)
        {
            _ = LinuxCalls.Close(descriptor);
            return false;
        }
        IPEndPoint? remote = Listening.IsTcp ? SocketAddresses.Parse(address) : null;
        Deliver(new EpollConnection(Transport, owner, descriptor, remote ?? Listening.EndPoint, _local), owner);
        return true;
    }

    // The queue is empty, or the peer disconnected meanwhile: the level-triggered watch reports the next connection. Out of descriptors or
    // memory: the watch would report the same one at once and forever, so wait a little.
    private void OnAcceptFailed(int error)
    {
        const int OutOfProcessDescriptors = 24,
            OutOfSystemDescriptors = 23,
            OutOfBuffers = 105,
            OutOfMemory = 12;
        if (error is not (OutOfProcessDescriptors or OutOfSystemDescriptors or OutOfBuffers or OutOfMemory))
            return;
        Transport.Log.LogWarning("Cannot accept connections: errno {Error}. Trying again in {RetryMs} ms.", error, RetryMs);
        Unwatch();
        _retry ??= new Timer(Retry, this, Timeout.Infinite, Timeout.Infinite);
        _retry.Change(RetryMs, Timeout.Infinite);
    }

    // On Linux an accepted socket inherits these from its listener, so no calls per connection are needed.
    private void SetSocketOptions()
    {
        if (Listening.IsTcp)
            Transport.TcpOptions.Apply(Listening.Socket);
    }
}
