// The timer of the figures, with virtual time and a server that fails.
using System.Collections.Concurrent;
using System.Net;
using Garnet.Client;
using Garnet.Dashboard.Events;
using Garnet.Testing;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class EventFeedTests
{
    [Fact]
    public async Task A_look_that_fails_is_told_once_and_the_next_one_is_tried()
    {
        var time = new ManualTimeProvider();
        var server = new FailingServer();
        var log = new ListLogger();
        await using var feed = new EventFeed(server, time, log);
        for (int look = 0; look < 5; look++)
        {
            await server.Asked.WaitAsync();
            time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal("The dashboard cannot read the server's figures", Assert.Single(log.Messages));
    }

    // Fails in a way that nobody has foreseen.
    private sealed class FailingServer : IDashboardServer
    {
        public SemaphoreSlim Asked { get; } = new(0);

        public bool RequiresLogin => true;

        public string Version => "0";

        public IReadOnlyList<string> LogLines => [];

        public string? LoginState(string user) => "state";

        public ValueTask<RespValue> CallAsync(string[] arguments, CancellationToken cancellationToken)
        {
            Asked.Release();
            throw new FormatException("no number");
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
