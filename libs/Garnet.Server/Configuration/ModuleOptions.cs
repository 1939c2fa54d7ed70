// The options about modules. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about modules.</summary>
internal static class ModuleOptions
{
    private const int MaxModules = 1000;

    public static OptionDescriptor[] All() =>
        [
            new ListOption("loadmodule", static o => o.Modules, static (o, v) => o.Modules = v, MaxModules)
            {
                Group = OptionGroup.Data,
                Help = "Modules to load at the start: the path of an assembly, then arguments; each line adds one.",
                TooMany = $"More than {MaxModules} modules",
                IsOfPaths = true,
                IsOneWordPerLine = true,
            },
            new StringOption("modules-dir", static o => o.ModulesDir, static (o, v) => o.ModulesDir = v)
            {
                Group = OptionGroup.Data,
                Help = "Folder that modules are loaded from; \"\" means any.",
            },
            new IntegerOption("module-max-queue", static o => o.ModuleMaxQueue, static (o, v) => o.ModuleMaxQueue = (int)v, 1, int.MaxValue)
            {
                Group = OptionGroup.Data,
                Help = "How many events of keys may wait for a module; further ones are dropped and counted in INFO modules.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "module-max-queue-memory",
                static o => o.ModuleMaxQueueBytes,
                static (o, v) => o.ModuleMaxQueueBytes = v,
                1L << 10,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "How much memory the events of keys may take that wait for a module; further ones are dropped and counted.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<MissingTypes>(
                "module-missing-types",
                static o => o.ModuleMissingTypes,
                static (o, v) => o.ModuleMissingTypes = v,
                [("refuse", MissingTypes.Refuse), ("keep", MissingTypes.Keep)]
            )
            {
                Group = OptionGroup.Data,
                Help =
                    "Values of types that no module has added. refuse: a file or payload with one is not loaded. keep: its bytes are kept, saved and replicated, and become a value when the module is loaded.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<CommandAccess>(
                "enable-module-command",
                static o => o.EnableModuleCommand,
                static (o, v) => o.EnableModuleCommand = v,
                [("no", CommandAccess.No), ("yes", CommandAccess.Yes), ("local", CommandAccess.Local)]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Who may use MODULE LOAD and UNLOAD: no client, any client, or clients on this machine.",
            },
        ];
}
