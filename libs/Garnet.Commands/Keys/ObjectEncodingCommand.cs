// OBJECT ENCODING key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.DataTypes;
using Garnet.Store.Records;

namespace Garnet.Commands.Keys;

/// <summary>Replies with the name of the encoding that Valkey would use for the value.</summary>
internal static class ObjectEncodingCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ENCODING",
        Arity = 3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace,
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
            return DataTypeTable.EncodingOf(value.Info.Type, [value.First]);
        if (value.Info.IsEdited)
            return "raw"u8;
        if (value.IsInteger && !value.Info.IsComputed)
            return "int"u8;
        return StringForm.IsEmbedded(value.Length, keyLength, value.Info.ExpiresAtMs >= 0) ? "embstr"u8 : "raw"u8;
    }
}
