// One entry of an owner loop's queue.
using Garnet.Network.Connections;

namespace Garnet.Network.Loops;

/// <param name="Connection">
/// The connection it belongs to, so that it follows when the connection moves; null for the loop's own work.
/// </param>
/// <param name="Callback">What to run.</param>
/// <param name="State">Its argument.</param>
internal readonly record struct WorkItem(StreamConnection? Connection, Action<object?> Callback, object? State);
