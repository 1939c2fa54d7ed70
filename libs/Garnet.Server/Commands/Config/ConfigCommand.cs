// CONFIG <subcommand> ...
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Config;

/// <summary>The container of the CONFIG subcommands.</summary>
internal static class ConfigCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CONFIG",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Since = "2.0.0",
        Help = new(
            "5.0.0",
            [
                "GET <pattern>",
                "    Return parameters matching the glob-like <pattern> and their values.",
                "SET <directive> <value>",
                "    Set the configuration <directive> to <value>.",
                "RESETSTAT",
                "    Reset statistics reported by the INFO command.",
                "REWRITE",
                "    Rewrite the configuration file.",
            ]
        ),
        Subcommands =
        [
            ConfigGetCommand.Descriptor,
            ConfigSetCommand.Descriptor,
            ConfigRewriteCommand.Descriptor,
            ConfigResetStatCommand.Descriptor,
        ],
    };
}
