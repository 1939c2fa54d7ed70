// Closes subscribers when their user loses the right to a channel. Stateless; on the thread of the client that changed the rules.
using Garnet.Engine.Execution;
using Garnet.Server.Acl;

namespace Garnet.Server.Messaging;

/// <summary>
/// As in Valkey a subscription is not ended alone: the client is closed, so that it notices. Rules are published before subscriptions are
/// searched, and a client that subscribes checks the rules again after it is in the table, so none is missed.
/// </summary>
internal static class DeniedSubscribers
{
    /// <summary>Closes the clients of users that may have lost channels; the caller only after its reply.</summary>
    public static void Close(ICollection<User> changed, ClientSession caller, ClientRegistry clients, MessageHub messages)
    {
        if (changed.Count == 0)
            return;
        if (!clients.Connected.Any(client => client.Subscriber is { Total: > 0 } && IsLimited(client.Login.User, changed)))
            return;
        HashSet<ClientSession> denied = [];
        messages.Find(
            (subscriber, kind, topic) => IsDenied(subscriber, kind, topic, changed),
            subscriber => denied.Add(((ClientSubscriber)subscriber).Client)
        );
        foreach (ClientSession client in denied)
        {
            if (client == caller)
                client.End.AfterReply = true;
            else
                client.End.Force();
        }
    }

    /// <summary>Closes a client that has just subscribed, if its user has lost the right to that since the command was admitted.</summary>
    public static void Recheck(ClientSession client, TopicKind kind, ReadOnlySpan<byte> name)
    {
        if (client.Login.User is { Rules: { AllowEverything: false } rules } && !Allows(rules, kind, name.ToArray()))
            client.End.Force();
    }

    private static bool IsLimited(User? user, ICollection<User> changed) =>
        user is { Rules.AllowEverything: false } && changed.Contains(user);

    private static bool IsDenied(Subscriber subscriber, TopicKind kind, Topic topic, ICollection<User> changed) =>
        subscriber is ClientSubscriber { Client.Login.User: { } user } && IsLimited(user, changed) && !Allows(user.Rules, kind, topic.Name);

    private static bool Allows(UserRules rules, TopicKind kind, byte[] name) => rules.AllowsChannel(name, kind == TopicKind.Pattern);
}
