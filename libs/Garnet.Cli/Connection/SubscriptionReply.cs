// Replies and messages of channels. Pure functions.
using Garnet.Client;

namespace Garnet.Cli.Connection;

/// <summary>Recognizes them by their form: three elements or more, the first of which ends in <c>message</c> or <c>subscribe</c>.</summary>
internal static class SubscriptionReply
{
    /// <summary>Whether the reply is one.</summary>
    public static bool Is(RespValue reply, bool isResp3)
    {
        if (reply.Kind != (isResp3 ? RespKind.Push : RespKind.Array) || reply.Children.Count < 3)
            return false;
        ReadOnlySpan<byte> kind = reply.Children[0].Bytes.Span;
        return kind.EndsWith("message"u8) || kind.EndsWith("subscribe"u8);
    }

    /// <summary>Whether it confirms this command, for one channel.</summary>
    public static bool Confirms(RespValue reply, ReadOnlySpan<byte> command) => CommandName.Is(command, reply.Children[0].Bytes.Span);

    /// <summary>Counts the subscriptions.</summary>
    public static void Apply(RespValue reply, SessionState state)
    {
        ReadOnlySpan<byte> kind = reply.Children[0].Bytes.Span;
        if (kind.EndsWith("subscribe"u8) && reply.Children[2].TryGetInt64(out long count))
            state.SetSubscriptions(kind.SequenceEqual("ssubscribe"u8) || kind.SequenceEqual("sunsubscribe"u8), count);
    }
}
