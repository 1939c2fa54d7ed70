// What a client has subscribed to.
using System.Runtime.CompilerServices;
using Garnet.Engine.Execution;

namespace Garnet.Server.Messaging;

/// <summary>Finds the subscriber that belongs to a client.</summary>
internal static class SubscriberOfClient
{
    extension(ClientSession client)
    {
        /// <summary>The subscriber; null before the first subscription, and again after RESET.</summary>
        public Subscriber? Subscriber
        {
            get => Unsafe.As<Subscriber?>(client.Subscriptions);
            set => client.Subscriptions = value;
        }
    }
}
