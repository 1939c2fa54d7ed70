// EXPIRE key seconds [NX | XX | GT | LT]
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Sets a key to expire in a number of seconds.</summary>
internal static class ExpireCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "EXPIRE",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Event = KeyEvent.Expire,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) =>
        Expiration.Execute(ref context, context.RunningNowMs, Expiration.MsPerSecond);
}
