// The timer of the figures and the pages that follow it, with virtual time and servers that fail.
using System.Collections.Concurrent;
using System.Net;
using Garnet.Client;
using Garnet.Dashboard.Events;
using Garnet.Dashboard.Figures;
using Garnet.Dashboard.Login;
using Garnet.Testing;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class EventFeedTests
{
    private static readonly IPEndPoint Peer = new(IPAddress.Loopback, 1);

    [Fact]
    public async Task A_look_that_fails_is_told_once_and_the_next_one_is_tried()
    {
        var time = new ManualTimeProvider();
        // Also of this kind, which .NET has for much.
        var server = new FailingServer(static () => new InvalidOperationException("no number"));
        var log = new ListLogger();
        await using var feed = new EventFeed(server, time, log);
        feed.Start();
        for (int look = 0; look < 5; look++)
        {
            await server.Asked.WaitAsync();
            time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal("The dashboard cannot read the server's figures", Assert.Single(log.Messages));
    }

    [Fact]
    public async Task Before_it_is_started_it_asks_nothing()
    {
        var time = new ManualTimeProvider();
        var server = new FailingServer(static () => new IOException());
        await using (var feed = new EventFeed(server, time, NullLogger.Instance))
            time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(0, server.Asked.CurrentCount);
    }

    [Fact]
    public async Task A_server_that_answers_no_look_keeps_no_session_alive()
    {
        var time = new ManualTimeProvider();
        var server = new SilentServer();
        await using var sessions = new DashboardSessions(server, time);
        await using var feed = new EventFeed(server, time, NullLogger.Instance);
        feed.Watch(sessions);
        DashboardSession session = sessions.Begin("ann", "state", Peer)!.Value.Session;
        feed.Start();
        await server.Asked.WaitAsync();
        server.State = "another";
        // The look that waits is given up; what is then due comes before the next one.
        while (!session.Ended.IsCancellationRequested)
        {
            time.Advance(TimeSpan.FromSeconds(1));
            await Task.Yield();
        }
    }

    [Fact]
    public async Task A_user_with_all_the_pages_keeps_no_other_out()
    {
        var server = new SilentServer();
        await using var feed = new EventFeed(server, new ManualTimeProvider(), NullLogger.Instance);
        List<Task> answered = [];
        List<DashboardSession> sessions = [];
        for (int i = 0; i < EventFeed.MaxStreams; i++)
        {
            if (i % 8 == 0)
                sessions.Add(NewSession(server, "bob"));
            answered.Add(feed.AnswerAsync(new DefaultHttpContext(), sessions[^1]));
        }

        var refused = new DefaultHttpContext();
        await feed.AnswerAsync(refused, NewSession(server, "bob"));
        Assert.Equal(StatusCodes.Status503ServiceUnavailable, refused.Response.StatusCode);
        Assert.DoesNotContain(answered, static page => page.IsCompleted);
        Task another = feed.AnswerAsync(new DefaultHttpContext(), NewSession(server, "ann"));
        // The oldest page ends, and no other.
        await answered[0];
        Assert.Equal(EventFeed.MaxStreams - 1, answered.Count(static page => !page.IsCompleted));
        Assert.False(another.IsCompleted);
        Assert.Equal(EventFeed.MaxStreams, feed.Count);
        await feed.DisposeAsync();
        await Task.WhenAll([.. answered, another]);
        Assert.Equal(0, feed.Count);
    }

    private static DashboardSession NewSession(IDashboardServer server, string user) =>
        new(server, Peer, user, "state", "token", DateTimeOffset.UnixEpoch);

    private sealed class FailingServer(Func<Exception> failure) : IDashboardServer
    {
        public SemaphoreSlim Asked { get; } = new(0);

        public bool RequiresLogin => true;

        public string Version => "0";

        public IReadOnlyList<string> LogLines => [];

        public OwnCalls OwnCalls { get; } = new();

        public string? LoginState(string user) => "state";

        public ValueTask<RespValue> CallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken)
        {
            Asked.Release();
            throw failure();
        }

        public Stream Connect(EndPoint peer, string? user) => throw new NotSupportedException();
    }

    // Answers nothing, as while all clients are paused.
    private sealed class SilentServer : IDashboardServer
    {
        public SemaphoreSlim Asked { get; } = new(0);

        public string State { get; set; } = "state";

        public bool RequiresLogin => true;

        public string Version => "0";

        public IReadOnlyList<string> LogLines => [];

        public OwnCalls OwnCalls { get; } = new();

        public string? LoginState(string user) => State;

        public async ValueTask<RespValue> CallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken)
        {
            Asked.Release();
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            throw new InvalidOperationException("It does not end.");
        }

        public Stream Connect(EndPoint peer, string? user) => throw new NotSupportedException();
    }

    private sealed class ListLogger : ILogger
    {
        public ConcurrentQueue<string> Messages { get; } = [];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter
        ) => Messages.Enqueue(formatter(state, exception));
    }
}
