// What a subscriber in the process does with a message.
namespace Garnet.Server.Messaging;

/// <summary>Takes a message, whose bytes are valid during the call; must not wait.</summary>
/// <param name="pattern">The matching pattern; empty for a subscription to a channel.</param>
/// <param name="channel">The channel's name.</param>
/// <param name="payload">The payload.</param>
internal delegate void LocalReceiver(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> channel, ReadOnlySpan<byte> payload);
