// PERSIST key
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Removes a key's expiry.</summary>
internal static class PersistCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PERSIST",
        Arity = 2,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
        Since = "2.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Event = KeyEvent.Persist,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        RecordHandle record = context.Open(1);
        bool expires = record.Exists && record.ExpiresAtMs >= 0;
        if (expires)
            record.SetExpiry(-1);
        context.Reply.WriteInteger(expires ? 1 : 0);
    }
}
