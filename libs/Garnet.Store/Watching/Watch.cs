// One watcher's watch of one key. Changed under the latch of the key's bucket, or under the barrier.
namespace Garnet.Store.Watching;

/// <summary>A link in a key's doubly linked list of watches, so that removing one takes constant time.</summary>
internal sealed class Watch(KeyWatcher watcher, WatchedKey key, bool wasExpired)
{
    public KeyWatcher Watcher { get; } = watcher;

    public WatchedKey Key { get; } = key;

    /// <summary>The key had expired when it was watched, so its removal is not a change.</summary>
    public bool WasExpired { get; set; } = wasExpired;

    /// <summary>False once it has been removed from the key's list.</summary>
    public bool IsLinked { get; private set; }

    public Watch? Next { get; private set; }

    private Watch? Previous { get; set; }

    /// <summary>Inserts it at the head of the key's list.</summary>
    public void Link()
    {
        Next = Key.First;
        if (Next is not null)
            Next.Previous = this;
        Key.First = this;
        IsLinked = true;
        Key.TransactionWatches += Watcher.HasObserver ? 0 : 1;
    }

    /// <summary>Removes it from the key's list. <see cref="Next"/> is kept, so that a walk can continue.</summary>
    public void Unlink()
    {
        if (Previous is not null)
            Previous.Next = Next;
        else
            Key.First = Next;
        if (Next is not null)
            Next.Previous = Previous;
        Previous = null;
        IsLinked = false;
        Key.TransactionWatches -= Watcher.HasObserver ? 0 : 1;
    }
}
