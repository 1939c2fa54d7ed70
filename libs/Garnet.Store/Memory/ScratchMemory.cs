// Native memory that commands need only while they run. Thread-safe; a block is owned by the thread that rented it.
using System.Runtime.InteropServices;

namespace Garnet.Store.Memory;

/// <summary>
/// Keeps temporary data of commands out of the managed heap, where it would stay resident until a collection and reduce the store's share
/// of maxmemory: large blocks come directly from the system and are returned at once. Memory in use is counted, so that it can be told
/// apart from memory that stays.
/// </summary>
internal static unsafe class ScratchMemory
{
    /// <summary>Blocks of this size or more are mapped individually, and counted.</summary>
    private const long MappedBytes = 128 * 1024;
    private static long s_bytes;

    /// <summary>Set by tests to observe the calling thread's allocations and to make them fail.</summary>
    [ThreadStatic]
    internal static ScratchProbe? Probe;

    /// <summary>Bytes in use by running commands, or by replies being sent.</summary>
    public static long Bytes => Volatile.Read(ref s_bytes);

    /// <summary>A block of at least that many bytes, not zeroed.</summary>
    /// <exception cref="OutOfMemoryException">The system refused the memory.</exception>
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
