// Dead records of one epoch slot by size, ready for reuse. Owned by the slot: no synchronization.
using System.Numerics;
using System.Runtime.InteropServices;
using Garnet.Store.Records;

namespace Garnet.Store.Log;

/// <summary>
/// Bounded stacks: one for each size up to 4 KiB, one for each half KiB of larger sizes. Records that do not fit are left to the page
/// compactor. A note carries its page's generation and is invalid when the page has been emptied since. The stacks are in native memory, as
/// they may grow at any write.
/// </summary>
internal sealed unsafe class FreeRecords : IDisposable
{
    /// <summary>Returned by <see cref="FirstFrom"/> when there is none.</summary>
    public const int None = -1;

    private const int LargestExact = 512;
    private const int RangeUnits = 64;
    private const int MaxPerClass = 512;
    private const int Classes = LargestExact + 1 + ((RecordHeader.MaxUnits - LargestExact + RangeUnits - 1) / RangeUnits);
    private const int FirstCapacity = 16;
    private readonly Note*[] _notes = new Note*[Classes];
    private readonly int[] _counts = new int[Classes];
    private readonly short[] _capacities = new short[Classes];
    private readonly ulong[] _any = new ulong[(Classes + 63) / 64];

    public readonly record struct Note(long Address, uint Generation);

    /// <summary>The first class whose records all have at least <paramref name="units"/> units.</summary>
    public static int ClassFor(int units) =>
        units <= LargestExact ? units : LargestExact + 1 + ((units - LargestExact - 1 + RangeUnits - 1) / RangeUnits);

    /// <summary>Adds a dead record; drops it when the stack is full.</summary>
    public void Add(int units, long address, uint generation)
    {
        int sizeClass = units <= LargestExact ? units : LargestExact + 1 + ((units - LargestExact - 1) / RangeUnits);
        int count = _counts[sizeClass];
        if (count == _capacities[sizeClass])
        {
            if (count == MaxPerClass)
                return;

            int capacity = Math.Max(FirstCapacity, count * 2);
            _notes[sizeClass] = (Note*)NativeMemory.Realloc(_notes[sizeClass], (nuint)(capacity * sizeof(Note)));
            _capacities[sizeClass] = (short)capacity;
        }

        _notes[sizeClass][count] = new Note(address, generation);
        _counts[sizeClass] = count + 1;
        _any[sizeClass >> 6] |= 1UL << sizeClass;
    }

    /// <summary>The first class, from a given one on, that has records.</summary>
    public int FirstFrom(int sizeClass)
    {
        if (sizeClass >= Classes)
            return None;

        int word = sizeClass >> 6;
        ulong bits = _any[word] & (ulong.MaxValue << sizeClass);
        while (bits == 0)
        {
            if (++word == _any.Length)
                return None;

            bits = _any[word];
        }

        return (word << 6) + BitOperations.TrailingZeroCount(bits);
    }

    /// <summary>Takes the most recent dead record of a non-empty class.</summary>
    public Note Take(int sizeClass)
    {
        int count = --_counts[sizeClass];
        if (count == 0)
            _any[sizeClass >> 6] &= ~(1UL << sizeClass);

        return _notes[sizeClass][count];
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (Note* notes in _notes)
            NativeMemory.Free(notes);
    }
}
