// HPEXPIREAT key unix-time-milliseconds [NX | XX | GT | LT] FIELDS numfields field [field ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Hashes;

/// <summary>Sets fields of a hash to expire at a Unix time in milliseconds.</summary>
internal static class HPExpireAtCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HPEXPIREAT",
        Arity = -6,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Traits = CommandTraits.NeedsNewReplicas,
        Since = "9.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => HashExpiration.Execute(ref context, 0, 1);
}
