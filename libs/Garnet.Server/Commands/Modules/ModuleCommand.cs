// MODULE <subcommand> ...
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Modules;

/// <summary>The container of the MODULE subcommands.</summary>
internal static class ModuleCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MODULE",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Help = new(
            "5.0.0",
            [
                "LIST",
                "    Return a list of loaded modules.",
                "LOAD <path> [<arg> ...]",
                "    Load a module from the assembly at <path>, passing to it any optional arguments.",
                "LOADEX <path> [[CONFIG NAME VALUE] [CONFIG NAME VALUE]] [ARGS ...]",
                "    Load a module from the assembly at <path>, with values of its options and optional arguments.",
                "UNLOAD <name>",
                "    Unload a module.",
            ]
        ),
        Subcommands =
        [
            ModuleListCommand.Descriptor,
            ModuleLoadCommand.Descriptor,
            ModuleLoadExCommand.Descriptor,
            ModuleUnloadCommand.Descriptor,
        ],
    };
}
