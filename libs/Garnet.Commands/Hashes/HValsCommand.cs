// HVALS key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with all values of a hash.</summary>
internal static class HValsCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HVALS",
        Arity = 2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Hash,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output_order"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => HashListing.ReplyWithHalves(ref context, values: true);
}
