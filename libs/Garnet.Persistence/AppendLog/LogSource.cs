// The log's view of the stream of effects. Any thread reads the properties; Attach and Mark while no command is running, the rest by the
// log's thread.
using Garnet.Persistence.Effects;

namespace Garnet.Persistence.AppendLog;

/// <summary>A reader whose positions are the log's own, and the positions at which generations begin.</summary>
internal sealed class LogSource(EffectStream stream, long start, LoggedRange range)
{
    private readonly Lock _gate = new();
    private readonly Queue<(long Position, int Generation)> _marks = [];
    private volatile EffectReader? _reader;
    private long _shift; // the stream's count of effects minus the position in the log
    private long _position = start;
    private long _end = start; // while nothing is followed: where that ended
    private bool _hasEnded;

    /// <summary>The stream.</summary>
    public EffectStream Stream => stream;

    /// <summary>Position after the last effect appended; after <see cref="Detach"/> it stays.</summary>
    public long Appended => _reader is null ? Volatile.Read(ref _end) : stream.EffectBytes - _shift;

    /// <summary>Position of the next effect to be written.</summary>
    public long Position => Volatile.Read(ref _position);

    /// <summary>Bytes appended and not yet written.</summary>
    public long Lag => _reader is null ? 0 : Appended - Position;

    /// <summary>Begins to follow the stream at its present end.</summary>
    public void Attach(IEffectListener listener)
    {
        lock (_gate)
        {
            if (_hasEnded)
                return;
            // A reader that starts with this log has not seen any SELECT.
            stream.ForgetDatabase();
            _shift = stream.EffectBytes - _end;
            stream.BeginLogging();
            _reader = stream.TryOpen(stream.Position, listener);
            range.Begin(stream.Position, _end);
        }
    }

    /// <summary>A generation begins at the present end.</summary>
    public void Mark(int generation)
    {
        lock (_gate)
        {
            stream.ForgetDatabase();
            _marks.Enqueue((Appended, generation));
        }
    }

    /// <summary>Takes the mark at <see cref="Position"/>; false when there is none.</summary>
    public bool TryTakeMark(out int generation)
    {
        lock (_gate)
        {
            bool isThere = _marks.TryPeek(out (long Position, int Generation) mark) && mark.Position == Position;
            generation = isThere ? _marks.Dequeue().Generation : 0;
            return isThere;
        }
    }

    /// <summary>The next effects up to the next mark; empty when there are none. Skips what is for replicas alone.</summary>
    public ReadOnlyMemory<byte> Peek()
    {
        if (_reader is not { } reader)
            return default;
        lock (_gate)
        {
            long start = SkipLinkBytes(reader);
            long most = _marks.TryPeek(out (long Position, int Generation) mark) ? mark.Position - Position : int.MaxValue;
            return reader.Peek(Math.Min(most, start - reader.Position));
        }
    }

    /// <summary>Lets go of bytes at the present position that are for replicas alone.</summary>
    public void Skip()
    {
        if (_reader is not { } reader)
            return;
        lock (_gate)
            SkipLinkBytes(reader);
    }

    /// <summary>Effects have been written.</summary>
    public void Advance(int count)
    {
        _reader!.Advance(count);
        Volatile.Write(ref _position, _position + count);
    }

    /// <summary>Stops following the stream; what is not written is given up.</summary>
    public void Detach()
    {
        lock (_gate)
        {
            _hasEnded = true;
            range.End();
            Volatile.Write(ref _end, Appended);
            if (_reader is not { } reader)
                return;
            _reader = null;
            stream.EndLogging();
            reader.Dispose();
        }
    }

    // Returns up to where effects can be read: the next such bytes, or the end of the stream as it was when there were none. What is
    // appended meanwhile waits for the next time.
    private long SkipLinkBytes(EffectReader reader)
    {
        while (true)
        {
            (long start, long end) = stream.LinkBytesFrom(reader.Position);
            if (start > reader.Position || start == end)
                return start;
            ReadOnlyMemory<byte> skipped = reader.Peek(end - reader.Position);
            range.AddGap(reader.Position, skipped.Length, Position);
            reader.Advance(skipped.Length);
        }
    }
}
