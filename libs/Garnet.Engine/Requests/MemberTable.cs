// The distinct members of a union of several keys. Belongs to a thread, for one command at a time.
using System.Numerics;
using Garnet.Store;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Memory;

namespace Garnet.Engine.Requests;

/// <summary>
/// Finds members by their hash, in a few lists of scratch memory instead of an object for each; used between <see cref="Begin"/> and
/// <see cref="End"/>.
/// </summary>
internal sealed class MemberTable : IComparer<int>, IMemberSource
{
    /// <summary>Unions with more members than this are collected in the store, where memory is counted.</summary>
    public const long MaxMembers = 1 << 20;

    private const int None = -1;

    private readonly TextArena _texts = new();
    private readonly ScratchList<int> _buckets = new();
    private readonly ScratchList<Entry> _entries = new();
    private ulong _bucketMask;

    /// <summary>Members so far.</summary>
    public int Count => _entries.Count;

    /// <summary>A member by its index in the order of arrival.</summary>
    public ReadOnlySpan<byte> Member(int index) => _texts[_entries[index].Text];

    /// <summary>Allocates space for the given maximum number of members.</summary>
    public void Begin(long most)
    {
        // A command that failed may have left its memory here.
        End();
        int size = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(16, most));
        _buckets.AddUnset(size).Fill(None);
        _bucketMask = (ulong)size - 1;
    }

    /// <summary>Frees the memory.</summary>
    public void End()
    {
        _texts.Dispose();
        _buckets.Dispose();
        _entries.Dispose();
    }

    /// <summary>Adds a member whose score is set afterwards; false when it exists. Returns its index in either case.</summary>
    public bool Add(StoreSession session, ReadOnlySpan<byte> member, out int index)
    {
        ulong hash = session.Hash(member);
        ref int bucket = ref _buckets[(int)(hash & _bucketMask)];
        for (index = bucket; index != None; index = _entries[index].Next)
        {
            if (_entries[index].Hash == hash && Member(index).SequenceEqual(member))
                return false;
        }

        index = Count;
        _entries.Add(
            new Entry
            {
                Text = _texts.Add(member),
                Hash = hash,
                Next = bucket,
            }
        );
        bucket = index;
        return true;
    }

    /// <summary>The score of a member.</summary>
    public ref double Score(int index) => ref _entries[index].Score;

    /// <summary>Sorts the indexes of all members in the order of sorted sets: by score, then by the bytes of the member.</summary>
    public ReadOnlySpan<int> Sort()
    {
        // The buckets have space for an index of each member, and no more lookups follow.
        Span<int> indexes = _buckets.Span[..Count];
        using ScratchList<double> rented = new();
        Span<double> scores = rented.AddUnset(Count);
        for (int i = 0; i < indexes.Length; i++)
        {
            indexes[i] = i;
            scores[i] = _entries[i].Score;
        }

        // Numbers are sorted much faster than members, which are compared only where scores are equal.
        scores.Sort(indexes);
        for (int first = 0, end = 1; first < scores.Length; first = end++)
        {
            while (end < scores.Length && scores[end] == scores[first])
                end++;
            if (end - first > 1)
                indexes[first..end].Sort(this);
        }

        return indexes;
    }

    /// <inheritdoc/>
    public int Compare(int x, int y) => Member(x).SequenceCompareTo(Member(y));

    private struct Entry
    {
        public TextSlice Text;
        public int Next;
        public ulong Hash;
        public double Score;
    }
}
