// The entries of a stream's groups tree: groups, their consumers, and pending entries. Pure functions of the bytes.

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// Groups and consumers have numbers, which are never reused. Each number has three adjacent sections: its metadata; the names of a group's
/// consumers (those of number 0 are the groups); the pending entries. An entry consists of its section (four times the number, plus the
/// kind), followed by: metadata: number of pending entries (8 bytes); for a group its last delivered ID (16), the entries it has read and
/// its number of consumers (8 each), for a consumer its seen time and active time (8 each); the name. Names: the number; the name. Pending
/// in a group: ID, consumer (0 while a file is being read that has not named it yet), milliseconds from the ID to the delivery, number of
/// deliveries. Pending for a consumer: ID. Everything without a number of bytes here is an integer code.
/// </summary>
internal static class GroupEntry
{
    public const int Facts = 0;
    public const int Names = 1;
    public const int Pending = 2;
    public const int PendingAt = 0;
    public const int LastIdAt = 8;
    public const int EntriesReadAt = 24;
    public const int ConsumersAt = 32;
    public const int GroupBytes = 40;
    public const int SeenAt = 8;
    public const int ActiveAt = 16;
    public const int ConsumerBytes = 24;
    private const int KindBits = 2;
    private const int MaxCode = 9;

    /// <summary>Maximum size of a pending entry in bytes.</summary>
    public const int MaxPendingBytes = 6 * MaxCode;

    /// <summary>The metadata section of a number, its first.</summary>
    public static ulong FactsOf(long number) => (ulong)number << KindBits;

    /// <summary>The section with the names of a group's consumers; for 0, of the groups.</summary>
    public static ulong NamesOf(long number) => FactsOf(number) | Names;

    /// <summary>The section with the pending entries of a group or consumer.</summary>
    public static ulong PendingOf(long number) => FactsOf(number) | Pending;

    public static int KindOf(ulong section) => (int)(section & ((1 << KindBits) - 1));

    public static ulong SectionOf(ReadOnlySpan<byte> entry) => (ulong)PackedEntries.ReadInteger(entry, 0, out _);

    /// <summary>The rest of an entry after its section.</summary>
    public static ReadOnlySpan<byte> Behind(ReadOnlySpan<byte> entry) => entry[PackedEntries.Next(entry, 0)..];

    /// <summary>The name in an entry of a names section.</summary>
    public static ReadOnlySpan<byte> NameIn(ReadOnlySpan<byte> entry) => entry[PackedEntries.Skip(entry, 0, 2)..];

    /// <summary>The number in an entry of a names section.</summary>
    public static long NumberIn(ReadOnlySpan<byte> entry) => PackedEntries.ReadInteger(entry, PackedEntries.Next(entry, 0));

    /// <summary>The ID in a pending entry.</summary>
    public static StreamId IdIn(ReadOnlySpan<byte> entry) => IdAt(entry, PackedEntries.Next(entry, 0), out _);

    /// <summary>The ID in a pending entry after its section, and the offset after it.</summary>
    public static StreamId IdAt(ReadOnlySpan<byte> entry, int offset, out int next)
    {
        ulong milliseconds = (ulong)PackedEntries.ReadInteger(entry, offset, out next);
        return new StreamId(milliseconds, (ulong)PackedEntries.ReadInteger(entry, next, out next));
    }

    /// <summary>Decodes a group's pending entry.</summary>
    public static PendingEntry PendingIn(ReadOnlySpan<byte> entry, GroupReader groups)
    {
        StreamId id = IdAt(entry, PackedEntries.Next(entry, 0), out int next);
        long consumer = PackedEntries.ReadInteger(entry, next, out next);
        long deliveredAtMs = unchecked((long)id.Milliseconds + PackedEntries.ReadInteger(entry, next, out next));
        return new PendingEntry(id, groups, consumer, deliveredAtMs, PackedEntries.ReadInteger(entry, next, out _));
    }

    /// <summary>Builds an entry of a names section.</summary>
    public static ReadOnlySpan<byte> OfName(ulong section, long number, ReadOnlySpan<byte> name)
    {
        var sectionCode = ElementCode.OfInteger((long)section);
        var numberCode = ElementCode.OfInteger(number);
        Span<byte> made = ElementScratch.Current.TakeEntry(checked(sectionCode.Size + numberCode.Size + name.Length));
        name.CopyTo(numberCode.WriteTo(sectionCode.WriteTo(made)));
        return made;
    }

    /// <summary>Builds a metadata entry: zeros, and the name.</summary>
    public static ReadOnlySpan<byte> OfFacts(long number, int bytes, ReadOnlySpan<byte> name)
    {
        var section = ElementCode.OfInteger((long)FactsOf(number));
        Span<byte> made = ElementScratch.Current.TakeEntry(checked(section.Size + bytes + name.Length));
        Span<byte> facts = section.WriteTo(made);
        facts[..bytes].Clear();
        name.CopyTo(facts[bytes..]);
        return made;
    }

    /// <summary>Writes a group's pending entry into a buffer of <see cref="MaxPendingBytes"/>.</summary>
    public static ReadOnlySpan<byte> WritePending(
        Span<byte> room,
        long group,
        StreamId id,
        long consumer,
        long deliveredAtMs,
        long deliveries
    )
    {
        Span<byte> rest = ElementCode.OfInteger(consumer).WriteTo(WriteId(room, group, id));
        rest = ElementCode.OfInteger(unchecked(deliveredAtMs - (long)id.Milliseconds)).WriteTo(rest);
        rest = ElementCode.OfInteger(deliveries).WriteTo(rest);
        return room[..^rest.Length];
    }

    /// <summary>Writes a consumer's pending entry into a buffer of <see cref="MaxPendingBytes"/>.</summary>
    public static ReadOnlySpan<byte> WritePending(Span<byte> room, long consumer, StreamId id) =>
        room[..^WriteId(room, consumer, id).Length];

    private static Span<byte> WriteId(Span<byte> room, long number, StreamId id)
    {
        Span<byte> rest = ElementCode.OfInteger((long)PendingOf(number)).WriteTo(room);
        rest = ElementCode.OfInteger((long)id.Milliseconds).WriteTo(rest);
        return ElementCode.OfInteger((long)id.Sequence).WriteTo(rest);
    }
}
