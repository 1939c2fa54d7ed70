// Which commands a module's command may call. Immutable.
namespace Garnet.Modules;

/// <summary>What a command may pass to <c>Call</c>, which decides how it is isolated from other clients.</summary>
public enum CommandCalls
{
    /// <summary>It calls none.</summary>
    None = 0,

    /// <summary>It calls commands on its own keys, which are latched together before it starts.</summary>
    OnItsKeys = 1,

    /// <summary>It calls commands on any key. It runs alone: all other clients wait for its end.</summary>
    OnAnyKey = 2,
}
