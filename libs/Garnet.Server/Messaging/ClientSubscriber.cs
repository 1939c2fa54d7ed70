// A client that has subscribed. Messages are delivered by its own thread, or put into its queue by another.
using Garnet.Server.Sessions;

namespace Garnet.Server.Messaging;

/// <summary>
/// While the client's session waits for requests, its thread writes messages straight into the connection's output; otherwise they wait in
/// the client's queue and the session writes them between its replies.
/// </summary>
internal sealed class ClientSubscriber(ClientSession client) : Subscriber
{
    /// <inheritdoc/>
    public override int OwnerId => client.Connection.OwnerId;

    /// <inheritdoc/>
    public override void Post(Action<object?> action, object? state) => client.Connection.Post(action, state);

    /// <inheritdoc/>
    public override int Receive(ref Delivery delivery)
    {
        if (client.IsClosing)
            return 0;
        if (client.Session is not { TakesMessages: true } session)
        {
            client.Deliver(delivery.Shared(client.ProtocolVersion), delivery.Payload);
            return 0;
        }

        int length = delivery.Bytes.Length;
        delivery.CopyTo(session.Output.GetSpan(length), client.ProtocolVersion);
        session.Output.Advance(length);
        if (delivery.Payload.Length > 0)
            length += session.WritePayload(delivery.Payload);
        client.Traffic.OutputBytes += length;
        return length;
    }

    /// <inheritdoc/>
    public override void Flush()
    {
        client.Session!.FlushMessages();
        client.CloseIfAtOutputLimit();
    }
}
