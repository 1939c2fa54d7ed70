// Effects wait here between the latches under which they are appended and the log's thread. Any thread appends; one takes.
namespace Garnet.Persistence.AppendLog;

/// <summary>
/// A queue of pieces in memory. Appending copies and never waits for a disk; writers keep the memory bounded by checking for space before
/// taking any latch.
/// </summary>
internal sealed class StagingBuffer
{
    /// <summary>Size of a piece: several fill a page of the log with little waste.</summary>
    public const int PieceBytes = (128 * 1024) - FrameHeader.Bytes - 4;

    private const int KeptPieces = 16;

    private readonly Lock _gate = new();
    private readonly Stack<StagedPiece> _free = new();
    private StagedPiece? _first;
    private StagedPiece? _last;
    private StagedPiece? _open;
    private int _database = -1;
    private long _appended;
    private long _taken;

    public StagingBuffer(long offset)
    {
        _appended = _taken = offset;
    }

    /// <summary>Position after the last effect.</summary>
    public long Appended => Volatile.Read(ref _appended);

    /// <summary>Bytes appended and not yet released.</summary>
    public long Bytes => Appended - Volatile.Read(ref _taken);

    /// <summary>True when a whole piece is ready, so that waiting for more would gain nothing.</summary>
    public bool HasFullPiece => Volatile.Read(ref _first) is { } first && first != Volatile.Read(ref _open);

    /// <summary>Appends an effect, preceded by a SELECT if its database differs from that of the previous effect.</summary>
    public void Append(int database, ReadOnlySpan<byte> effect)
    {
        StagedPiece? large = effect.Length > PieceBytes / 2 ? Copy(effect) : null;
        Span<byte> select = stackalloc byte[32];
        lock (_gate)
        {
            if (database != _database)
            {
                _database = database;
                Put(SelectEffect(database, select));
            }

            if (large is null)
                Put(effect);
            else
                Link(large);
        }
    }

    /// <summary>Starts a new generation after everything appended so far. The caller ensures that no thread appends meanwhile.</summary>
    public long BeginGeneration(int generation)
    {
        lock (_gate)
        {
            // A reader that starts here has not seen any SELECT.
            _database = -1;
            Link(new StagedPiece([]) { Generation = generation });
            return _appended;
        }
    }

    /// <summary>Removes and returns everything, in order; null when there is nothing.</summary>
    public StagedPiece? Take()
    {
        lock (_gate)
        {
            StagedPiece? first = _first;
            _first = _last = _open = null;
            return first;
        }
    }

    /// <summary>Releases a piece that has been written.</summary>
    public void Release(StagedPiece piece)
    {
        lock (_gate)
        {
            Volatile.Write(ref _taken, _taken + piece.Length);
            piece.Next = null;
            piece.Length = 0;
            if (piece.Bytes.Length == PieceBytes && _free.Count < KeptPieces)
                _free.Push(piece);
        }
    }

    // A large effect is copied before taking the lock, so that other threads are not delayed.
    private static StagedPiece Copy(ReadOnlySpan<byte> effect) => new(effect.ToArray()) { Length = effect.Length };

    private void Put(ReadOnlySpan<byte> effect)
    {
        StagedPiece? open = _open;
        if (open is null || PieceBytes - open.Length < effect.Length)
        {
            open = _free.TryPop(out StagedPiece? free) ? free : new StagedPiece(GC.AllocateUninitializedArray<byte>(PieceBytes));
            Link(open);
            _open = open;
        }

        effect.CopyTo(open.Bytes.AsSpan(open.Length));
        open.Length += effect.Length;
        Volatile.Write(ref _appended, _appended + effect.Length);
    }

    private void Link(StagedPiece piece)
    {
        piece.Offset = _appended;
        Volatile.Write(ref _appended, _appended + piece.Length);
        if (_last is null)
            _first = piece;
        else
            _last.Next = piece;
        _last = piece;
        _open = null;
    }

    private static ReadOnlySpan<byte> SelectEffect(int database, Span<byte> target)
    {
        "*2\r\n$6\r\nSELECT\r\n$"u8.CopyTo(target);
        int at = 17;
        int digits =
            database < 10 ? 1
            : database < 100 ? 2
            : 3;
        target[at++] = (byte)('0' + digits);
        target[at++] = (byte)'\r';
        target[at++] = (byte)'\n';
        database.TryFormat(target[at..], out int written, default, System.Globalization.CultureInfo.InvariantCulture);
        at += written;
        "\r\n"u8.CopyTo(target[at..]);
        return target[..(at + 2)];
    }
}
