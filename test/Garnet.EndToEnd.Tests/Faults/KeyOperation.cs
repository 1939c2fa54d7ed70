// One operation of a recorded history. Immutable.
namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>
/// What was asked of a key, what was answered (null: nothing, as the server ended), and when it began and ended (ticks of one shared
/// counter).
/// </summary>
internal sealed record KeyOperation(string Name, string Argument, string? Reply, long Began, long Ended)
{
    /// <summary>Whether it may have been carried out or not.</summary>
    public bool IsUnanswered => Reply is null;
}
