// RENAMENX key newkey
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Renames a key unless the new name is taken.</summary>
internal static class RenameNxCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RENAMENX",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace,
        Since = "1.0.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete),
            KeySpec.Range(2, 0, 1, KeySpecFlags.OW | KeySpecFlags.Insert),
        ],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (KeyRenaming.TryRename(ref context, replaces: false, out bool isRenamed))
            context.Reply.WriteInteger(isRenamed ? 1 : 0);
    }
}
