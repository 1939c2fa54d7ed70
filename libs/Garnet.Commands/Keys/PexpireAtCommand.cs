// PEXPIREAT key unix-time-milliseconds [NX | XX | GT | LT]
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Sets a key to expire at a Unix time in milliseconds.</summary>
internal static class PexpireAtCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PEXPIREAT",
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

    private static void Execute(ref CommandContext context) => Expiration.Execute(ref context, 0, 1);
}
