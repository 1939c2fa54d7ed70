// Marks a parameter that is a key. Immutable.
namespace Garnet.Modules;

/// <summary>
/// Makes a parameter of a command a key, so that access control, transactions, replication and clients know where it is. The parameter's
/// type says what the key holds: <see cref="StringKey"/>, <see cref="HashKey"/>, <see cref="ListKey"/>, <see cref="SetKey"/>,
/// <see cref="SortedSetKey"/>, <see cref="StreamKey"/> or <see cref="CustomKey{T}"/> (opened and latched before the method is called; clients get WRONGTYPE for
/// another type), <see cref="ReadOnlyString"/> or <see cref="ReadOnlyHash"/> (read without a latch), or <c>ReadOnlySpan&lt;byte&gt;</c>
/// (only its name).
/// </summary>
/// <param name="access">
/// How it is accessed; by default <see cref="KeyAccess.Read"/> in a command that reads, <see cref="KeyAccess.ReadWrite"/> in one that
/// writes.
/// </param>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class KeyAttribute(KeyAccess access = KeyAccess.Default) : Attribute
{
    /// <summary>How the command accesses the key.</summary>
    public KeyAccess Access { get; } = access;
}
