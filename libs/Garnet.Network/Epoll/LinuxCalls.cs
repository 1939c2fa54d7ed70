// The Linux system calls of the epoll transport. Thread-safe. All are blittable; errno is read by Marshal.GetLastSystemError right after a
// failed call, as generated marshalling does, so that successful calls pay nothing for it. None suppresses the GC transition: a send copies
// up to a megabyte and would delay a collection, and the transition costs nanoseconds where the call costs microseconds.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Garnet.Network.Connections;

[assembly: DisableRuntimeMarshalling]

namespace Garnet.Network.Epoll;

internal static unsafe class LinuxCalls
{
    internal const int Interrupted = 4; // EINTR
    internal const int TryAgain = 11; // EAGAIN

    internal const int CtlAdd = 1;
    internal const int CtlDelete = 2;
    internal const int CtlModify = 3;

    internal const uint In = 0x001;
    internal const uint Out = 0x004;
    internal const uint Error = 0x008;
    internal const uint HangUp = 0x010;
    internal const uint PeerShutdown = 0x2000; // EPOLLRDHUP
    internal const uint EdgeTriggered = 1u << 31;

    internal const int CloseOnExec = 0x80000; // EPOLL_CLOEXEC, EFD_CLOEXEC, SOCK_CLOEXEC
    internal const int NonBlocking = 0x800; // EFD_NONBLOCK, SOCK_NONBLOCK, O_NONBLOCK
    internal const int NoSignal = 0x4000; // MSG_NOSIGNAL

    [DllImport("libc", EntryPoint = "epoll_create1")]
    internal static extern int EpollCreate(int flags);

    [DllImport("libc", EntryPoint = "epoll_ctl")]
    internal static extern int EpollControl(int epoll, int operation, int descriptor, byte* @event);

    [DllImport("libc", EntryPoint = "epoll_wait")]
    internal static extern int EpollWait(int epoll, byte* events, int maxEvents, int timeoutMs);

    [DllImport("libc", EntryPoint = "eventfd")]
    internal static extern int EventDescriptor(uint initial, int flags);

    [DllImport("libc", EntryPoint = "timerfd_create")]
    internal static extern int TimerCreate(int clock, int flags);

    /// <summary>Arms a timer; the times are seconds and nanoseconds of the period, then those of the first expiry.</summary>
    [DllImport("libc", EntryPoint = "timerfd_settime")]
    internal static extern int TimerSet(int timer, int flags, long* times, long* previous);

    [DllImport("libc", EntryPoint = "write")]
    internal static extern nint Write(int descriptor, byte* source, nuint length);

    // SIGPIPE is ignored in every .NET process, so the call without flags is safe.
    [DllImport("libc", EntryPoint = "writev")]
    internal static extern nint WriteVector(int descriptor, IoVector* vectors, int count);

    [DllImport("libc", EntryPoint = "recv")]
    internal static extern nint Receive(int descriptor, byte* destination, nuint length, int flags);

    [DllImport("libc", EntryPoint = "send")]
    internal static extern nint Send(int descriptor, byte* source, nuint length, int flags);

    [DllImport("libc", EntryPoint = "poll")]
    internal static extern int Poll(PollDescriptor* descriptors, nuint count, int timeoutMs);

    [DllImport("libc", EntryPoint = "accept4")]
    internal static extern int Accept(int descriptor, byte* address, uint* addressLength, int flags);

    [DllImport("libc", EntryPoint = "getsockname")]
    internal static extern int GetLocalName(int descriptor, byte* address, uint* addressLength);

    [DllImport("libc", EntryPoint = "close")]
    internal static extern int Close(int descriptor);

    [DllImport("libc", EntryPoint = "clock_gettime")]
    internal static extern int ClockTime(int clock, long* secondsAndNanoseconds);

    /// <summary>The meaning for a connection of a call that returned -1.</summary>
    internal static int FailureCode(int error) => error == TryAgain ? StreamConnection.WouldBlock : StreamConnection.Failed;

    /// <summary>Throws where a failure means that the process has exhausted a resource or its state is inconsistent.</summary>
    internal static int Check(int result, string call)
    {
        if (result < 0)
            throw new InvalidOperationException($"{call} failed with errno {Marshal.GetLastSystemError()}.");
        return result;
    }

    /// <summary>The kernel's id of the calling thread, or 0 without /proc. Does not use gettid, which older C libraries lack.</summary>
    internal static int CurrentThread()
    {
        string? target = new FileInfo("/proc/thread-self").LinkTarget; // "<process>/task/<thread>"
        return target is not null && int.TryParse(target.AsSpan(target.LastIndexOf('/') + 1), out int thread) ? thread : 0;
    }

    /// <summary>Processor time that a thread of this process has used.</summary>
    internal static TimeSpan ThreadTime(int thread)
    {
        // The kernel's encoding of a thread's processor clock: complement of the id, then "per thread" and "scheduler".
        long* time = stackalloc long[2];
        int clock = (~thread << 3) | 6;
        return thread != 0 && ClockTime(clock, time) == 0
            ? TimeSpan.FromSeconds(time[0]) + TimeSpan.FromTicks(time[1] / TimeSpan.NanosecondsPerTick)
            : TimeSpan.Zero;
    }
}
