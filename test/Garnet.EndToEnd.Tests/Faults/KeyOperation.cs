// One operation of a recorded history. Immutable.
namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>
/// The arguments of an operation, its reply (null if the server ended before), and when it began and ended (in ticks of a shared counter).
/// </summary>
internal sealed record KeyOperation(string Name, string Argument, string? Reply, long Began, long Ended)
{
    /// <summary>Whether it is unknown if the operation was executed.</summary>
    public bool IsUnanswered => Reply is null;
}
