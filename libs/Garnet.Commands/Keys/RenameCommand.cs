// RENAME key newkey
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Renames a key, replacing any key that has the new name.</summary>
internal static class RenameCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RENAME",
        Arity = 3,
        Flags = CommandFlags.Write,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace,
        Since = "1.0.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete),
            KeySpec.Range(2, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update),
        ],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (KeyRenaming.TryRename(ref context, replaces: true, out bool _))
            context.Reply.WriteOk();
    }
}
