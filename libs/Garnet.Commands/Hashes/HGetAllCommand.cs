// HGETALL key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with all fields and values of a hash.</summary>
internal static class HGetAllCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HGETALL",
        Arity = 2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Hash,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output_order"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => HashListing.ReplyWithPairs(ref context);
}
