// One entry of an owner loop's list of work that waits until it is due.
using Garnet.Network.Connections;

namespace Garnet.Network.Loops;

/// <param name="Connection">The connection it belongs to: if that has moved, the new owner runs the callback.</param>
/// <param name="DueTimestamp">When it runs at the latest: a timestamp of <see cref="System.Diagnostics.Stopwatch"/>.</param>
/// <param name="IsUrgent">Whether it is to run earlier.</param>
/// <param name="Callback">What to run.</param>
/// <param name="State">The argument of both.</param>
internal readonly record struct PacedItem(
    StreamConnection Connection,
    long DueTimestamp,
    Func<object?, bool> IsUrgent,
    Action<object?> Callback,
    object? State
);
