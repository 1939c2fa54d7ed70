// The session of a connection, as those see it who send the client something. Any thread, unless a member says otherwise.
using System.IO.Pipelines;
using Garnet.Store;

namespace Garnet.Engine.Execution;

/// <summary>Reads the requests of one connection, and writes its replies.</summary>
internal abstract class ConnectionSession
{
    /// <summary>Cancelled when the peer has closed the connection.</summary>
    public abstract CancellationToken Disconnected { get; }

    /// <summary>Whether messages may be written into <see cref="Output"/> now. The session's thread.</summary>
    public abstract bool TakesMessages { get; }

    /// <summary>Receives messages. The session's thread.</summary>
    public abstract PipeWriter Output { get; }

    /// <summary>Lets the session look for what has changed.</summary>
    public abstract void Wake();

    /// <summary>Writes the payload of a message; returns how many bytes were written. The session's thread.</summary>
    public abstract int WritePayload(ValueBlock payload);

    /// <summary>Sends the messages that were written. The session's thread.</summary>
    public abstract void FlushMessages();

    /// <summary>Writes and sends the messages that have reached the client. The session's thread.</summary>
    public abstract ValueTask WriteMessagesAsync();

    /// <summary>Writes the messages that have reached the client, between two replies. The session's thread.</summary>
    internal abstract void WriteOwnMessages(ref CommandContext context);
}
