// OBJECT IDLETIME key
namespace Garnet.Server.Commands.Keys;

/// <summary>Refuses to tell the seconds since a key was used, as access times are not kept.</summary>
internal static class ObjectIdleTimeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "IDLETIME",
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
        if (!ObjectLookup.TryRead(ref context, ref reader))
            return;
        context.Reply.WriteError("ERR Access times are not tracked by this version"u8);
    }
}
