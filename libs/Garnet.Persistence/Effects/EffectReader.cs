// A cursor in the stream of effects. Used by one thread at a time; its properties may be read by any.
namespace Garnet.Persistence.Effects;

/// <summary>
/// Reads the stream in order, in place: what is not consumed yet stays in memory. A reader whose distance from the end exceeds
/// <see cref="MaxLag"/> is dropped, and has to continue from elsewhere; it never makes a writer wait by itself.
/// </summary>
internal sealed class EffectReader : IDisposable
{
    private readonly EffectStream _stream;
    private EffectBlock _block;
    private int _offset;
    private long _position;
    private long _blockOffset;
    private long _maxLag = long.MaxValue;
    private volatile bool _isLost;
    private volatile bool _isDisposed;

    internal EffectReader(EffectStream stream, EffectBlock block, long position, IEffectListener listener)
    {
        _stream = stream;
        _block = block;
        _blockOffset = block.Offset;
        _offset = (int)(position - block.Offset);
        _position = position;
        Listener = listener;
    }

    /// <summary>Position of the next byte to be consumed.</summary>
    public long Position => Volatile.Read(ref _position);

    /// <summary>Bytes of the stream that are not consumed yet; 0 after <see cref="Dispose"/>.</summary>
    public long Lag => IsDisposed ? 0 : _stream.Position - Position;

    /// <summary>The distance from the end at which the reader is dropped.</summary>
    public long MaxLag
    {
        get => Volatile.Read(ref _maxLag);
        set => Volatile.Write(ref _maxLag, value);
    }

    /// <summary>True once the reader was dropped because it fell too far behind.</summary>
    public bool IsLost => _isLost;

    /// <summary>Raised when the bytes of a block have been consumed, and at the end; by the reading thread.</summary>
    public event Action? BlockConsumed;

    internal IEffectListener Listener { get; }

    internal bool IsDisposed => _isDisposed;

    // Blocks from this position on are in use by the reader.
    internal long BlockOffset => Volatile.Read(ref _blockOffset);

    /// <summary>
    /// The next bytes, at most <paramref name="most"/> and none when there are none yet; they begin and, unless cut by
    /// <paramref name="most"/>, end at the boundary of an effect. Valid until <see cref="Advance"/>.
    /// </summary>
    public ReadOnlyMemory<byte> Peek(long most = int.MaxValue)
    {
        if (_isLost)
            return default;
        // The length is read after the link: a linked block has its final length.
        while (_block.Next is { } next && _offset == _block.Length)
            MoveTo(next);
        return _block.Bytes.AsMemory(_offset, (int)Math.Min(most, _block.Length - _offset));
    }

    /// <summary>
    /// Keeps the first bytes of what <see cref="Peek"/> returned in memory beyond <see cref="Advance"/>, which has to follow.
    /// </summary>
    public EffectLoan Lend(int count) => new(_block, _offset, count);

    /// <summary>Consumes bytes.</summary>
    public void Advance(int count)
    {
        _offset += count;
        Volatile.Write(ref _position, _position + count);
    }

    /// <summary>Ends reading; not while another thread reads with it.</summary>
    public void Dispose()
    {
        if (IsDisposed)
            return;
        _isDisposed = true;
        _stream.Remove(this);
        BlockConsumed?.Invoke();
    }

    internal void Drop() => _isLost = true;

    private void MoveTo(EffectBlock next)
    {
        _block = next;
        _offset = 0;
        Volatile.Write(ref _blockOffset, next.Offset);
        _stream.OnConsumed();
        BlockConsumed?.Invoke();
    }
}
