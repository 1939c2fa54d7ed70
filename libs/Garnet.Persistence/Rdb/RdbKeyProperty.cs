// Properties of the next key that Redis's format has no field for. Stateless.
namespace Garnet.Persistence.Rdb;

/// <summary>An auxiliary field before a key: other servers skip unknown ones.</summary>
internal static class RdbKeyProperty
{
    /// <summary>Whether these bytes begin with a property of this name of at most 63 bytes.</summary>
    public static bool StandsAt(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> name) =>
        bytes.Length > 2 && bytes[0] == RdbOpcode.Aux && bytes[1] == name.Length && bytes[2..].StartsWith(name);
}
