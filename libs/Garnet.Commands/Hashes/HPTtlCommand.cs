// HPTTL key FIELDS numfields field [field ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with the remaining times to live of fields of a hash in milliseconds.</summary>
internal static class HPTtlCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HPTTL",
        Arity = -5,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "9.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) =>
        HashRemainingTime.Execute(ref context, context.RunningNowMs, isSeconds: false);
}
