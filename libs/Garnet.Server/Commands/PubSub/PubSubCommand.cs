// PUBSUB <subcommand> ...
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.PubSub;

/// <summary>The container of the PUBSUB subcommands.</summary>
internal static class PubSubCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PUBSUB",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.PubSub,
        Since = "2.8.0",
        Help = new(
            "6.2.0",
            [
                "CHANNELS [<pattern>]",
                "    Return the currently active channels matching a <pattern> (default: '*').",
                "NUMPAT",
                "    Return number of subscriptions to patterns.",
                "NUMSUB [<channel> ...]",
                "    Return the number of subscribers for the specified channels, excluding",
                "    pattern subscriptions(default: no channels).",
                "SHARDCHANNELS [<pattern>]",
                "    Return the currently active shard level channels matching a <pattern> (default: '*').",
                "SHARDNUMSUB [<shardchannel> ...]",
                "    Return the number of subscribers for the specified shard level channel(s)",
            ]
        ),
        Subcommands =
        [
            PubSubChannelsCommand.Descriptor,
            PubSubNumPatCommand.Descriptor,
            PubSubNumSubCommand.Descriptor,
            PubSubShardChannelsCommand.Descriptor,
            PubSubShardNumSubCommand.Descriptor,
        ],
    };
}
