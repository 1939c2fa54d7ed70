// What a file tells of the key that comes next and Redis has no place for. Stateless.
namespace Garnet.Persistence.Rdb;

/// <summary>An auxiliary field before a key: other servers pass over those they do not know.</summary>
internal static class RdbKeyProperty
{
    /// <summary>Whether a property of this name, at most 63 bytes long, stands at the beginning of these bytes.</summary>
    public static bool StandsAt(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> name) =>
        bytes.Length > 2 && bytes[0] == RdbOpcode.Aux && bytes[1] == name.Length && bytes[2..].StartsWith(name);
}
