// The settings of a server about modules; see GarnetOptions.cs.
using System.Collections.Immutable;

namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>
    /// Who may use MODULE LOAD, LOADEX and UNLOAD. A module runs with all rights of the server's process, so whoever may load one needs no
    /// other right.
    /// </summary>
    public CommandAccess EnableModuleCommand { get; set; } = CommandAccess.No;

    /// <summary>
    /// How many events of keys may wait for a module that is slower than the clients that cause them; further ones are dropped and counted.
    /// </summary>
    public int ModuleMaxQueue { get; set; } = 1_000_000;

    /// <summary>How much memory such events may take, for each module.</summary>
    public long ModuleMaxQueueBytes { get; set; } = 256L << 20;

    /// <summary>What becomes of values whose type no module has added: in files, in payloads of RESTORE, and from a primary.</summary>
    public MissingTypes ModuleMissingTypes { get; set; }

    /// <summary>
    /// Modules that are loaded before the server starts, each as the path of an assembly and its arguments, separated by spaces and quoted
    /// where they contain some.
    /// </summary>
    public IReadOnlyList<string> Modules { get; set; } = [];

    /// <summary>Values of modules' options by name, as in <c>limits.burst</c>.</summary>
    public IReadOnlyDictionary<string, string> ModuleSettings { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>The folder that modules are loaded from, to which paths are relative; empty for any.</summary>
    public string ModulesDir { get; set; } = "";
}
