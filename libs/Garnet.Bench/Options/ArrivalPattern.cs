// How requests of an open loop are spread over time.
namespace Garnet.Bench.Options;

/// <summary>The distances between the moments at which requests are due.</summary>
internal enum ArrivalPattern
{
    /// <summary>All alike.</summary>
    Uniform,

    /// <summary>Exponentially distributed, as of many independent users.</summary>
    Poisson,
}
