// Brings a replica from the append-only log's files to what the stream has in memory. A thread of its own reads the files; the replica's
// connection reads what it has read. Dispose may be called by any thread.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Effects;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>
/// A few megabytes are read ahead of the replica. Near the end a reader of the stream is opened, and the files are read up to where it
/// begins, so that memory is needed only from there on.
/// </summary>
internal sealed class LogCatchUp : IDisposable
{
    private const int AheadBytes = 4 << 20;
    private const int NearBytes = 16 << 20;
    private const int PieceBytes = EffectStream.BlockBytes / 2;

    private readonly EffectStream _stream;
    private readonly ReplicaLink _link;
    private readonly LoggedStreamReader _files;
    private readonly ILogger _log;
    private readonly EffectStream _read;
    private readonly Lock _gate = new();
    private EffectReader? _next;
    private long _lastPosition = long.MaxValue;
    private readonly ManualResetEventSlim _consumed = new(initialState: false, spinCount: 0);
    private readonly CancellationTokenSource _end = new();

    /// <summary>Prepares to read.</summary>
    /// <param name="files">Reads the files, from the replica's position on.</param>
    /// <param name="stream">What continues where the files end.</param>
    /// <param name="link">The replica.</param>
    /// <param name="log">For log messages.</param>
    public LogCatchUp(LoggedStreamReader files, EffectStream stream, ReplicaLink link, ILogger log)
    {
        _files = files;
        _stream = stream;
        _link = link;
        _log = log;
        _read = new EffectStream(files.Position);
        Reader = _read.OpenAtOrAfter(files.Position, link);
        Reader.BlockConsumed += _consumed.Set;
    }

    /// <summary>What was read from the files.</summary>
    public EffectReader Reader { get; }

    /// <summary>Whether the replica has all that was to be read from the files, so that <see cref="TakeNext"/> continues.</summary>
    public bool IsComplete => Reader.Position == Volatile.Read(ref _lastPosition);

    /// <summary>Begins to read.</summary>
    public void Start() => new Thread(Run) { IsBackground = true, Name = "log-catch-up" }.Start();

    /// <summary>The reader of the stream that continues where the files were left.</summary>
    public EffectReader TakeNext()
    {
        lock (_gate)
        {
            EffectReader next = _next!;
            _next = null;
            return next;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _end.Cancel();
        lock (_gate)
        {
            Reader.Dispose();
            _next?.Dispose();
            _next = null;
        }
    }

    private void Run()
    {
        try
        {
            do WaitUntilConsumed();
            while (!_end.IsCancellationRequested && TryReadMore());
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _log.LogWarning(
                "Replica {Address}:{Port} cannot continue from the append-only log: {Problem}",
                _link.Address,
                _link.Properties.Port,
                e.Message
            );
            _link.Client.End.Force();
        }
    }

    // What is ahead has many blocks: one of them is consumed before the replica has caught up.
    private void WaitUntilConsumed()
    {
        while (Reader.Lag > AheadBytes)
        {
            _consumed.Reset();
            if (Reader.Lag > AheadBytes)
                _consumed.Wait();
        }
    }

    // False when the rest is in the stream's memory.
    private bool TryReadMore()
    {
        bool wasOpen = _next is not null;
        long most = _next is { } next ? Math.Min(PieceBytes, next.Position - _files.Position) : PieceBytes;
        ReadOnlyMemory<byte> bytes = _files.Read(most);
        if (!bytes.IsEmpty)
            _read.AppendVerbatim(bytes.Span);
        bool isNear = bytes.IsEmpty || _stream.Position - _files.Position <= NearBytes;
        if (_next is null && isNear && !TryOpenNext())
            return false;
        if (_next?.Position == _files.Position)
        {
            Volatile.Write(ref _lastPosition, _files.Position);
            _link.OnAppended();
            return false;
        }

        // The log had consumed, before this was read, everything up to where the stream's memory begins: what is missing is an effect that
        // it is about to write. If the memory was looked at only now, the files may have more already.
        if (bytes.IsEmpty && wasOpen)
            _files.WaitForMore(_end.Token);
        return true;
    }

    private bool TryOpenNext()
    {
        lock (_gate)
        {
            if (_end.IsCancellationRequested)
                return false;
            _next = _stream.OpenAtOrAfter(_files.Position, _link);
            _next.MaxLag = _link.MaxLag;
            return true;
        }
    }
}
