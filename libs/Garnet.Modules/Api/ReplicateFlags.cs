// How an effect by name is checked. Immutable.
namespace Garnet.Modules;

/// <summary>Flags of <see cref="ModuleContext.ReplicateWithFlags(ReplicateFlags, ReadOnlySpan{byte})"/>.</summary>
[Flags]
public enum ReplicateFlags
{
    /// <summary>The command must exist and accept the number of arguments.</summary>
    None = 0,

    /// <summary>
    /// Nothing is checked. An effect that is no command makes replicas stop and the append-only log unreadable, so the name must be right.
    /// </summary>
    SkipValidation = 1 << 0,
}
