// OBJECT REFCOUNT key
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Keys;

/// <summary>Replies with the number of keys that refer to the value: always 1, as in Valkey since values hold their key.</summary>
internal static class ObjectRefCountCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "REFCOUNT",
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
        RecordInfoReader reader = default;
        if (ObjectLookup.TryRead(ref context, ref reader))
            context.Reply.WriteInteger(1);
    }
}
