// HEXPIRETIME key FIELDS numfields field [field ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with the Unix times in seconds at which fields of a hash expire.</summary>
internal static class HExpireTimeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HEXPIRETIME",
        Arity = -5,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "9.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => HashRemainingTime.Execute(ref context, 0, isSeconds: true);
}
