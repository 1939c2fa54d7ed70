// How payloads of other versions are treated. Immutable, any thread.
namespace Garnet;

/// <summary>Which versions of payloads RESTORE accepts.</summary>
public enum RdbVersionCheck
{
    /// <summary>Those up to Valkey's own, without those of Redis from 7.4 on (12 to 79).</summary>
    Strict,

    /// <summary>All; an unknown type is rejected.</summary>
    Relaxed,
}
