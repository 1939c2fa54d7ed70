// Where a value's bytes are. A plain value.
namespace Garnet.Bench.Workloads;

/// <summary>A part of the pool of values.</summary>
internal readonly record struct ValueSlice(int Offset, int Length);
