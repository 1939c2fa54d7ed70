// The reply of PUBSUB CHANNELS and SHARDCHANNELS. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Names of channels that have subscribers, all or those that match a pattern.</summary>
internal static class ChannelNames
{
    /// <summary>Writes the names; the pattern is the third argument, if there is one.</summary>
    public static void Write(ref CommandContext context, MessageHub messages, TopicKind kind)
    {
        if (context.Count > 3)
        {
            ArgumentText.WriteError(
                ref context,
                $"ERR unknown subcommand or wrong number of arguments for '{ArgumentText.Printable(context[1])}'. Try PUBSUB HELP."
            );
            return;
        }

        List<byte[]> names = messages.NamesOf(kind);
        if (context.Count == 3)
        {
            byte[] pattern = context[2].ToArray();
            names.RemoveAll(name => !GlobPattern.IsMatch(pattern, name));
        }

        context.Reply.WriteArray(names.Count);
        foreach (byte[] name in names)
            context.Reply.WriteBulk(name);
    }
}
