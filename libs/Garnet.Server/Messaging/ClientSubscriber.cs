// A client that has subscribed. Messages are delivered by its own thread, or put into its queue by another.
using Garnet.Engine.Execution;

namespace Garnet.Server.Messaging;

/// <summary>
/// While the client's session waits for requests, its thread writes messages straight into the connection's output; otherwise they wait in
/// the client's queue and the session writes them between its replies.
/// </summary>
internal sealed class ClientSubscriber(ClientSession client, MessageHub messages) : Subscriber
{
    private static readonly Action<object?> MoveCallback = static subscriber => ((ClientSubscriber)subscriber!).Move();

    private int _isMoving;

    /// <summary>The client.</summary>
    public ClientSession Client => client;

    /// <inheritdoc/>
    public override int OwnerId => client.Connection.OwnerId;

    /// <inheritdoc/>
    public override void Post(Action<object?> action, object? state) => client.Connection.Post(action, state);

    /// <inheritdoc/>
    public override int Receive(ref Delivery delivery)
    {
        if (client.End.IsForced)
            return 0;
        if (client.Session is not { TakesMessages: true } session)
        {
            FollowConnection();
            client.Output.Deliver(delivery.Shared(client.ProtocolVersion), delivery.Payload);
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
        client.Output.CloseIfAtLimit();
    }

    /// <inheritdoc/>
    public override void FollowConnection()
    {
        if (FormerLane is not null || client.Connection.OwnerId == Lane!.OwnerId || Interlocked.Exchange(ref _isMoving, 1) == 1)
            return;
        client.Connection.Post(MoveCallback, this);
    }

    private void Move()
    {
        if (messages.BeginMove(this) is { } move)
            Continue(move);
        else
            Volatile.Write(ref _isMoving, 0);
    }

    // In slices, so that others on the thread get their turn.
    private void Continue(SubscriberMove move)
    {
        if (move.MoveSome())
        {
            Volatile.Write(ref _isMoving, 0);
            return;
        }

        client.Connection.Post(static move => ((ClientSubscriber)((SubscriberMove)move!).Subscriber).Continue((SubscriberMove)move), move);
    }
}
