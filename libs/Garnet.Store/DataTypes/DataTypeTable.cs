// The types of value that a store knows. Types are added under a lock; any thread reads.
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;
using Garnet.Store.Collections.Streams;

namespace Garnet.Store.DataTypes;

/// <summary>One row for each built-in type, and those that were added.</summary>
internal sealed class DataTypeTable
{
    // By record type.
    private static readonly DataType[] BuiltIn =
    [
        new StringType(),
        new ListType(),
        new SetType(),
        new SortedSetType(),
        new HashType(),
        new StreamType(),
    ];

    // One bit per type, because it is checked at every change of a record.
    private static readonly int ElementExpiryTypes = BuiltIn
        .Where(static row => row.HasElementExpiry)
        .Sum(static row => 1 << (int)row.RecordType);

    private readonly Lock _gate = new();
    private CustomType[] _custom = [];
    private volatile bool _keepsMissing;

    /// <summary>The type of values whose own type is not known.</summary>
    public KeptType Kept { get; } = new();

    /// <summary>Whether such values are kept when they are loaded, instead of refused.</summary>
    public bool KeepsMissing
    {
        get => _keepsMissing;
        set => _keepsMissing = value;
    }

    /// <summary>The types that were added.</summary>
    public IReadOnlyList<CustomType> Custom => Volatile.Read(ref _custom);

    /// <summary>The row of a built-in type.</summary>
    public static DataType Of(RecordType type) =>
        (uint)type < (uint)BuiltIn.Length
            ? BuiltIn[(int)type]
            : throw new ArgumentOutOfRangeException(nameof(type), type, "The type is not built in.");

    /// <summary>The encoding of a value as reported by OBJECT ENCODING; only its first byte is needed.</summary>
    public static ReadOnlySpan<byte> EncodingOf(RecordType type, scoped ReadOnlySpan<byte> value) =>
        type == RecordType.Custom ? "raw"u8 : Of(type).EncodingOf(value);

    /// <summary>Whether the expiries of fields or members are kept in values of a type.</summary>
    internal static bool HasElementExpiry(RecordType type) => ((ElementExpiryTypes >> (int)type) & 1) != 0;

    /// <summary>Adds a type, before values of it are loaded or stored.</summary>
    /// <exception cref="ArgumentException">There is one of this name.</exception>
    public void Add(CustomType type)
    {
        ArgumentNullException.ThrowIfNull(type);
        lock (_gate)
        {
            if (TryFind(type.NameBytes, out _))
                throw new ArgumentException($"There is a type named '{type.Name}' already.", nameof(type));
            Volatile.Write(ref _custom, [.. _custom, type]);
        }
    }

    /// <summary>Removes a type of which there are no values.</summary>
    public void Remove(CustomType type)
    {
        lock (_gate)
            Volatile.Write(ref _custom, [.. _custom.Where(each => each != type)]);
    }

    /// <summary>The row of a value.</summary>
    /// <param name="type">The type in its record.</param>
    /// <param name="value">Its bytes, of which only those of a custom type matter.</param>
    public DataType Of(RecordType type, scoped ReadOnlySpan<byte> value)
    {
        if (type != RecordType.Custom)
            return Of(type);
        ulong id = CustomValue.IdOf(value);
        return TryFind(id, out CustomType? found)
            ? found
            : throw new InvalidOperationException($"The type '{CustomType.NameOf(id)}' was never added.");
    }

    /// <summary>The type of a name in any letter case.</summary>
    public bool TryFind(ReadOnlySpan<byte> name, [NotNullWhen(true)] out DataType? type)
    {
        foreach (DataType each in BuiltIn)
        {
            if (Ascii.EqualsIgnoreCase(name, each.NameBytes))
            {
                type = each;
                return true;
            }
        }

        foreach (CustomType each in Volatile.Read(ref _custom))
        {
            if (Ascii.EqualsIgnoreCase(name, each.NameBytes))
            {
                type = each;
                return true;
            }
        }

        type = Ascii.EqualsIgnoreCase(name, Kept.NameBytes) ? Kept : null;
        return type is not null;
    }

    /// <summary>The added type of an ID, whatever version the ID names.</summary>
    public bool TryFind(ulong id, [NotNullWhen(true)] out CustomType? type)
    {
        foreach (CustomType each in Volatile.Read(ref _custom))
        {
            if (CustomType.HaveOneName(each.Id, id))
            {
                type = each;
                return true;
            }
        }

        type = CustomType.HaveOneName(Kept.Id, id) ? Kept : null;
        return type is not null;
    }
}
