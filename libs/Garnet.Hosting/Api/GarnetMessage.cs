// A message that an application receives. Immutable.
using System.Text;

namespace Garnet;

/// <summary>A published message; its bytes are the receiver's own copy.</summary>
/// <param name="Channel">The channel to which it was published.</param>
/// <param name="Payload">The payload.</param>
public readonly record struct GarnetMessage(ReadOnlyMemory<byte> Channel, ReadOnlyMemory<byte> Payload)
{
    /// <summary>The channel's name, read as UTF-8.</summary>
    public string ChannelName => Encoding.UTF8.GetString(Channel.Span);

    /// <summary>The payload, read as UTF-8.</summary>
    public string Text => Encoding.UTF8.GetString(Payload.Span);
}
