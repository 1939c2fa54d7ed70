// The order of a stream's groups tree: groups, consumers and pending entries, by owner. Immutable.
using Garnet.Store.Collections.Streams;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// An entry starts with its section, an integer code; within a section entries are ordered by name or by ID (<see cref="GroupEntry"/>).
/// </summary>
internal readonly struct GroupOrder : ITreeOrder
{
    public static int Words => 3;

    public static LeafKind Leaf => LeafKind.Plain;

    public static bool IsExact => false;

    /// <summary>The smallest key of a section.</summary>
    public static TreeKey KeyOf(ulong section) => new(section, 0, default);

    /// <summary>The key of a name.</summary>
    public static TreeKey KeyOf(ulong section, ReadOnlySpan<byte> name) => new(section, 0, name);

    /// <summary>The key of an ID; invalid after the next call on this thread.</summary>
    public static TreeKey KeyOf(ulong section, StreamId id)
    {
        Span<byte> bytes = ElementScratch.Current.IdKey;
        id.WriteKey(bytes);
        return new TreeKey(section, 0, bytes);
    }

    public int Compare(in TreeKey key, ReadOnlySpan<byte> entry)
    {
        ulong section = (ulong)PackedEntries.ReadInteger(entry, 0, out int next);
        if (key.High != section)
            return key.High.CompareTo(section);

        return GroupEntry.KindOf(section) switch
        {
            GroupEntry.Facts => 0,
            GroupEntry.Names => key.Bytes.SequenceCompareTo(GroupEntry.NameIn(entry)),
            _ => IdIn(key.Bytes).CompareTo(GroupEntry.IdAt(entry, next, out _)),
        };
    }

    public TreeWords Shorten(in TreeKey key) => TreeWords.Of(key.High, key.Bytes);

    public TreeWords ShortenEntry(ReadOnlySpan<byte> entry)
    {
        ulong section = GroupEntry.SectionOf(entry);
        switch (GroupEntry.KindOf(section))
        {
            case GroupEntry.Facts:
                return new TreeWords(section);
            case GroupEntry.Names:
                return TreeWords.Of(section, GroupEntry.NameIn(entry));
            default:
                StreamId id = GroupEntry.IdIn(entry);
                return new TreeWords(section, id.Milliseconds, id.Sequence);
        }
    }

    public ulong FirstWord(ReadOnlySpan<byte> entry) => GroupEntry.SectionOf(entry);

    // The smallest key has no bytes.
    private static StreamId IdIn(ReadOnlySpan<byte> bytes) => bytes.IsEmpty ? StreamId.Min : StreamId.ReadKey(bytes);
}
