// HEXPIRE key seconds [NX | XX | GT | LT] FIELDS numfields field [field ...]
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Hashes;

/// <summary>Sets fields of a hash to expire after a number of seconds.</summary>
internal static class HExpireCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HEXPIRE",
        Arity = -6,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Traits = CommandTraits.NeedsNewReplicas,
        Since = "9.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) =>
        HashExpiration.Execute(ref context, context.RunningNowMs, Expiration.MsPerSecond);
}
