// The names of types on the wire (TYPE, SCAN TYPE). Stateless.
using System.Text;
using Garnet.Server.CommandModel;
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>Turns types into their names and back.</summary>
internal static class RecordTypeName
{
    /// <summary>The name of a type.</summary>
    public static ReadOnlySpan<byte> Of(RecordType type) =>
        type switch
        {
            RecordType.String => "string"u8,
            RecordType.List => "list"u8,
            RecordType.Set => "set"u8,
            RecordType.SortedSet => "zset"u8,
            RecordType.Hash => "hash"u8,
            RecordType.Stream => "stream"u8,
            _ => throw new InvalidOperationException($"A record has the unknown type {(int)type}."),
        };

    /// <summary>The type of a name in any letter case.</summary>
    public static bool TryParse(ReadOnlySpan<byte> name, out RecordType type)
    {
        name = ArgumentText.UpToZero(name);
        for (type = RecordType.String; type <= RecordType.Stream; type++)
        {
            if (Ascii.EqualsIgnoreCase(name, Of(type)))
                return true;
        }

        return false;
    }
}
