// OBJECT REFCOUNT key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Replies with the reference count of the value: always 1, as in Valkey versions that embed the key in the value.</summary>
internal static class ObjectRefCountCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "REFCOUNT",
        Arity = 3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
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
