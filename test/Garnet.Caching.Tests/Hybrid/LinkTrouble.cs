// Makes the connections of one instance stop, break or refuse. Thread-safe.
namespace Garnet.Caching.Tests.Hybrid;

/// <summary>While a direction is held, its bytes wait; a cut ends the connection, and while it is refused no new one is made.</summary>
internal sealed class LinkTrouble
{
    private readonly Lock _gate = new();
    private readonly List<Stream> _streams = [];
    private TaskCompletionSource _reads = Open();
    private TaskCompletionSource _writes = Open();
    private volatile bool _isRefused;

    /// <summary>How long a reply may take.</summary>
    public TimeSpan ReplyTimeout { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Completes while bytes may come.</summary>
    public Task Reads => Volatile.Read(ref _reads).Task;

    /// <summary>Completes while bytes may go.</summary>
    public Task Writes => Volatile.Read(ref _writes).Task;

    /// <summary>Whether new connections fail.</summary>
    public bool IsRefused
    {
        get => _isRefused;
        set => _isRefused = value;
    }

    /// <summary>Holds what comes.</summary>
    public void HoldReads() => Volatile.Write(ref _reads, Shut());

    /// <summary>Holds what goes.</summary>
    public void HoldWrites() => Volatile.Write(ref _writes, Shut());

    /// <summary>Lets everything through again.</summary>
    public void Release()
    {
        Interlocked.Exchange(ref _reads, Open()).TrySetResult();
        Interlocked.Exchange(ref _writes, Open()).TrySetResult();
    }

    /// <summary>Ends all connections.</summary>
    public void Cut()
    {
        Stream[] streams;
        lock (_gate)
        {
            streams = [.. _streams];
            _streams.Clear();
        }

        foreach (Stream stream in streams)
            stream.Dispose();
        Release();
    }

    /// <summary>For a connection's options.</summary>
    public ValueTask<Stream> WrapAsync(Stream stream, CancellationToken cancellationToken)
    {
        if (_isRefused)
            throw new IOException("Refused by the test.");
        TroubledStream troubled = new(stream, this);
        lock (_gate)
            _streams.Add(troubled);
        return ValueTask.FromResult<Stream>(troubled);
    }

    private static TaskCompletionSource Open()
    {
        TaskCompletionSource open = Shut();
        open.SetResult();
        return open;
    }

    private static TaskCompletionSource Shut() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
