// A user's connection and its end. With a server that takes nothing.
using System.Collections.Concurrent;
using System.Net;
using Garnet.Client;
using Garnet.Dashboard.Figures;
using Garnet.Dashboard.Login;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class UserConnectionTests
{
    // The buffer of a request comes from a pool: given back while it is sent, it would be sent with the bytes of others.
    [Fact]
    public async Task A_connection_whose_session_ends_is_closed_after_the_command_that_uses_it()
    {
        var server = new StuckServer();
        var connection = new UserConnection(server, new IPEndPoint(IPAddress.Loopback, 1), "ann");
        Task<RespValue> running = connection.RunAsync(0, Words.Of("PING"), TestRequest.NewMemory());
        await server.Stream.Begun.Task;
        await connection.DisposeAsync();
        await Assert.ThrowsAsync<IOException>(() => running);
        Assert.Equal(["writes", "has written", "closed"], server.Stream.Events);
        await Assert.ThrowsAsync<IOException>(() => connection.RunAsync(0, Words.Of("PING"), TestRequest.NewMemory()));
    }

    private sealed class StuckServer : IDashboardServer
    {
        public StuckStream Stream { get; } = new();

        public bool RequiresLogin => true;

        public string Version => "0";

        public IReadOnlyList<string> LogLines => [];

        public OwnCalls OwnCalls { get; } = new();

        public string? LoginState(string user) => "state";

        public ValueTask<RespValue> CallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public Stream Connect(EndPoint peer, string? user) => Stream;
    }

    private sealed class StuckStream : MemoryStream
    {
        private int _isClosed;

        public ConcurrentQueue<string> Events { get; } = [];

        public TaskCompletionSource Begun { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Events.Enqueue("writes");
            Begun.SetResult();
            try
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            }
            finally
            {
                Events.Enqueue("has written");
            }
        }

        protected override void Dispose(bool disposing)
        {
            if (Interlocked.Exchange(ref _isClosed, 1) == 0)
                Events.Enqueue("closed");
            base.Dispose(disposing);
        }
    }
}
