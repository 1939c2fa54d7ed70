// PTTL key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Replies with a key's remaining time to live in milliseconds.</summary>
internal static class PttlCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PTTL",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
        Since = "2.6.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => RemainingTime.Execute(ref context, context.RunningNowMs, inSeconds: false);
}
