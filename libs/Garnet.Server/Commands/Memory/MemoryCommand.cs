// MEMORY <subcommand> ...
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

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
        Since = "4.0.0",
        Help = new(
            "4.0.0",
            [
                "DOCTOR",
                "    Return memory problems reports.",
                "MALLOC-STATS",
                "    Return internal statistics report from the memory allocator.",
                "PURGE",
                "    Attempt to purge dirty pages for reclamation by the allocator.",
                "STATS",
                "    Return information about the memory usage of the server.",
                "USAGE <key> [SAMPLES <count>]",
                "    Return memory in bytes used by <key> and its value. Nested values are",
                "    sampled up to <count> times (default: 5, 0 means sample all).",
            ]
        ),
        Subcommands =
        [
            MemoryDoctorCommand.Descriptor,
            MemoryMallocStatsCommand.Descriptor,
            MemoryPurgeCommand.Descriptor,
            MemoryStatsCommand.Descriptor,
            MemoryUsageCommand.Descriptor,
        ],
    };
}
