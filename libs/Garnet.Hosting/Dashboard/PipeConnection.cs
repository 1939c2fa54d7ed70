// A client's connection whose other end is in this process. Any thread, as pipes allow.
using System.IO.Pipelines;
using System.Net;
using Garnet.Client;
using Garnet.Dashboard.Login;
using Garnet.Hosting.Http;
using Garnet.Network.Features;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;

namespace Garnet.Hosting.Dashboard;

/// <summary>
/// Two pipes. What the dashboard does not show anyhow, a value of hundreds of megabytes, does not go through them: the connection ends
/// instead.
/// </summary>
internal sealed class PipeConnection : ConnectionContext, IReferencedSend
{
    // What replies may be ahead of their reader.
    private const int PipeBytes = 256 * 1024;

    private static readonly PipeOptions Options = new(
        pauseWriterThreshold: PipeBytes,
        resumeWriterThreshold: PipeBytes / 2,
        useSynchronizationContext: false
    );

    private readonly Pipe _requests = new(Options);
    private readonly Pipe _replies = new(Options);
    private readonly CancellationTokenSource _closed = new();
    private readonly CopyingSend _copying;

    public PipeConnection(EndPoint remote, EndPoint local)
    {
        RemoteEndPoint = remote;
        LocalEndPoint = local;
        ConnectionClosed = _closed.Token;
        Transport = new PipePair(_requests.Reader, _replies.Writer);
        _copying = new CopyingSend(_replies.Writer);
        Features.Set<IReferencedSend>(this);
    }

    /// <inheritdoc/>
    public override string ConnectionId { get; set; } = Guid.NewGuid().ToString("N");

    /// <inheritdoc/>
    public override IFeatureCollection Features { get; } = new FeatureCollection();

    /// <inheritdoc/>
    public override IDictionary<object, object?> Items { get; set; } = new Dictionary<object, object?>();

    /// <inheritdoc/>
    public override IDuplexPipe Transport { get; set; }

    /// <summary>The other end: disposing it is the client's leaving.</summary>
    public Stream OpenClientEnd() => new PipeStream(new PipePair(_replies.Reader, _requests.Writer));

    /// <inheritdoc/>
    public void SendReferenced(nint block, long length, ISendOwner owner, nint token)
    {
        if (length <= UserConnection.MaxBulkBytes)
        {
            _copying.SendReferenced(block, length, owner, token);
            return;
        }

        owner.Release(token);
        Abort(new ConnectionAbortedException("The reply is too large.", new RespProtocolException("The reply is too large.")));
    }

    /// <inheritdoc/>
    public override void Abort(ConnectionAbortedException abortReason)
    {
        // Ends a read of requests, a write of replies, and whatever a command waits for.
        _requests.Writer.Complete(abortReason);
        _replies.Writer.CancelPendingFlush();
        ThreadPool.UnsafeQueueUserWorkItem(static closed => closed.Cancel(), _closed, preferLocal: false);
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await _requests.Reader.CompleteAsync().ConfigureAwait(false);
        await _replies.Writer.CompleteAsync().ConfigureAwait(false);
        await _closed.CancelAsync().ConfigureAwait(false);
    }
}
