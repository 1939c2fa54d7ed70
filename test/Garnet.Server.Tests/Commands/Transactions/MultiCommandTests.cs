// MULTI: what is queued, what is rejected. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Transactions;

public sealed class MultiCommandTests
{
    [Fact]
    public void Queues_commands_instead_of_running_them()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("MULTI"));
        Assert.Equal("+QUEUED\r\n", server.Call("SET", "a", "1"));
        Assert.Equal("+QUEUED\r\n", server.Call("SELECT", "99"));
        Assert.Equal("$-1\r\n", server.Connect().Call("GET", "a"));
    }

    [Theory]
    [InlineData("MULTI", "multi")]
    [InlineData("WATCH a", "watch")]
    public void Some_commands_are_refused_inside_it_and_break_it(string command, string name)
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        Assert.Equal($"-ERR Command '{name}' not allowed inside a transaction\r\n", server.Call(command.Split(' ')));
        Assert.Equal("-EXECABORT Transaction discarded because of previous errors.\r\n", server.Call("EXEC"));
    }

    [Fact]
    public void Commands_after_a_refused_one_are_still_answered_as_queued()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        server.Call("SET", "b", "1");
        server.Call("SET", "a");
        Assert.Equal("+QUEUED\r\n", server.Call("SET", "a", "1"));
        Assert.Equal("-EXECABORT Transaction discarded because of previous errors.\r\n", server.Call("EXEC"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "a", "b"));
    }

    [Fact]
    public void Arguments_survive_the_request_that_brought_them()
    {
        using InProcessServer server = new();
        string large = new('x', 100_000);
        server.Call("MULTI");
        for (int i = 0; i < 50; i++)
            server.Call("SET", $"key{i}", large + i);
        server.Call("EXEC");
        Assert.Equal($"$100002\r\n{large}49\r\n", server.Call("GET", "key49"));
    }

    [Fact]
    public void A_queue_that_passes_the_query_buffer_limit_ends_the_connection()
    {
        using InProcessServer server = new(options => options.ClientQueryBufferLimitBytes = 1 << 20);
        InProcessClient client = server.Connect();
        client.Call("MULTI");
        byte[] request = InProcessClient.Request("SET", "a", new string('x', 100_000));
        for (int i = 0; i < 40 && !client.IsClosed; i++)
            client.Send(request);
        Assert.True(client.IsClosed);
    }
}
