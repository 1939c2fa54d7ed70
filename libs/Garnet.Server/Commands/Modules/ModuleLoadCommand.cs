// MODULE LOAD path [arg [arg ...]]
using System.Collections.Immutable;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Modules;

/// <summary>Loads a module from a file, with arguments.</summary>
internal static class ModuleLoadCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LOAD",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.WholeKeyspace,
        ProtectedBy = ProtectingOption.Module,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) =>
        ModuleChange.Load(ref context, ModuleChange.Texts(ref context, 3, context.Count), ImmutableDictionary<string, string>.Empty);
}
