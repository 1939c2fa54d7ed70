// The watched keys of one logical database. Changed under its own lock, walked under the barrier.
namespace Garnet.Store.Watching;

/// <summary>A linked list, so that emptying or swapping a database costs nothing for keys watched in others.</summary>
internal sealed class DatabaseWatches
{
    private readonly Lock _gate = new();

    /// <summary>The most recently watched key.</summary>
    public WatchedKey? First { get; private set; }

    public void Add(WatchedKey entry)
    {
        lock (_gate)
        {
            entry.NextInDatabase = First;
            if (First is not null)
                First.PreviousInDatabase = entry;
            First = entry;
        }
    }

    public void Remove(WatchedKey entry)
    {
        lock (_gate)
        {
            if (entry.PreviousInDatabase is not null)
                entry.PreviousInDatabase.NextInDatabase = entry.NextInDatabase;
            else
                First = entry.NextInDatabase;
            if (entry.NextInDatabase is not null)
                entry.NextInDatabase.PreviousInDatabase = entry.PreviousInDatabase;
            entry.PreviousInDatabase = null;
        }
    }
}
