// What is known about values before a command uses them. Immutable.
namespace Garnet.Store.Tiering;

/// <summary>What is known about the values of some keys.</summary>
internal enum ColdOutcome
{
    /// <summary>They are in memory, and stay there until the session's command ends.</summary>
    Warm,

    /// <summary>Some are being read.</summary>
    Wait,

    /// <summary>Some cannot be read.</summary>
    Failed,

    /// <summary>There is not enough memory for them.</summary>
    TooLarge,
}
