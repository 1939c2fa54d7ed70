// A subscriber in the server's own process. Delivered to on a thread of the pool, under the lane's lock.
using System.Buffers.Text;

namespace Garnet.Server.Messaging;

/// <summary>Parses the frames again, which costs less than a second delivery path would.</summary>
internal sealed class LocalSubscriber(LocalReceiver receive) : Subscriber
{
    /// <inheritdoc/>
    public override int OwnerId => -1;

    /// <inheritdoc/>
    public override void Post(Action<object?> action, object? state) =>
        ThreadPool.UnsafeQueueUserWorkItem(action, state, preferLocal: false);

    /// <inheritdoc/>
    public override int Receive(ref Delivery delivery)
    {
        for (int i = 0; i < delivery.Count; i++)
        {
            ReadOnlySpan<byte> frame = delivery[i];
            bool hasPattern = frame[1] == (byte)'4';
            int next = "*3\r\n".Length;
            TakePart(frame, ref next);
            ReadOnlySpan<byte> pattern = hasPattern ? TakePart(frame, ref next) : default;
            ReadOnlySpan<byte> channel = TakePart(frame, ref next);
            receive(pattern, channel, delivery.Payload.Length > 0 ? delivery.Payload.Span : TakePart(frame, ref next));
        }

        return 0;
    }

    /// <inheritdoc/>
    public override void Flush()
    {
        // Everything has been received.
    }

    // "$", the length, CR LF, the bytes, CR LF.
    private static ReadOnlySpan<byte> TakePart(ReadOnlySpan<byte> frame, ref int next)
    {
        Utf8Parser.TryParse(frame[(next + 1)..], out int length, out int digits);
        int start = next + 1 + digits + 2;
        next = start + length + 2;
        return frame.Slice(start, length);
    }
}
