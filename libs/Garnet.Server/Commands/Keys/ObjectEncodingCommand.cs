// OBJECT ENCODING key
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>Replies with the name that Valkey gives the encoding of such a value.</summary>
internal static class ObjectEncodingCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ENCODING",
        Arity = 3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace | AclCategories.Read | AclCategories.Slow,
        Since = "2.2.3",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RO)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        StringFormReader reader = default;
        if (!ObjectLookup.TryRead(ref context, ref reader))
            return;
        context.Reply.WriteBulk(NameOf(reader, context[2].Length));
    }

    /// <summary>The name of a value's encoding.</summary>
    public static ReadOnlySpan<byte> NameOf(in StringFormReader value, int keyLength)
    {
        if (value.Info.Type != RecordType.String)
            return CollectionEncoding.NameOf(value.Info.Type, [value.First]);
        if (value.Info.IsEdited)
            return "raw"u8;
        if (value.IsInteger)
            return "int"u8;
        return IsEmbedded(value.Length, keyLength, value.Info.ExpiresAtMs >= 0) ? "embstr"u8 : "raw"u8;
    }

    // Valkey embeds a string with its key and expiry in one object of at most two cache lines: 8 bytes of header, the key with a byte that says
    // how long its own header is, that header (1, 3, 5 or 9 bytes) and a NUL, 8 bytes of expiry if any, and 3 bytes of header, the value and a NUL.
    private static bool IsEmbedded(int length, int keyLength, bool expires)
    {
        const int mostBytes = 128;
        int keyHeader = keyLength switch { < 32 => 1, < 256 => 3, < 65536 => 5, _ => 9 };
        long bytes = 8L + 1 + keyHeader + keyLength + 1 + (expires ? 8 : 0) + 3 + length + 1;
        return length <= byte.MaxValue && bytes <= mostBytes;
    }
}
