// The stream of effects, with a position for every byte. Any thread appends, under the latches of the written keys; readers follow with
// cursors of their own.
using System.Diagnostics;
using System.Globalization;
using Garnet.Store;

namespace Garnet.Persistence.Effects;

/// <summary>
/// What happened to the data, as the bytes that replicas receive: effects, SELECT where the database changes, and what is meant for
/// replicas alone. Positions count all of it. The most recent bytes stay in memory for readers that come later (<see
/// cref="KeptBytes"/>), and everything that a reader has not consumed does. The append-only log is one reader, each replica another.
/// </summary>
internal sealed class EffectStream : IWriteSink
{
    /// <summary>Usual size of a block: eight, framed, fill a page of the append-only log with little waste.</summary>
    public const int BlockBytes = (128 * 1024) - 52;

    private const int MaxFreeBlocks = 16;

    private readonly Lock _gate = new();
    private readonly int _blockBytes;
    private readonly Stack<EffectBlock> _free = new();
    private EffectReader[] _readers = [];
    private TaskCompletionSource? _readersClosed;
    private EffectBlock _first;
    private EffectBlock _last;
    private readonly Queue<(long Start, long End)> _linkBytes = [];
    private int _linkBytesToCome;
    private int _logs;
    private int _lost; // dropped readers that may still look at their block
    private int _database = -1;
    private long _position;
    private long _effectBytes;
    private long _keptBytes;
    private long _memoryBytes;

    /// <summary>A stream that begins at a position, and its blocks' size.</summary>
    public EffectStream(long position = 0, int blockBytes = BlockBytes)
    {
        _blockBytes = blockBytes;
        _position = position;
        _first = _last = new EffectBlock(capacity: 0) { Offset = position };
    }

    /// <summary>Position after the last byte.</summary>
    public long Position => Volatile.Read(ref _position);

    /// <summary>The database of the effects at <see cref="Position"/>; -1 when the next effect must be preceded by a SELECT.</summary>
    public int Database => Volatile.Read(ref _database);

    /// <summary>
    /// Bytes of effects appended so far: those that a log is to have. The difference between two values is what came between, without
    /// what was for replicas alone.
    /// </summary>
    public long EffectBytes => Volatile.Read(ref _effectBytes);

    /// <summary>Completes when nothing reads the stream.</summary>
    public Task ReadersClosedAsync()
    {
        lock (_gate)
        {
            if (_readers.Length == 0)
                return Task.CompletedTask;
            _readersClosed ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _readersClosed.Task;
        }
    }

    /// <summary>Whether the bytes come from another server: then nothing may be added, and SELECTs are that server's.</summary>
    public bool IsForeign { get; set; }

    /// <summary>Position of the first byte that a new reader can begin at.</summary>
    public long FirstPosition
    {
        get
        {
            lock (_gate)
                return _first.Offset;
        }
    }

    /// <summary>How many of the last bytes are kept although every reader has consumed them.</summary>
    public long KeptBytes
    {
        get => Volatile.Read(ref _keptBytes);
        set
        {
            lock (_gate)
            {
                Volatile.Write(ref _keptBytes, value);
                Trim();
            }
        }
    }

    /// <summary>Memory of all blocks in use.</summary>
    public long MemoryBytes => Volatile.Read(ref _memoryBytes);

    /// <summary>Appends an effect, preceded by a SELECT if its database differs from that of the previous one.</summary>
    public void Append(int database, ReadOnlySpan<byte> effect)
    {
        EffectBlock? large = effect.Length > _blockBytes / 2 ? Copy(effect) : null;
        EffectReader[] readers;
        lock (_gate)
        {
            // Before the append: a reader that it drops is told too.
            readers = _readers;
            if (database != _database)
            {
                Span<byte> select = stackalloc byte[32];
                _database = database;
                Put(SelectEffect(database, select));
            }

            if (large is null)
                Put(effect);
            else
                Link(large);
        }

        Tell(readers);
    }

    /// <summary>
    /// Appends bytes as they are: those of another server's stream, or commands for replicas that are not effects on any database.
    /// </summary>
    /// <param name="bytes">Whole commands.</param>
    /// <param name="database">The database that is selected after them; null when they do not change it.</param>
    /// <param name="isForLinks">Whether they are for replicas alone, so that a log skips them.</param>
    public void AppendVerbatim(ReadOnlySpan<byte> bytes, int? database = null, bool isForLinks = false)
    {
        EffectBlock? large = bytes.Length > _blockBytes / 2 ? Copy(bytes) : null;
        EffectReader[] readers;
        lock (_gate)
        {
            readers = _readers;
            Volatile.Write(ref _database, database ?? _database);
            if (isForLinks)
                AddLinkBytes(bytes.Length);
            if (large is null)
                Put(bytes);
            else
                Link(large);
        }

        Tell(readers);
    }

    /// <summary>An empty block of the stream's size, to be filled and appended.</summary>
    public EffectBlock Rent()
    {
        lock (_gate)
            return TakeFree();
    }

    /// <summary>As <see cref="AppendVerbatim"/>, without a copy: the block and its bytes belong to the stream from now on.</summary>
    public void Append(EffectBlock block)
    {
        // Trim takes an empty one for consumed while a reader is at it.
        Debug.Assert(block.Length > 0);
        EffectReader[] readers;
        lock (_gate)
        {
            readers = _readers;
            Link(block);
        }

        Tell(readers);
    }

    /// <summary>
    /// The next effect is preceded by a SELECT in any case, unless it is another server's: a reader that begins here has not seen any.
    /// While no command is running.
    /// </summary>
    public void ForgetDatabase()
    {
        lock (_gate)
        {
            if (!IsForeign)
                Volatile.Write(ref _database, -1);
        }
    }

    /// <summary>
    /// The first range from a position on whose bytes are for replicas alone; ranges before it are forgotten. If there is none, an empty
    /// one at the end of the stream: what is appended from there on may be for replicas alone again. Used by one log.
    /// </summary>
    public (long Start, long End) LinkBytesFrom(long position)
    {
        lock (_gate)
        {
            while (_linkBytes.TryPeek(out (long Start, long End) range) && range.End <= position)
                _linkBytes.Dequeue();
            return _linkBytes.TryPeek(out (long Start, long End) next) ? next : (_position, _position);
        }
    }

    /// <summary>Begins again at another position, with nothing kept. While no command is running and there is no reader.</summary>
    /// <param name="position">The position.</param>
    /// <param name="database">The database selected there; -1 when unknown.</param>
    public void Restart(long position, int database)
    {
        lock (_gate)
        {
            if (_readers.Length > 0)
                throw new InvalidOperationException("The stream has readers.");
            _first = _last = new EffectBlock(capacity: 0) { Offset = position };
            _linkBytes.Clear();
            Volatile.Write(ref _memoryBytes, 0);
            Volatile.Write(ref _database, database);
            Volatile.Write(ref _position, position);
        }
    }

    /// <summary>A reader that begins at a position; null when that is not in memory any more, or not reached yet.</summary>
    public EffectReader? TryOpen(long position, IEffectListener listener)
    {
        lock (_gate)
        {
            if (position < _first.Offset || position > _position)
                return null;
            return Open(position, listener);
        }
    }

    /// <summary>
    /// A reader that begins at a position, or where the memory begins if that is later. What it begins at is the boundary of an effect if
    /// the position is.
    /// </summary>
    public EffectReader OpenAtOrAfter(long position, IEffectListener listener)
    {
        lock (_gate)
            return Open(Math.Max(position, _first.Offset), listener);
    }

    /// <summary>A log begins to read, and asks for <see cref="LinkBytesFrom"/>. While no command is running.</summary>
    internal void BeginLogging()
    {
        lock (_gate)
            _logs++;
    }

    /// <summary>The log does not read any more.</summary>
    internal void EndLogging()
    {
        lock (_gate)
        {
            if (--_logs == 0)
                _linkBytes.Clear();
        }
    }

    internal void Remove(EffectReader reader)
    {
        lock (_gate)
        {
            if (reader.IsLost)
                _lost--;
            Forget(reader);
            Trim();
        }
    }

    internal void OnConsumed()
    {
        lock (_gate)
            Trim();
    }

    private static void Tell(EffectReader[] readers)
    {
        foreach (EffectReader reader in readers)
        {
            if (reader.IsLost)
                reader.Listener.OnDropped();
            else
                reader.Listener.OnAppended();
        }
    }

    private EffectReader Open(long position, IEffectListener listener)
    {
        EffectBlock block = _first;
        while (block.End <= position && block.Next is { } next)
            block = next;
        EffectReader reader = new(this, block, position, listener);
        _readers = [.. _readers, reader];
        return reader;
    }

    private static EffectBlock Copy(ReadOnlySpan<byte> effect)
    {
        EffectBlock block = new(effect.Length) { Length = effect.Length };
        effect.CopyTo(block.Bytes);
        return block;
    }

    // Before the bytes are appended, so that they are never counted as effects.
    private void AddLinkBytes(int length)
    {
        _linkBytesToCome = length;
        if (_logs > 0)
            _linkBytes.Enqueue((_position, _position + length));
    }

    private void Count(int length)
    {
        Volatile.Write(ref _effectBytes, _effectBytes + length - _linkBytesToCome);
        _linkBytesToCome = 0;
        Volatile.Write(ref _position, _position + length);
    }

    private void Put(ReadOnlySpan<byte> effect)
    {
        EffectBlock block = _last;
        int length = block.Length;
        if (block.Bytes.Length - length < effect.Length || block.Bytes.Length != _blockBytes)
        {
            block = TakeFree();
            length = 0;
            Link(block);
        }

        effect.CopyTo(block.Bytes.AsSpan(length));
        block.Length = length + effect.Length;
        Count(effect.Length);
    }

    private EffectBlock TakeFree() => _free.TryPop(out EffectBlock? free) ? free : new EffectBlock(_blockBytes);

    private void Link(EffectBlock block)
    {
        block.Offset = _position;
        _last.Next = block;
        _last = block;
        Count(block.Length);
        Volatile.Write(ref _memoryBytes, _memoryBytes + block.Bytes.Length);
        DropLate();
        Trim();
    }

    private void DropLate()
    {
        foreach (EffectReader reader in _readers)
        {
            if (_position - reader.Position <= reader.MaxLag)
                continue;
            reader.Drop();
            _lost++;
            Forget(reader);
        }
    }

    private void Forget(EffectReader reader)
    {
        _readers = [.. _readers.Where(each => each != reader)];
        if (_readers.Length > 0)
            return;
        _readersClosed?.SetResult();
        _readersClosed = null;
    }

    private void Trim()
    {
        long needed = _position - _keptBytes;
        foreach (EffectReader reader in _readers)
            needed = Math.Min(needed, reader.BlockOffset);
        while (_first != _last && _first.End <= needed)
        {
            // A lent block is usually returned soon, and can then be reused; but a stalled connection must not hold all that follows.
            EffectBlock block = _first;
            if (block.IsLent && needed - block.End <= MaxFreeBlocks * (long)_blockBytes)
                return;
            _first = block.Next!;
            Volatile.Write(ref _memoryBytes, _memoryBytes - block.Bytes.Length);
            Recycle(block);
        }
    }

    // A dropped reader may still be looking at any block from its own on; those, and what is lent, are left to the garbage collector.
    private void Recycle(EffectBlock block)
    {
        bool isFree = _lost == 0 && !block.IsLent && block.Bytes.Length == _blockBytes && _free.Count < MaxFreeBlocks;
        // Whoever still holds this block must not keep its successors alive. A reader at an empty block still needs the link.
        if (block.Length > 0)
            block.Next = null;
        if (!isFree)
            return;
        block.Length = 0;
        _free.Push(block);
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
        database.TryFormat(target[at..], out int written, default, CultureInfo.InvariantCulture);
        at += written;
        "\r\n"u8.CopyTo(target[at..]);
        return target[..(at + 2)];
    }
}
