// CONFIG <subcommand> ...
using Garnet.Server.CommandModel;

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
        Subcommands =
        [
            ConfigGetCommand.Descriptor,
            ConfigSetCommand.Descriptor,
            ConfigRewriteCommand.Descriptor,
            ConfigResetStatCommand.Descriptor,
            ConfigHelpCommand.Descriptor,
        ],
    };
}
