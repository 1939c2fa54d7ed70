// A store under comparison, and one thread's use of it.
namespace Garnet.Microbenchmarks;

/// <summary>A store that the store benchmarks compare.</summary>
internal interface IStoreContender : IDisposable
{
    /// <summary>A session for one thread.</summary>
    IContenderSession Open();
}
