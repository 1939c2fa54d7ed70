// The way of an invalidation to a client. Any thread, also under latches.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;

namespace Garnet.Server.Tracking;

/// <summary>
/// A message goes into the client's queue, from which the client's thread writes it between two replies, and counts there towards the
/// client's output limit. In RESP2 only a subscriber can receive it, to which another client's tracking is redirected.
/// </summary>
internal static class InvalidationSender
{
    /// <summary>Notifies a tracking client; nothing is sent to one that has turned it off meanwhile.</summary>
    public static void Send(ClientSession client, byte[] message)
    {
        if (client.Tracking is not { IsOn: true } tracking || IsLeaving(client))
            return;
        if (tracking.Redirect <= 0)
        {
            if (client.ProtocolVersion > 2)
                client.Output.Deliver(message);
        }
        else if (tracking.RedirectTarget is { } target && !IsLeaving(target))
        {
            SendRedirected(target, message);
        }
        else
        {
            tracking.IsRedirectBroken = true;
            if (client.ProtocolVersion > 2)
                client.Output.Deliver(InvalidationMessage.BrokenRedirect(tracking.Redirect));
        }
    }

    private static void SendRedirected(ClientSession target, byte[] message)
    {
        if (target.ProtocolVersion > 2)
            target.Output.Deliver(message);
        else if (target.Output.Class == OutputClass.PubSub)
            target.Output.Deliver(InvalidationMessage.InResp2(message));
    }

    private static bool IsLeaving(ClientSession client) => client.End.IsForced || client.End.AfterReply;
}
