// What a command filter leaves out. Immutable.
namespace Garnet.Modules;

/// <summary>Flags of <see cref="IModuleHost.AddCommandFilter"/>.</summary>
[Flags]
public enum CommandFilterFlags
{
    /// <summary>The filter sees the requests of clients, and what scripts and modules call.</summary>
    None = 0,

    /// <summary>The filter does not see what this module calls, nor what follows from its calls.</summary>
    SkipOwnCalls = 1 << 0,

    /// <summary>The filter does not see what scripts and functions call.</summary>
    SkipScripts = 1 << 1,
}
