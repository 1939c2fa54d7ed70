// Names how payloads of unusual versions are met. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>Which versions of payloads RESTORE takes.</summary>
public enum RdbVersionCheck
{
    /// <summary>Those up to Valkey's own, without those of Redis from 7.4 on (12 to 79).</summary>
    Strict,

    /// <summary>All; a type that is not known is refused.</summary>
    Relaxed,
}
