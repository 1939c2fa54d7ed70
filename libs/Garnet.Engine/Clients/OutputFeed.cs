// What a client is sent besides replies and messages.
using System.IO.Pipelines;

namespace Garnet.Engine.Clients;

/// <summary>A stream that is handed to the connection's output while that has room.</summary>
internal abstract class OutputFeed
{
    /// <summary>Bytes that wait to be sent.</summary>
    public abstract long Lag { get; }

    /// <summary>Writes what there is room for. The connection's thread.</summary>
    public abstract void Write(PipeWriter output);

    /// <summary>What was written has been flushed. The connection's thread.</summary>
    public abstract void AfterFlush();

    /// <summary>The connection has ended.</summary>
    public abstract void Close();
}
