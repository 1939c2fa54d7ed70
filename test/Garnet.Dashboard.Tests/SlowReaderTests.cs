// Answers and events that nobody reads, by a clock that the test drives.
using System.Net;
using Garnet.Client;
using Garnet.Dashboard.Events;
using Garnet.Dashboard.Figures;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Login;
using Garnet.Testing;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class SlowReaderTests
{
    private static readonly TimeSpan Moment = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task An_answer_is_written_in_pieces()
    {
        using var body = new PiecewiseBody();
        HttpContext context = NewContext(body);
        byte[] answer = [.. Enumerable.Range(0, (5 * Answer.PieceBytes) + 7).Select(static i => (byte)(i * 31))];
        Task writing = Answer.BytesAsync(context, answer, "application/octet-stream");
        for (int piece = 0; piece < 6; piece++)
        {
            await body.Asked.WaitAsync();
            // Nothing is written ahead of the reader.
            Assert.Equal(0, body.Asked.CurrentCount);
            Assert.InRange(body.Latest.Length, 1, Answer.PieceBytes);
            body.Taken.Release();
        }

        await writing;
        Assert.Equal(answer, body.All);
        Assert.False(context.RequestAborted.IsCancellationRequested);
    }

    [Fact]
    public async Task An_answer_that_is_not_read_in_time_is_given_up()
    {
        using var body = new PiecewiseBody();
        HttpContext context = NewContext(body);
        Task writing = Answer.BytesAsync(context, new byte[10 * Answer.PieceBytes], "application/octet-stream");
        // A reader that reads a little gets no more time for it.
        for (int piece = 0; piece < 5; piece++)
        {
            await body.Asked.WaitAsync();
            _time.Advance(Answer.Patience / 6);
            body.Taken.Release();
        }

        await body.Asked.WaitAsync();
        _time.Advance((Answer.Patience / 6) - Moment);
        Assert.False(context.RequestAborted.IsCancellationRequested);
        _time.Advance(Moment * 2);
        await writing;
        Assert.True(context.RequestAborted.IsCancellationRequested);
    }

    [Fact]
    public async Task A_page_that_reads_no_event_for_long_loses_its_place_and_its_connection()
    {
        var server = new OneEventServer();
        await using var feed = new EventFeed(server, _time, NullLogger.Instance);
        using var body = new PiecewiseBody();
        HttpContext context = NewContext(body);
        var session = new DashboardSession(server, new IPEndPoint(IPAddress.Loopback, 1), "ann", "state", "token", _time.GetUtcNow());
        Task following = feed.AnswerAsync(context, session);
        feed.Start();
        await body.Asked.WaitAsync();
        _time.Advance(EventStream.Patience - Moment);
        Assert.False(following.IsCompleted);
        Assert.Equal(1, feed.Count);
        _time.Advance(Moment * 2);
        await following;
        Assert.True(context.RequestAborted.IsCancellationRequested);
        Assert.Equal(0, feed.Count);
        Assert.False(session.IsWatched);
    }

    private HttpContext NewContext(Stream body)
    {
        HttpContext context = TestRequest.NewContext(_time);
        context.Response.Body = body;
        return context;
    }

    // Answers as a server without figures, so that a look ends and there is an event.
    private sealed class OneEventServer : IDashboardServer
    {
        public bool RequiresLogin => true;

        public string Version => "0";

        public IReadOnlyList<string> LogLines => [];

        public OwnCalls OwnCalls { get; } = new();

        public string? LoginState(string user) => "state";

        public ValueTask<RespValue> CallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken) =>
            ValueTask.FromResult(new RespValue { Kind = RespKind.BulkString, Bytes = Array.Empty<byte>() });

        public Stream Connect(EndPoint peer, string? user) => throw new NotSupportedException();
    }

    // Takes a write when the test says so.
    private sealed class PiecewiseBody : MemoryStream
    {
        private readonly List<byte> _all = [];

        public SemaphoreSlim Asked { get; } = new(0);

        public SemaphoreSlim Taken { get; } = new(0);

        public byte[] Latest { get; private set; } = [];

        public byte[] All => [.. _all];

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Latest = buffer.ToArray();
            Asked.Release();
            await Taken.WaitAsync(cancellationToken);
            _all.AddRange(Latest);
        }

        protected override void Dispose(bool disposing)
        {
            Asked.Dispose();
            Taken.Dispose();
            base.Dispose(disposing);
        }
    }
}
