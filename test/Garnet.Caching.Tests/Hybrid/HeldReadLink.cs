// A link whose next read has its answer held back. Thread-safe.
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Tests.Hybrid;

/// <summary>The server has answered, and the cache has not got it yet.</summary>
internal sealed class HeldReadLink(ICacheLink inner) : ICacheLink
{
    private TaskCompletionSource? _held;

    public IGarnet? Here => inner.Here;

    public int Losses => inner.Losses;

    public Action<ReadOnlyMemory<byte>>? Received
    {
        get => inner.Received;
        set => inner.Received = value;
    }

    public Action? Lost
    {
        get => inner.Lost;
        set => inner.Lost = value;
    }

    /// <summary>Holds the next answer back until the result is set.</summary>
    public TaskCompletionSource HoldNext() => _held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Subscribe() => inner.Subscribe();

    public ValueTask<RespValue> CallAsync(
        string command,
        ReadOnlyMemory<byte>[] arguments,
        CancellationToken cancellationToken = default
    ) => inner.CallAsync(command, arguments, cancellationToken);

    public ValueTask<RespValue[]> CallAllAsync(CacheCommand[] commands, CancellationToken cancellationToken = default) =>
        inner.CallAllAsync(commands, cancellationToken);

    public RespValue? CallHere(string command, ReadOnlyMemory<byte>[] arguments) => inner.CallHere(command, arguments);

    public async ValueTask<StoredBytes> ReadAsync(ReadOnlyMemory<byte> key, bool withTime)
    {
        StoredBytes answer = await inner.ReadAsync(key, withTime);
        if (Interlocked.Exchange(ref _held, null) is { } held)
            await held.Task;
        return answer;
    }

    public ValueTask<StoredBytes[]> ReadManyAsync(ReadOnlyMemory<byte>[] keys) => inner.ReadManyAsync(keys);

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
