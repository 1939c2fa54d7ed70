// Messages in order, their frames side by side. Guarded by the lane that owns it.
using Garnet.Store;

namespace Garnet.Server.Messaging;

/// <summary>
/// Frames are stored contiguously, so that those for the same subscribers are copied to each of them in one piece. Filled, then emptied as
/// a whole; keeps a little memory.
/// </summary>
internal sealed class FrameQueue
{
    private const int FirstBytes = 4096;
    private const int KeptBytes = 256 * 1024;
    private const int FirstFrames = 32;
    private const int KeptFrames = 2048;

    private byte[] _bytes = [];
    private QueuedFrame[] _frames = [];
    private int _used;
    private int _count;
    private long _payloadBytes;

    /// <summary>The messages.</summary>
    public ReadOnlySpan<QueuedFrame> Frames => _frames.AsSpan(0, _count);

    /// <summary>True when there are none.</summary>
    public bool IsEmpty => _count == 0;

    /// <summary>Bytes of the frames.</summary>
    public long FrameBytes => _used;

    /// <summary>Bytes of the frames and of referenced payloads.</summary>
    public long Bytes => _used + Volatile.Read(ref _payloadBytes);

    /// <summary>The bytes of consecutive frames.</summary>
    public ReadOnlySpan<byte> BytesOf(ReadOnlySpan<QueuedFrame> frames) => _bytes.AsSpan(frames[0].Start, frames[^1].End - frames[0].Start);

    /// <summary>Adds a message; a referenced payload gets a reference of the queue's own.</summary>
    public void Add(Topic topic, in Frame frame, long stamp)
    {
        int most = frame.MaxBytes;
        if (_bytes.Length - _used < most)
            Grow(most);
        if (_count == _frames.Length)
            Array.Resize(ref _frames, Math.Max(FirstFrames, _count * 2));
        int start = _used;
        _used += frame.Write(_bytes.AsSpan(_used, most));
        ValueBlock block = frame.Block;
        block.AddReference();
        _payloadBytes += block.Length;
        _frames[_count++] = new QueuedFrame(topic, start, _used, block, stamp);
    }

    /// <summary>Removes everything.</summary>
    public void Clear()
    {
        foreach (ref readonly QueuedFrame frame in Frames)
            frame.Payload.Release();
        Array.Clear(_frames, 0, _count);
        (_count, _used, _payloadBytes) = (0, 0, 0);
        if (_bytes.Length > KeptBytes)
            _bytes = [];
        if (_frames.Length > KeptFrames)
            _frames = [];
    }

    private void Grow(int room)
    {
        long wanted = Math.Max(FirstBytes, Math.Max(_bytes.Length * 2L, _used + (long)room));
        Array.Resize(ref _bytes, (int)Math.Min(wanted, Array.MaxLength));
    }
}
