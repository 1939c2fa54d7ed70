// The meaning of a percentage in place of a size. Immutable.
namespace Garnet.Server.Configuration;

/// <summary>How an option for a size interprets a percentage.</summary>
internal enum PercentRule
{
    /// <summary>Percentages are not allowed.</summary>
    None,

    /// <summary>A share of the machine's or container's memory, converted to bytes at once.</summary>
    OfMachine,

    /// <summary>Stored as a negative number: a share of something that may change.</summary>
    Kept,
}
