// TTL key
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Keys;

/// <summary>Replies with the seconds a key has left.</summary>
internal static class TtlCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "TTL",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Fast | AclCategories.Keyspace | AclCategories.Read,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => RemainingTime.Execute(ref context, context.NowMs, inSeconds: true);
}
