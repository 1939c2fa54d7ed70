// When an option may change. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>When an option may change.</summary>
internal enum Mutability
{
    /// <summary>Read once at start.</summary>
    Immutable,

    /// <summary>Also by CONFIG SET.</summary>
    Runtime,

    /// <summary>Could change at run time, but clients that may run CONFIG SET must not be allowed to.</summary>
    Protected,
}
