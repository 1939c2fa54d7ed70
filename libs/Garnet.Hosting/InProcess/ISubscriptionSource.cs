// Where subscriptions of the application come from. Thread-safe.
using Garnet.Server.Messaging;

namespace Garnet.Hosting.InProcess;

/// <summary>Implemented by the commands of a server in this process.</summary>
internal interface ISubscriptionSource
{
    /// <summary>Begins a subscription.</summary>
    GarnetSubscription Subscribe(TopicKind kind, ReadOnlySpan<byte> name, SubscriptionOptions options);
}
