// MEMORY <subcommand> ...
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Memory;

/// <summary>The container of the MEMORY subcommands.</summary>
internal static class MemoryCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MEMORY",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "4.0.0",
        Subcommands =
        [
            MemoryDoctorCommand.Descriptor,
            MemoryHelpCommand.Descriptor,
            MemoryMallocStatsCommand.Descriptor,
            MemoryPurgeCommand.Descriptor,
            MemoryStatsCommand.Descriptor,
            MemoryUsageCommand.Descriptor,
        ],
    };
}
