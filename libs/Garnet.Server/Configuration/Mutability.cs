// Names when an option may change. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>When an option may change.</summary>
public enum Mutability
{
    /// <summary>Read once at start.</summary>
    Immutable,

    /// <summary>By CONFIG SET too.</summary>
    Runtime,

    /// <summary>Could change at run time, but a client that may run CONFIG SET must not be able to.</summary>
    Protected,
}
