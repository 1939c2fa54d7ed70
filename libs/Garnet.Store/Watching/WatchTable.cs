// Who watches which key. A hash's list changes only under the latch of its bucket or under the barrier; finding a list takes no lock.
using System.Collections.Concurrent;

namespace Garnet.Store;

/// <summary>
/// The table behind the buckets' observer bits. Writers look here only when the bit of their bucket is set. Adding and removing lists takes the dictionary's own
/// short locks under a latch; only others who add or remove watches wait for them.
/// </summary>
internal sealed unsafe class WatchTable(HybridLogStore store)
{
    private const int FewHashes = 64;
    private readonly ConcurrentDictionary<ulong, WatchedKey> _lists = new();

    /// <summary>Adds a watch; the bucket of the salted hash is latched by the caller.</summary>
    public void Add(ulong salted, WatchedKey watched, long bucket)
    {
        watched.Next = _lists.TryGetValue(salted, out WatchedKey? first) ? first : null;
        _lists[salted] = watched;
        *HashIndex.Word(store.Index.Bucket(bucket)) |= BucketWord.Observed;
    }

    /// <summary>Removes a watch; the bucket of the salted hash is latched by the caller.</summary>
    public void Remove(ulong salted, WatchedKey watched, long bucket)
    {
        if (!_lists.TryGetValue(salted, out WatchedKey? first))
        {
            return;
        }

        if (first == watched)
        {
            if (watched.Next != null)
            {
                _lists[salted] = watched.Next;
                return;
            }

            _lists.TryRemove(salted, out _);
            ClearObserved(bucket);
            return;
        }

        for (WatchedKey link = first; link.Next != null; link = link.Next)
        {
            if (link.Next == watched)
            {
                link.Next = watched.Next;
                return;
            }
        }
    }

    /// <summary>
    /// Tells the watchers of a key that it changed, their observers too unless it only lost something; the bucket is latched by the caller (or the barrier is up).
    /// Who began to watch it when it had expired already learns nothing from its removal, whatever removes it.
    /// </summary>
    public void Touch(ulong salted, int database, ReadOnlySpan<byte> key, bool isRemoval, bool isLoss = false)
    {
        WatchedKey? link = _lists.TryGetValue(salted, out WatchedKey? first) ? first : null;
        for (; link != null; link = link.Next)
        {
            if (link.Database != database || !key.SequenceEqual(link.Key))
            {
                continue;
            }

            if (isRemoval && link.WasExpired)
            {
                link.WasExpired = false;
            }
            else
            {
                link.Watcher.Touch(isLoss);
            }
        }
    }

    /// <summary>As <see cref="Touch"/> for a change that only those who wait for the key want to know of.</summary>
    public void Nudge(ulong salted, int database, ReadOnlySpan<byte> key)
    {
        WatchedKey? link = _lists.TryGetValue(salted, out WatchedKey? first) ? first : null;
        for (; link != null; link = link.Next)
        {
            if (link.Database == database && key.SequenceEqual(link.Key))
            {
                link.Watcher.Nudge();
            }
        }
    }

    /// <summary>Under the barrier: a database is about to be emptied (<paramref name="replacement"/> -1) or replaced by another. Touches those whose key changes by that.</summary>
    public void TouchDatabase(StoreSession session, int database, int replacement)
    {
        foreach (WatchedKey first in _lists.Values)
        {
            for (WatchedKey? link = first; link != null; link = link.Next)
            {
                if (link.Database == database)
                {
                    TouchReplaced(session, link, database, replacement);
                }
            }
        }
    }

    /// <summary>Under the barrier, after logical databases got other physical ones: puts every watch under its new hash.</summary>
    public void Rekey()
    {
        if (_lists.IsEmpty)
        {
            return;
        }

        var all = new List<WatchedKey>();
        foreach (WatchedKey first in _lists.Values)
        {
            for (WatchedKey? link = first; link != null; link = link.Next)
            {
                all.Add(link);
            }
        }

        _lists.Clear();
        foreach (WatchedKey watched in all)
        {
            ulong salted = store.Spaces.Salt(watched.Hash, store.Spaces.PhysicalOf(watched.Database));
            Add(salted, watched, store.Index.Locate(salted));
        }
    }

    private static void TouchReplaced(StoreSession session, WatchedKey watched, int database, int replacement)
    {
        bool existed = session.PeekExclusive(database, watched.Key, watched.Hash, out _);
        bool wasReplacementExpired = false;
        bool exists = replacement >= 0 && session.PeekExclusive(replacement, watched.Key, watched.Hash, out wasReplacementExpired);
        if (!existed && !exists)
        {
            return;
        }

        if (watched.WasExpired)
        {
            if (!exists)
            {
                // The expired key is gone; to its watcher nothing changed.
                watched.WasExpired = false;
                return;
            }

            if (wasReplacementExpired)
            {
                return;
            }
        }
        else if (!existed && wasReplacementExpired)
        {
            watched.WasExpired = true;
            return;
        }

        watched.Watcher.Touch();
    }

    // The bit may be shared with other watched keys of the bucket. While few are watched they are asked; else the bit stays, and writers look in vain.
    private void ClearObserved(long bucket)
    {
        long* word = HashIndex.Word(store.Index.Bucket(bucket));
        if (!_lists.IsEmpty)
        {
            int seen = 0;
            foreach (ulong salted in _lists.Keys)
            {
                if (++seen > FewHashes || BucketWord.Owns(*word, salted, bucket))
                {
                    return;
                }
            }
        }

        *word &= ~BucketWord.Observed;
    }
}
