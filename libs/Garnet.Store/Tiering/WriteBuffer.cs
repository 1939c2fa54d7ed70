// Values on their way to disk. Filled under the tier's lock; then used by the mover alone.
using System.Runtime.InteropServices;

namespace Garnet.Store.Tiering;

/// <summary>A piece of a segment in memory, and which records its objects belong to.</summary>
internal sealed unsafe class WriteBuffer : IDisposable
{
    private readonly byte* _memory;
    private readonly int _size;
    private int _capacity;
    private int _written;

    /// <summary>Takes memory for a buffer.</summary>
    public WriteBuffer(int bytes, int alignment)
    {
        _size = bytes;
        _memory = (byte*)NativeMemory.AlignedAlloc((nuint)bytes, (nuint)alignment);
    }

    /// <summary>The moves whose values are in the buffer.</summary>
    public List<Move> Moves { get; } = [];

    /// <summary>The segment it is written to.</summary>
    public int Segment { get; private set; }

    /// <summary>Its first byte, from the beginning of the first segment.</summary>
    public long Position { get; private set; }

    /// <summary>Bytes that are used.</summary>
    public int Used { get; private set; }

    /// <summary>When it was begun, in milliseconds of the system's tick count.</summary>
    public long BegunAtMs { get; private set; }

    /// <summary>Bytes of values in memory that become free when it is published.</summary>
    public long LeavingBytes { get; set; }

    /// <summary>The epoch that has to be over before records may refer to it.</summary>
    public long Epoch { get; set; }

    /// <summary>What has become of the write: -1 while it is under way, 0, or the error's number.</summary>
    public int Result
    {
        get => Volatile.Read(ref _written);
        set => Volatile.Write(ref _written, value);
    }

    /// <summary>Its bytes.</summary>
    public nint Memory => (nint)_memory;

    /// <summary>Begins to fill it.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="position">Where it is written.</param>
    /// <param name="rest">What is left of the segment.</param>
    public void Begin(int segment, long position, int rest)
    {
        Segment = segment;
        Position = position;
        _capacity = Math.Min(_size, rest);
        Used = 0;
        LeavingBytes = 0;
        Moves.Clear();
        BegunAtMs = Environment.TickCount64;
        Result = -1;
    }

    /// <summary>Whether a value fits.</summary>
    public bool Fits(int length) => Used + TierObject.BytesFor(length) <= _capacity;

    /// <summary>Copies a value, which must fit, and returns where it will be.</summary>
    public ColdLocator Add(ReadOnlySpan<byte> value, ulong hash, uint form, uint generation)
    {
        int bytes = TierObject.BytesFor(value.Length);
        byte* at = _memory + Used;
        *(TierObject*)at = new TierObject
        {
            Length = value.Length,
            Hash = hash,
            Generation = generation,
            Form = form,
        };
        value.CopyTo(new Span<byte>(at + TierObject.HeaderBytes, value.Length));
        new Span<byte>(at + TierObject.HeaderBytes + value.Length, bytes - TierObject.HeaderBytes - value.Length).Clear();
        var locator = ColdLocator.Of(Position + Used, bytes);
        Used += bytes;
        return locator;
    }

    /// <summary>The value of one of its objects.</summary>
    public ReadOnlySpan<byte> ValueAt(ColdLocator locator) => TierObject.ValueOf(_memory + (locator.Position - Position));

    /// <summary>Completes it: checksums, and zeros up to a multiple of the alignment. Returns the bytes to write.</summary>
    public int Complete(int alignment)
    {
        foreach (Move move in Moves)
            TierObject.Seal(_memory + (move.To.Position - Position));
        int bytes = AlignedUsed(alignment);
        new Span<byte>(_memory + Used, bytes - Used).Clear();
        return bytes;
    }

    /// <summary>What it takes on disk.</summary>
    public int AlignedUsed(int alignment) => (Used + alignment - 1) & -alignment;

    /// <inheritdoc/>
    public void Dispose() => NativeMemory.AlignedFree(_memory);

    /// <summary>A value that is to be on disk.</summary>
    /// <param name="Hash">The salted hash of its key.</param>
    /// <param name="Address">Its record's address, if it comes from memory.</param>
    /// <param name="Access">The record's access byte when it was copied.</param>
    /// <param name="From">Where it was on disk, if it comes from there; else 0.</param>
    /// <param name="To">Where it will be.</param>
    public readonly record struct Move(ulong Hash, long Address, byte Access, ColdLocator From, ColdLocator To)
    {
        /// <summary>Whether it comes from memory.</summary>
        public bool IsLeaving => From.Bits == 0;
    }
}
