// The answer to a request for a loader's lease. A plain value.
namespace Garnet.Caching.Hybrid;

/// <summary>The lease; or null, and whether another one has it. Then the entry may have changed.</summary>
internal readonly record struct LoadTurn(LoadLease? Lease, bool IsBusy);
