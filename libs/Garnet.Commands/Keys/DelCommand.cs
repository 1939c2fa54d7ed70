// DEL key [key ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Removes keys.</summary>
internal static class DelCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DEL",
        Arity = -2,
        Flags = CommandFlags.Write,
        Group = CommandGroup.Generic,
        SingleKeyForm = "DEL",
        Categories = AclCategories.Keyspace,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, -1, 1, KeySpecFlags.RM | KeySpecFlags.Delete)],
        Tips = ["request_policy:multi_shard", "response_policy:agg_sum"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => KeyRemoval.Execute(ref context);
}
