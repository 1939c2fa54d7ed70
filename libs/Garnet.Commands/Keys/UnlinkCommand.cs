// UNLINK key [key ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Removes keys. Equivalent to DEL, because the client's thread never frees their memory.</summary>
internal static class UnlinkCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "UNLINK",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        SingleKeyForm = "UNLINK",
        Categories = AclCategories.Keyspace,
        Since = "4.0.0",
        Keys = [KeySpec.Range(1, -1, 1, KeySpecFlags.RM | KeySpecFlags.Delete)],
        Tips = ["request_policy:multi_shard", "response_policy:agg_sum"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => KeyRemoval.Execute(ref context);
}
