// SSUBSCRIBE shardchannel [shardchannel ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Subscribes to shard channels.</summary>
internal sealed class SSubscribeCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SSUBSCRIBE",
        Arity = -2,
        Flags = CommandFlags.PubSub | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Traits = CommandTraits.OfConnection | CommandTraits.ForSubscribers,
        Since = "7.0.0",
        Keys = [KeySpec.Range(1, -1, 1, KeySpecFlags.NotKey)],
        Channels = new(),
        MakeHandler = static parts => new SSubscribeCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        // As in Valkey, where a transaction must not wait, although SUBSCRIBE and PSUBSCRIBE may be part of one.
        if (context.Client.Transactions.IsExecuting)
            context.Reply.WriteError("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client"u8);
        else
            SubscriptionChange.Subscribe(ref context, messages, TopicKind.ShardChannel, "ssubscribe"u8);
    }
}
