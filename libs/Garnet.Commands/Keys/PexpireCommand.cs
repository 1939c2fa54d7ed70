// PEXPIRE key milliseconds [NX | XX | GT | LT]
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Sets a key to expire in a number of milliseconds.</summary>
internal static class PexpireCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PEXPIRE",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
        Since = "2.6.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Event = KeyEvent.Expire,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => Expiration.Execute(ref context, context.RunningNowMs, 1);
}
