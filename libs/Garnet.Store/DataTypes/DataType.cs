// The properties of a data type that the rest of the server needs. Immutable; any thread.
using System.Text;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.DataTypes;

/// <summary>One type of value: a row of <see cref="DataTypeTable"/>.</summary>
internal abstract class DataType
{
    private readonly byte[] _nameBytes;

    private protected DataType(RecordType recordType, string name, int number)
    {
        RecordType = recordType;
        Name = name;
        Number = number;
        _nameBytes = Encoding.ASCII.GetBytes(name);
    }

    /// <summary>The type in a record's header.</summary>
    public RecordType RecordType { get; }

    /// <summary>The name that TYPE replies with and SCAN's TYPE option takes.</summary>
    public string Name { get; }

    /// <summary><see cref="Name"/> in ASCII.</summary>
    public ReadOnlySpan<byte> NameBytes => _nameBytes;

    /// <summary>Valkey's number of the type, which is part of DEBUG DIGEST.</summary>
    public int Number { get; }

    /// <summary>Whether the expiries of fields or members are kept in the value, so that active expiry has to visit it.</summary>
    public virtual bool HasElementExpiry => false;

    /// <summary>The encoding as reported by OBJECT ENCODING; only the first byte of the value is needed.</summary>
    public abstract ReadOnlySpan<byte> EncodingOf(scoped ReadOnlySpan<byte> value);

    /// <summary>Number of elements, fields or members of a value.</summary>
    public abstract long CountOf(scoped ReadOnlySpan<byte> value);

    /// <summary>Copies the entries of a tree of a large value.</summary>
    /// <param name="trees">The store's trees.</param>
    /// <param name="source">The tree.</param>
    /// <param name="target">An empty tree.</param>
    /// <param name="isSecond">Whether it is the value's second tree.</param>
    internal virtual unsafe void CopyTree(TreeStore trees, TreeHeader* source, TreeHeader* target, bool isSecond) =>
        throw new InvalidOperationException($"A value of type {Name} has no trees.");
}
