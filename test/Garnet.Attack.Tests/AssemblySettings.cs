// The attacks measure processor time, memory and waiting time of whole processes, so they run one after the other.
using Xunit;

[assembly: CollectionBehavior(DisableTestParallelization = true)]
