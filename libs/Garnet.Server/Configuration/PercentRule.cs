// What a percentage stands for where a size is expected. Immutable.
namespace Garnet.Server.Configuration;

/// <summary>How an option of a size takes a percentage.</summary>
public enum PercentRule
{
    /// <summary>Not at all.</summary>
    None,

    /// <summary>It is a share of the memory that the machine or the container has, and becomes bytes at once.</summary>
    OfMachine,

    /// <summary>It is kept, as a negative number: a share of something that may change.</summary>
    Kept,
}
