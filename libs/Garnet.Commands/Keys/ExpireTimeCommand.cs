// EXPIRETIME key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Replies with the Unix time in seconds at which a key expires.</summary>
internal static class ExpireTimeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "EXPIRETIME",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
        Since = "7.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => RemainingTime.Execute(ref context, 0, inSeconds: true);
}
