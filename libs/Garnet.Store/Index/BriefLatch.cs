// One bucket latched for a moment. Used on the stack of a session's thread.
namespace Garnet.Store.Index;

/// <summary>Latches one bucket until it is disposed; does nothing if the session already holds it or runs exclusively.</summary>
internal readonly ref struct BriefLatch
{
    private readonly HashIndex? _latched;

    /// <summary>Latches the bucket of a salted hash; the session is in a batch.</summary>
    public BriefLatch(StoreSession session, ulong salted)
    {
        HashIndex index = session.Store.Index;
        if (session.Barrier.IsExclusive)
        {
            Bucket = index.Locate(salted);
        }
        else if (session.Slot.Held is { Count: not 0 } held)
        {
            Bucket = held.Acquire(salted);
        }
        else
        {
            Bucket = index.Latch(salted);
            _latched = index;
        }
    }

    /// <summary>The bucket's number.</summary>
    public long Bucket { get; }

    /// <summary>Releases the bucket.</summary>
    public void Dispose() => _latched?.Release(Bucket);
}
