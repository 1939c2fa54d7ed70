// Options of sockets, also such as the system does not know.
using System.Net.Sockets;
using Garnet.Network.Loops;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Garnet.Network.Tests;

public sealed class TcpOptionsTests
{
    private const SocketOptionName Nonsense = (SocketOptionName)9999;

    [Fact]
    public void An_option_that_the_system_does_not_know_is_left_out_and_logged_once()
    {
        CountingLogger log = new();
        TcpOptions options = new(new TransportOptions(), log);
        for (int i = 0; i < 3; i++)
        {
            using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            options.Set(socket, SocketOptionLevel.Tcp, Nonsense, 1);
            options.Apply(socket);
            Assert.True(socket.NoDelay);
        }

        Assert.Equal(1, log.Messages);
    }

    [Fact]
    public void The_log_names_the_option_as_the_code_does()
    {
        // The value is one of another level's options, too, and so is its text.
        CountingLogger log = new();
        TcpOptions options = new(new TransportOptions(), log);
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        options.Set(socket, (SocketOptionLevel)9999, SocketOptionName.TcpKeepAliveRetryCount, 1);
        Assert.Contains("TcpKeepAliveRetryCount", log.Last, StringComparison.Ordinal);
    }

    [Fact]
    public void A_socket_that_is_gone_is_an_error()
    {
        TcpOptions options = new(new TransportOptions(), new CountingLogger());
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Dispose();
        Assert.Throws<ObjectDisposedException>(() => options.Apply(socket));
    }

    private sealed class CountingLogger : ILogger
    {
        public int Messages { get; private set; }

        public string Last { get; private set; } = "";

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter
        )
        {
            Messages++;
            Last = formatter(state, exception);
        }
    }
}
