// struct epoll_event in memory: packed on x86 (data at 4, 12 bytes), aligned elsewhere (data at 8, 16 bytes).
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Network.Epoll;

internal static unsafe class EpollEventLayout
{
    internal const int LargestSize = 16;

    // Constants to the optimising compiler: the class is initialised before its users are recompiled.
    private static readonly int DataOffset = RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.X86 ? 4 : 8;

    internal static int Size => DataOffset + sizeof(ulong);

    internal static uint Events(byte* @event) => Unsafe.ReadUnaligned<uint>(@event);

    internal static ulong Data(byte* @event) => Unsafe.ReadUnaligned<ulong>(@event + DataOffset);

    internal static void Write(byte* @event, uint events, ulong data)
    {
        Unsafe.WriteUnaligned(@event, events);
        Unsafe.WriteUnaligned(@event + DataOffset, data);
    }
}
