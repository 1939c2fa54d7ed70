// Native memory that commands need only while they run. Thread-safe; a block belongs to whoever rented it.
using System.Runtime.InteropServices;

namespace Garnet.Store.Memory;

/// <summary>
/// Keeps what a command gathers out of the managed heap, where it would stay resident until a collection and be taken from the store's
/// share of maxmemory: large blocks come from the system and go back to it at once. What is in use is counted, so that the memory account
/// can tell it from memory that stays.
/// </summary>
public static unsafe class ScratchMemory
{
    /// <summary>Blocks from this size on are mapped by themselves, and counted.</summary>
    private const long MappedBytes = 128 * 1024;
    private static long s_bytes;

    /// <summary>Set by tests: looks on as the calling thread rents and returns, and may refuse.</summary>
    [ThreadStatic]
    internal static ScratchProbe? Probe;

    /// <summary>Bytes in use by commands that are running, or by replies that are being sent.</summary>
    public static long Bytes => Volatile.Read(ref s_bytes);

    /// <summary>A block of at least so many bytes, which are not cleared.</summary>
    /// <exception cref="OutOfMemoryException">The system refused it.</exception>
    public static ScratchBlock Rent(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(bytes);
        Probe?.OnRent();
        if (bytes < MappedBytes)
            return new ScratchBlock((byte*)NativeMemory.Alloc((nuint)bytes), bytes);
        bytes = (bytes + HostSystem.PageBytes - 1) & -HostSystem.PageBytes;
        byte* memory = VirtualMemory.Reserve(bytes);
        VirtualMemory.Commit(memory, bytes);
        Interlocked.Add(ref s_bytes, bytes);
        return new ScratchBlock(memory, bytes);
    }

    internal static void Return(byte* memory, long bytes)
    {
        Probe?.OnReturn();
        if (bytes < MappedBytes)
        {
            NativeMemory.Free(memory);
            return;
        }

        VirtualMemory.Release(memory, bytes);
        Interlocked.Add(ref s_bytes, -bytes);
    }
}
