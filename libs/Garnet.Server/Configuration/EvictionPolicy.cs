// Names what a full server does. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>What happens to writes when the memory limit is reached.</summary>
public enum EvictionPolicy
{
    /// <summary>Writes that need memory are refused.</summary>
    NoEviction,
}
