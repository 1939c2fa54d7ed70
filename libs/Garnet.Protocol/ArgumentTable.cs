// The arguments of the requests of one batch, as offsets. Owned by one connection; one thread at a time.
namespace Garnet.Protocol;

/// <summary>
/// A growable, reused array of <see cref="ArgumentRange"/>: the arguments of many requests are in one table, so that a pipeline is parsed
/// first and executed later. Past <see cref="Count"/> the parser keeps the arguments of the unfinished request; only it may add while one
/// is unfinished.
/// </summary>
internal sealed class ArgumentTable
{
    private const int InitialCapacity = 64;
    private const int InitialScratchBytes = 256;

    // Capacity that a table may keep between batches: 4096 ranges are 32 KiB.
    private const int KeptCapacity = 4096;
    private const int KeptScratchBytes = 64 * 1024;

    private ArgumentRange[] _items = new ArgumentRange[InitialCapacity];
    private byte[] _scratch = [];
    private int _scratchUsed;

    /// <summary>The arguments of complete requests are the first <see cref="Count"/> items.</summary>
    public ReadOnlySpan<ArgumentRange> Items => _items.AsSpan(0, Count);

    /// <summary>Number of arguments of complete requests.</summary>
    public int Count { get; private set; }

    /// <summary>Stores and resolves external arguments; needed only by callers that detach arguments or take pending bulks.</summary>
    public IExternalArguments? External { get; set; }

    /// <summary>The position of one argument.</summary>
    public ArgumentRange this[int index] => _items[index];

    /// <summary>The bytes of one argument; valid until the buffer or the table changes.</summary>
    /// <param name="buffer">The buffer that the request was parsed from.</param>
    /// <param name="index">Index in the table.</param>
    public ReadOnlySpan<byte> Get(ReadOnlySpan<byte> buffer, int index)
    {
        ArgumentRange range = _items[index];
        return range.IsInBuffer ? buffer.Slice(range.Offset, range.Length) : GetOutside(range);
    }

    /// <summary>
    /// Removes the complete requests (the unfinished one's arguments are kept) and frees the extra capacity of a large batch.
    /// </summary>
    public void Clear()
    {
        // Ranges of an unfinished multibulk request are moved by the parser when it resumes; they are never in the scratch area,
        // because inline requests are parsed only when whole.
        Count = 0;
        _scratchUsed = 0;
        if (_scratch.Length > KeptScratchBytes)
            _scratch = [];
    }

    /// <summary>Frees an oversized array; call when no request is unfinished.</summary>
    public void Trim()
    {
        if (_items.Length > KeptCapacity && Count == 0)
            _items = new ArgumentRange[InitialCapacity];
    }

    /// <summary>All slots, including those past <see cref="Count"/>.</summary>
    internal ArgumentRange[] Slots => _items;

    internal void Commit(int added) => Count += added;

    /// <summary>Ensures capacity for a slot at an index and returns the slots.</summary>
    internal ArgumentRange[] Grow(int index)
    {
        if (index >= _items.Length)
            Array.Resize(ref _items, Math.Max(index + 1, _items.Length < (1 << 29) ? _items.Length * 2 : Array.MaxLength));
        return _items;
    }

    /// <summary>A writable part of the scratch area; <see cref="CommitScratch"/> keeps the used bytes.</summary>
    internal Span<byte> ReserveScratch(int length)
    {
        if (_scratch.Length - _scratchUsed < length)
            Array.Resize(ref _scratch, Math.Max(Math.Max(InitialScratchBytes, _scratch.Length * 2), _scratchUsed + length));
        return _scratch.AsSpan(_scratchUsed, length);
    }

    internal ArgumentRange CommitScratch(int length)
    {
        var range = ArgumentRange.InScratch(_scratchUsed, length);
        _scratchUsed += length;
        return range;
    }

    private ReadOnlySpan<byte> GetOutside(ArgumentRange range)
    {
        if (!range.IsExternal)
            return _scratch.AsSpan(range.ScratchOffset, range.Length);
        return (
            External ?? throw new InvalidOperationException("The table has an external argument, but no store of external arguments.")
        ).Get(range.ExternalHandle, range.Length);
    }
}
