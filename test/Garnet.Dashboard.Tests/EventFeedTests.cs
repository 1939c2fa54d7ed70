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
            answered.Add(feed.AnswerAsync(TestRequest.NewContext(), sessions[^1]));
        }

        HttpContext refused = TestRequest.NewContext();
        await feed.AnswerAsync(refused, NewSession(server, "bob"));
        Assert.Equal(StatusCodes.Status503ServiceUnavailable, refused.Response.StatusCode);
        Assert.DoesNotContain(answered, static page => page.IsCompleted);
        Task another = feed.AnswerAsync(TestRequest.NewContext(), NewSession(server, "ann"));
        // The oldest page ends, and no other.
        await answered[0];
        Assert.Equal(EventFeed.MaxStreams - 1, answered.Count(static page => !page.IsCompleted));
        Assert.False(another.IsCompleted);
        Assert.Equal(EventFeed.MaxStreams, feed.Count);
        await feed.DisposeAsync();
        await Task.WhenAll([.. answered, another]);
        Assert.Equal(0, feed.Count);
    }

    [Fact]
    public async Task Of_a_thousand_pages_as_many_are_served_as_there_is_place_for_and_the_others_are_told()
    {
        var server = new SilentServer();
        await using var feed = new EventFeed(server, new ManualTimeProvider(), NullLogger.Instance);
        List<(HttpContext Context, Task Answered)> pages = [];
        DashboardSession? session = null;
        for (int i = 0; i < 1000; i++)
        {
            if (i % 8 == 0)
                session = NewSession(server, "ann");
            HttpContext context = TestRequest.NewContext();
            pages.Add((context, feed.AnswerAsync(context, session!)));
        }

        Assert.Equal(EventFeed.MaxStreams, pages.Count(static page => !page.Answered.IsCompleted));
        Assert.Equal(EventFeed.MaxStreams, feed.Count);
        Assert.All(
            pages.Where(static page => page.Answered.IsCompleted),
            static page => Assert.Equal(StatusCodes.Status503ServiceUnavailable, page.Context.Response.StatusCode)
        );
    }

    // A browser that takes nothing: what it has missed is not kept for it, and it holds nobody up.
    [Fact]
    public async Task A_page_that_reads_slowly_gets_the_latest_event_and_may_be_ended_meanwhile()
    {
        var server = new SilentServer();
        var stream = new EventStream(NewSession(server, "ann"), new ManualTimeProvider());
        using var body = new SlowBody();
        using var end = new CancellationTokenSource();
        stream.Offer(new byte[] { 0 });
        Task writing = stream.WriteToAsync(body, end.Token);
        await body.Asked.WaitAsync();
        for (int i = 1; i <= 1000; i++)
            stream.Offer(BitConverter.GetBytes(i));
        body.Taken.Release();
        await body.Asked.WaitAsync();
        Assert.Equal(BitConverter.GetBytes(1000), body.Latest);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);
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

    // Takes what is written when it is told to.
    private sealed class SlowBody : MemoryStream
    {
        public SemaphoreSlim Asked { get; } = new(0);

        public SemaphoreSlim Taken { get; } = new(0);

        public byte[] Latest { get; private set; } = [];

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Latest = buffer.ToArray();
            Asked.Release();
            await Taken.WaitAsync(cancellationToken);
        }

        protected override void Dispose(bool disposing)
        {
            Asked.Dispose();
            Taken.Dispose();
            base.Dispose(disposing);
        }
    }
}
