// A value of a near cache, or the wait for it. Changed under the table's lock.
namespace Garnet.Client;

/// <summary>Exists from the first read of a key on; other readers of the key meanwhile wait for the same reply.</summary>
internal sealed class NearCacheEntry(byte[] key)
{
    private readonly TaskCompletionSource<RespValue> _reply = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The key.</summary>
    public byte[] Key => key;

    /// <summary>The server's reply, whether or not it is kept.</summary>
    public Task<RespValue> Reply => _reply.Task;

    /// <summary>The value, once it is kept.</summary>
    public RespValue? Value { get; set; }

    /// <summary>Its place in the ring, once it is kept.</summary>
    public int Slot { get; set; } = -1;

    /// <summary>What it counts for.</summary>
    public long Bytes { get; set; }

    /// <summary>Whether it was read since the hand of the clock passed.</summary>
    public bool IsReferenced { get; set; }

    /// <summary>Completes <see cref="Reply"/>.</summary>
    public void SetReply(RespValue reply) => _reply.TrySetResult(reply);

    /// <summary>Fails <see cref="Reply"/>, which may have no waiters any more.</summary>
    public void SetFailure(Exception failure)
    {
        _reply.TrySetException(failure);
        _ = _reply.Task.Exception;
    }
}
