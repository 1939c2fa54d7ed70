// An I/O thread: one epoll instance, its connections, and the queue of posted work. Everything runs on the thread, except Wake and
// BusyTime. Descriptors are registered edge-triggered once: no system call arms or disarms anything later. Fairness: an event leads to one
// receive of at most one buffer and one run of the session; a connection with more data is served after all others that are ready.
using System.Diagnostics;
using System.Runtime.InteropServices;
using Garnet.Network.Connections;
using Garnet.Network.Loops;

namespace Garnet.Network.Epoll;

internal sealed unsafe class EpollThread : OwnerLoop
{
    private const int EventsPerWait = 128;

    // Slot numbers are small: this one cannot be a connection's.
    private const ulong WakeData = ulong.MaxValue;

    private readonly SlotTable _slots = new();
    private readonly int _epoll;
    private readonly int _wake;
    private int _threadId;
    private int _asleep;
    private byte* _events; // those of the last wait, on the stack of the thread
    private int _eventCount;
    private int _nextEvent;

    internal EpollThread(int id, LoopTransport transport)
        : base(id, transport)
    {
        _epoll = LinuxCalls.Check(LinuxCalls.EpollCreate(LinuxCalls.CloseOnExec), "epoll_create1");
        _wake = LinuxCalls.Check(LinuxCalls.EventDescriptor(0, LinuxCalls.CloseOnExec | LinuxCalls.NonBlocking), "eventfd");
        // Edge-triggered, so that it never has to be read.
        Control(LinuxCalls.CtlAdd, _wake, LinuxCalls.In | LinuxCalls.EdgeTriggered, WakeData);
        new Thread(Run) { IsBackground = true, Name = $"garnet-io-{id}" }.Start();
    }

    private protected override bool DefersSends => true;

    internal override TimeSpan BusyTime => LinuxCalls.ThreadTime(Volatile.Read(ref _threadId));

    /// <summary>Watches a listening socket: level-triggered, because accepting may stop before the queue is empty.</summary>
    internal ulong WatchListener(IEpollTarget listener, int descriptor)
    {
        ulong data = _slots.Add(listener);
        Control(LinuxCalls.CtlAdd, descriptor, LinuxCalls.In, data);
        return data;
    }

    internal void UnwatchListener(int descriptor, ulong data)
    {
        Control(LinuxCalls.CtlDelete, descriptor, 0, 0);
        _slots.Remove(data);
    }

    private protected override void Watch(StreamConnection connection)
    {
        var epoll = (EpollConnection)connection;
        epoll.Slot = _slots.Add(epoll);
        const uint Interest = LinuxCalls.In | LinuxCalls.Out | LinuxCalls.PeerShutdown | LinuxCalls.EdgeTriggered;
        Control(LinuxCalls.CtlAdd, epoll.Descriptor, Interest, epoll.Slot);
        epoll.IsWatched = true;
    }

    internal override void Unwatch(StreamConnection connection)
    {
        var epoll = (EpollConnection)connection;
        if (!epoll.IsWatched)
            return;
        epoll.IsWatched = false;
        // Closing alone would suffice, but a moving connection stays open; events already fetched fail the generation check.
        if (!epoll.IsClosed)
            Control(LinuxCalls.CtlDelete, epoll.Descriptor, 0, 0);
        _slots.Remove(epoll.Slot);
    }

    private protected override void CopyWatched(List<StreamConnection> target)
    {
        foreach (IEpollTarget? watched in _slots.Targets)
        {
            if (watched is StreamConnection connection)
                target.Add(connection);
        }
    }

    private protected override void Wake()
    {
        if (Volatile.Read(ref _asleep) == 0 || Interlocked.Exchange(ref _asleep, 0) == 0)
            return;
        ulong one = 1;
        _ = LinuxCalls.Write(_wake, (byte*)&one, sizeof(ulong));
    }

    private void Run()
    {
        Current = this;
        Volatile.Write(ref _threadId, LinuxCalls.CurrentThread());
        byte* events = stackalloc byte[EventsPerWait * EpollEventLayout.LargestSize];
        _events = events;
        do
        {
            Fetch(mayWait: !HasLater);
            RunLater(isIdle: _eventCount == 0 && !HasReady && !HasPosts);
            RunEvents();
            SendDeferred();
            RunRound();
            SendDeferred();
        } while (!TryEnd());
        Current = null;
        Volatile.Write(ref _threadId, 0);
        CloseDescriptors();
        SetEnded();
    }

    // The events that the interrupted round has not handled come first; they would not be reported again.
    private protected override void ServeWithin()
    {
        RunEvents();
        Fetch(mayWait: false);
        RunLater(isIdle: true);
        RunEvents();
        SendDeferred();
        RunRound();
        SendDeferred();
    }

    private void RunEvents()
    {
        while (_nextEvent < _eventCount)
        {
            byte* @event = _events + _nextEvent++ * EpollEventLayout.Size;
            // Unknown data: the wake-up, or an event of a descriptor that an earlier event of this batch closed.
            _slots.Find(EpollEventLayout.Data(@event))?.OnEvents(EpollEventLayout.Events(@event));
        }
    }

    private void Fetch(bool mayWait)
    {
        _eventCount = Wait(mayWait);
        _nextEvent = 0;
    }

    private int Wait(bool mayWait)
    {
        int timeout = 0;
        if (mayWait && !HasReady)
        {
            // Announce the sleep, then check once more: a poster either sees the announcement or its post is seen here.
            Interlocked.Exchange(ref _asleep, 1);
            if (!HasPosts)
                timeout = DeadlineWaitMs;
        }
        int count = LinuxCalls.EpollWait(_epoll, _events, EventsPerWait, timeout);
        Volatile.Write(ref _asleep, 0);
        if (count >= 0)
            return count;
        int error = Marshal.GetLastSystemError();
        if (error != LinuxCalls.Interrupted)
            Environment.FailFast($"epoll_wait failed with errno {error}.");
        return 0;
    }

    private void Control(int operation, int descriptor, uint events, ulong data)
    {
        byte* @event = stackalloc byte[EpollEventLayout.LargestSize];
        EpollEventLayout.Write(@event, events, data);
        LinuxCalls.Check(LinuxCalls.EpollControl(_epoll, operation, descriptor, @event), "epoll_ctl");
    }

    // Only a loop that was stopped while sessions were running still has any.
    private void CloseDescriptors()
    {
        Debug.Assert(Current is null);
        _ = LinuxCalls.Close(_wake);
        _ = LinuxCalls.Close(_epoll);
    }
}
