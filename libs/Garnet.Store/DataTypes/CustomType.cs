// A type of value that is not built in. Immutable but for the number of its keys; any thread.
namespace Garnet.Store.DataTypes;

/// <summary>
/// A type added by an application or module. The store treats its values as opaque bytes, and calls the type to save, load or compare
/// them.
/// </summary>
internal abstract class CustomType : DataType
{
    private const string NameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private const int NameLength = 9;
    private const int NameBits = 6;
    private const int VersionBits = 10;

    private long _keys;

    /// <summary>Declares a type.</summary>
    /// <param name="name">
    /// Nine letters, digits, hyphens or underscores, as for the types of Valkey's modules; files refer to the type by this name.
    /// </param>
    /// <param name="version">Version of the saved form, 0 to 1023; values saved with a later one are refused.</param>
    /// <exception cref="ArgumentException">The name or version is outside of its range.</exception>
    protected CustomType(string name, int version = 0)
        : base(RecordType.Custom, name, number: 5)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentOutOfRangeException.ThrowIfNegative(version);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(version, 1 << VersionBits);
        if (name.Length != NameLength)
            throw new ArgumentException($"The name of a type has {NameLength} characters.", nameof(name));
        foreach (char character in name)
        {
            int index = NameCharacters.IndexOf(character, StringComparison.Ordinal);
            if (index < 0)
                throw new ArgumentException($"The name of a type cannot contain '{character}'.", nameof(name));
            NameId = (NameId << NameBits) | (uint)index;
        }

        Version = version;
    }

    /// <summary>Version of the saved form.</summary>
    public int Version { get; }

    /// <summary>
    /// Number of its keys in all databases of the stores that have it, with those that have expired or been flushed until maintenance
    /// removes them.
    /// </summary>
    public long KeyCount => Interlocked.Read(ref _keys);

    /// <summary>Name and version in one number: in RDB data the ID of a module's type.</summary>
    public ulong Id => (NameId << VersionBits) | (uint)Version;

    // Six bits for each character.
    private ulong NameId { get; }

    internal void CountKey(int change) => Interlocked.Add(ref _keys, change);

    internal static bool HaveOneName(ulong id, ulong other) => id >> VersionBits == other >> VersionBits;

    /// <summary>The version in a type's <see cref="Id"/>.</summary>
    public static int VersionOf(ulong id) => (int)(id & ((1 << VersionBits) - 1));

    /// <summary>The name in a type's <see cref="Id"/>.</summary>
    public static string NameOf(ulong id)
    {
        Span<char> name = stackalloc char[NameLength];
        id >>= VersionBits;
        for (int i = NameLength - 1; i >= 0; i--)
        {
            name[i] = NameCharacters[(int)(id & ((1 << NameBits) - 1))];
            id >>= NameBits;
        }

        return new string(name);
    }

    /// <inheritdoc/>
    public sealed override ReadOnlySpan<byte> EncodingOf(scoped ReadOnlySpan<byte> value) => "raw"u8;

    /// <inheritdoc/>
    public sealed override long CountOf(scoped ReadOnlySpan<byte> value) => 1;

    /// <summary>Saves a value; the default writes its bytes as one string.</summary>
    /// <param name="payload">The bytes that the type's commands stored.</param>
    /// <param name="writer">Takes the value's items in order.</param>
    public virtual void Save(ReadOnlySpan<byte> payload, ICustomValueWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteString(payload);
    }

    /// <summary>Loads a value that <see cref="Save"/> wrote, from bytes that may be damaged or hostile.</summary>
    /// <param name="reader">The items in order; all must be read.</param>
    /// <param name="version">The version that saved them, at most <see cref="Version"/>.</param>
    /// <returns>The payload to store; null when the items are not a value of this type.</returns>
    public virtual byte[]? Load(ICustomValueReader reader, int version)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return reader.TryReadString(out ReadOnlySpan<byte> payload) ? payload.ToArray() : null;
    }

    /// <summary>
    /// The part of a value that makes it equal to another one, for DEBUG DIGEST; override it where equal values may differ in their bytes.
    /// </summary>
    public virtual ReadOnlySpan<byte> DigestOf(ReadOnlySpan<byte> payload) => payload;
}
