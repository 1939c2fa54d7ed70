// One field of a large hash as stored in its tree: the codes of field and value, and of the expiry if there is one. Pure functions of the
// bytes.
namespace Garnet.Store.Collections.Hashes;

/// <summary>Reads and builds entries of hash trees.</summary>
internal static class HashEntry
{
    public static HashField Read(ReadOnlySpan<byte> entry)
    {
        int value = PackedEntries.Next(entry, 0);
        int expiry = PackedEntries.Next(entry, value);
        return new HashField(PackedEntries.Read(entry, 0), PackedEntries.Read(entry, value), ExpiryAt(entry, expiry));
    }

    public static long Expiry(ReadOnlySpan<byte> entry) => ExpiryAt(entry, PackedEntries.Skip(entry, 0, 2));

    public static ReadOnlySpan<byte> Make(ReadOnlySpan<byte> name, scoped in ElementCode value, long expiresAtMs)
    {
        var expiry = ElementCode.OfInteger(Math.Max(0, expiresAtMs));
        Span<byte> entry = ElementScratch.Current.TakeEntry(checked(name.Length + value.Size + (expiresAtMs >= 0 ? expiry.Size : 0)));
        name.CopyTo(entry);
        Span<byte> rest = value.WriteTo(entry[name.Length..]);
        if (expiresAtMs >= 0)
            expiry.WriteTo(rest);

        return entry;
    }

    /// <summary>Like <see cref="Make"/>, keeping the value of an existing entry.</summary>
    public static ReadOnlySpan<byte> WithExpiry(ReadOnlySpan<byte> entry, long expiresAtMs)
    {
        ReadOnlySpan<byte> kept = entry[..PackedEntries.Skip(entry, 0, 2)];
        var expiry = ElementCode.OfInteger(Math.Max(0, expiresAtMs));
        Span<byte> made = ElementScratch.Current.TakeEntry(kept.Length + (expiresAtMs >= 0 ? expiry.Size : 0));
        kept.CopyTo(made);
        if (expiresAtMs >= 0)
            expiry.WriteTo(made[kept.Length..]);

        return made;
    }

    private static long ExpiryAt(ReadOnlySpan<byte> entry, int offset) =>
        offset < entry.Length ? PackedEntries.ReadInteger(entry, offset) : -1;
}
