// One message that waits in a lane. Guarded by the lane.
using Garnet.Store;

namespace Garnet.Server.Messaging;

/// <summary>The position of a message's frame, and the topic whose subscribers receive it.</summary>
/// <param name="Topic">Its subscribers on the lane receive it.</param>
/// <param name="Start">First byte of the frame in the lane's buffer.</param>
/// <param name="End">The byte after the frame.</param>
/// <param name="Payload">A large payload, which follows the frame with CR LF; its reference belongs to the entry.</param>
/// <param name="Stamp">Orders the messages of two lanes while a subscriber moves between them; 0 while none does.</param>
internal readonly record struct QueuedFrame(Topic Topic, int Start, int End, ValueBlock Payload, long Stamp);
