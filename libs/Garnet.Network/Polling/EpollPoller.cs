// The poller for Linux. One thread.
using System.Runtime.InteropServices;
using Garnet.Network.Epoll;

namespace Garnet.Network.Polling;

/// <summary>
/// Sockets are registered edge-triggered and for reading alone: a Unix socket would otherwise report after each request that it can take
/// another one. Times that are no whole milliseconds are waited for by a timer descriptor.
/// </summary>
internal sealed unsafe class EpollPoller : SocketPoller
{
    private const int EventsPerWait = 256;
    private const int MonotonicClock = 1;
    private const ulong TimerData = ulong.MaxValue;
    private const long NanosecondsPerMillisecond = 1_000_000;
    private const long NanosecondsPerSecond = 1_000_000_000;
    private const uint Reading = LinuxCalls.In | LinuxCalls.PeerShutdown | LinuxCalls.EdgeTriggered;
    private const uint Ends = LinuxCalls.PeerShutdown | LinuxCalls.HangUp | LinuxCalls.Error;

    private readonly byte[] _events = new byte[EventsPerWait * EpollEventLayout.LargestSize];
    private readonly int _epoll;
    private readonly int _timer;

    public EpollPoller()
    {
        _epoll = LinuxCalls.Check(LinuxCalls.EpollCreate(LinuxCalls.CloseOnExec), "epoll_create1");
        _timer = LinuxCalls.Check(
            LinuxCalls.TimerCreate(MonotonicClock, LinuxCalls.CloseOnExec | LinuxCalls.NonBlocking),
            "timerfd_create"
        );
        // Edge-triggered, so that it never has to be read.
        Control(LinuxCalls.CtlAdd, _timer, LinuxCalls.In | LinuxCalls.EdgeTriggered, TimerData);
    }

    public override void Add(PolledSocket socket, int id) => Control(LinuxCalls.CtlAdd, Descriptor(socket), Reading, (ulong)id);

    public override void Remove(PolledSocket socket) => Control(LinuxCalls.CtlDelete, Descriptor(socket), 0, 0);

    public override void SetWantsWrite(PolledSocket socket, int id, bool wanted) =>
        Control(LinuxCalls.CtlModify, Descriptor(socket), wanted ? Reading | LinuxCalls.Out : Reading, (ulong)id);

    public override int Wait(Span<ReadySocket> ready, long timeoutNs)
    {
        int timeoutMs = ToMilliseconds(timeoutNs);
        int most = Math.Min(ready.Length, EventsPerWait);
        fixed (byte* events = _events)
        {
            int count = LinuxCalls.EpollWait(_epoll, events, most, timeoutMs);
            if (count >= 0)
                return Translate(events, count, ready);
            int error = Marshal.GetLastSystemError();
            return error == LinuxCalls.Interrupted ? 0 : throw new InvalidOperationException($"epoll_wait failed with errno {error}.");
        }
    }

    protected override void Dispose(bool disposing)
    {
        _ = LinuxCalls.Close(_timer);
        _ = LinuxCalls.Close(_epoll);
    }

    private static int Descriptor(PolledSocket socket) => (int)socket.Socket.Handle;

    private static int Translate(byte* events, int count, Span<ReadySocket> ready)
    {
        int written = 0;
        for (int i = 0; i < count; i++)
        {
            byte* @event = events + i * EpollEventLayout.Size;
            ulong data = EpollEventLayout.Data(@event);
            if (data == TimerData)
                continue;
            uint bits = EpollEventLayout.Events(@event);
            ready[written++] = new ReadySocket(
                (int)data,
                (bits & (LinuxCalls.In | Ends)) != 0,
                (bits & LinuxCalls.Out) != 0,
                (bits & Ends) != 0
            );
        }

        return written;
    }

    // The timer stands in for a wait that epoll cannot express; one that is left armed ends a later wait early, which does no harm.
    private int ToMilliseconds(long timeoutNs)
    {
        long milliseconds = timeoutNs / NanosecondsPerMillisecond;
        if (milliseconds * NanosecondsPerMillisecond == timeoutNs)
            return (int)Math.Min(milliseconds, int.MaxValue);
        long* times = stackalloc long[] { 0, 0, timeoutNs / NanosecondsPerSecond, timeoutNs % NanosecondsPerSecond };
        LinuxCalls.Check(LinuxCalls.TimerSet(_timer, 0, times, null), "timerfd_settime");
        return -1;
    }

    private void Control(int operation, int descriptor, uint events, ulong data)
    {
        byte* @event = stackalloc byte[EpollEventLayout.LargestSize];
        EpollEventLayout.Write(@event, events, data);
        LinuxCalls.Check(LinuxCalls.EpollControl(_epoll, operation, descriptor, @event), "epoll_ctl");
    }
}
