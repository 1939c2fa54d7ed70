// Writes the messages of one client between its replies. The connection's thread.
using System.Buffers;
using System.IO.Pipelines;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Server.Messaging;
using Garnet.Server.Tracking;
using Garnet.Store;

namespace Garnet.Server.Sessions;

/// <summary>Puts messages into a connection's output; flushing is the session's.</summary>
internal sealed class MessageWriter(ClientSession client, PipeWriter output)
{
    /// <summary>Writes a large payload and CR LF, without copying it if the connection can do that; returns the bytes written.</summary>
    public int WritePayload(ValueBlock payload)
    {
        payload.AddReference();
        if (!client.Connection.TrySendInPlace(payload))
        {
            output.Write(payload.Span);
            payload.Release();
        }

        output.Write("\r\n"u8);
        return payload.Length + 2;
    }

    /// <summary>Writes what other threads have queued.</summary>
    public void Write(MessageQueue messages)
    {
        messages.BeginTaking();
        while (messages.TryTake(out QueuedMessage message))
        {
            // Sent before HELLO 2: a client of that version could not read it.
            if (client.ProtocolVersion == 2 && message.Bytes.AsSpan().StartsWith(InvalidationMessage.Begin))
                continue;
            output.Write(message.Bytes);
            if (message.Payload.Length > 0)
            {
                WritePayload(message.Payload);
                message.Payload.Release();
            }

            client.Traffic.OutputBytes += message.Length;
            client.Executor.Threads.Current.Counters.OutputBytes += message.Length;
        }
    }

    /// <summary>Writes what was published to the client, and what was queued.</summary>
    public void WriteOwn()
    {
        if (client.Subscriber?.FormerLane is { IsEmpty: false } former)
            former.Drain();
        if (client.Subscriber?.Lane is { IsEmpty: false } lane)
            lane.Drain();
        if (client.Output.Messages is { Bytes: > 0 } messages)
            Write(messages);
    }
}
