// Commands that end in an exception: their connection ends, everybody else goes on.
using Garnet.Store;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Sessions;

public sealed class FailingCommandTests : IDisposable
{
    private readonly FailingSink sink = new();
    private readonly InProcessServer server = new();

    public FailingCommandTests() => server.Store.Sink = sink;

    public void Dispose() => server.Dispose();

    [Theory]
    [InlineData("FLUSHALL")]
    [InlineData("FLUSHDB")]
    [InlineData("SWAPDB", "0", "1")]
    [InlineData("SORT", "list", "BY", "weight_*", "STORE", "target")]
    [InlineData("SET", "key", "value")]
    [InlineData("MSET", "key", "value", "other", "value")]
    public void What_a_failed_command_held_is_let_go(params string[] command)
    {
        server.Call("RPUSH", "list", "1", "2", "3");
        sink.Fails = true;
        Assert.Equal("", server.Connect().Call(command));
        sink.Fails = false;
        InProcessClient other = server.Connect();
        Assert.Equal(Ok, other.Call("SET", "key", "again"));
        Assert.Equal(Ok, other.Call("FLUSHALL"));
        Assert.Equal(Integer(0), other.Call("DBSIZE"));
    }

    private sealed class FailingSink : IWriteSink
    {
        public bool Fails { get; set; }

        public void Append(int database, ReadOnlySpan<byte> effect)
        {
            if (Fails)
                throw new IOException("No effect can be taken.");
        }
    }
}
