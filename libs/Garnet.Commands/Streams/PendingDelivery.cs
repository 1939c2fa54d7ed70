// One entry that a command is about to make pending. Immutable.
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>An ID and its new delivery count.</summary>
/// <param name="Id">The entry's ID.</param>
/// <param name="Deliveries">The new delivery count.</param>
internal readonly record struct PendingDelivery(StreamId Id, long Deliveries);
