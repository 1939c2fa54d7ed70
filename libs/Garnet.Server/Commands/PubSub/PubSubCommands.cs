// The table of commands for publishing and subscribing.
using Garnet.Engine.Execution;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Registers the commands for publishing and subscribing.</summary>
internal static class PubSubCommands
{
    public static CommandDescriptor[] All =>
        [
            PSubscribeCommand.Descriptor,
            PublishCommand.Descriptor,
            PubSubCommand.Descriptor,
            PUnsubscribeCommand.Descriptor,
            SPublishCommand.Descriptor,
            SSubscribeCommand.Descriptor,
            SubscribeCommand.Descriptor,
            SUnsubscribeCommand.Descriptor,
            UnsubscribeCommand.Descriptor,
        ];
}
