// A message for a client until its thread writes it. Immutable.
using Garnet.Store;

namespace Garnet.Engine.Clients;

/// <summary>Bytes that many clients may share, and a large payload that follows them with CR LF.</summary>
/// <param name="Bytes">The message, or its part before the payload.</param>
/// <param name="Payload">The payload, with a reference of the message's own; empty when there is none.</param>
internal readonly record struct QueuedMessage(byte[] Bytes, ValueBlock Payload)
{
    /// <summary>Bytes on the wire.</summary>
    public int Length => Bytes.Length + (Payload.Length > 0 ? Payload.Length + 2 : 0);
}
