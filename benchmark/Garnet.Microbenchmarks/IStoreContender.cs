// A store in the comparison.
namespace Garnet.Microbenchmarks;

/// <summary>A store that the store benchmarks compare.</summary>
internal interface IStoreContender : IDisposable
{
    /// <summary>Opens a session for one thread.</summary>
    IContenderSession Open();
}
