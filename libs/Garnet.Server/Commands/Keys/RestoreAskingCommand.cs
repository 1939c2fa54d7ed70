// RESTORE-ASKING key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Keys;

/// <summary>As RESTORE; it is what other servers' MIGRATE sends.</summary>
internal static class RestoreAskingCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RESTORE-ASKING",
        Arity = -4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Asking,
        Group = CommandGroup.Server,
        Categories = AclCategories.Dangerous | AclCategories.Keyspace,
        Since = "3.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update)],
        Event = KeyEvents.Restore,
        MakeHandler = RestoreCommand.Descriptor.MakeHandler,
    };
}
