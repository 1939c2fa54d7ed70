// COMMANDLOG: what enters which log, and how the logs are asked.
using Xunit;

namespace Garnet.Server.Tests.Commands.Server;

public sealed class CommandlogCommandTests
{
    [Fact]
    public void A_large_request_and_a_large_reply_enter_their_logs_with_their_bytes()
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "commandlog-request-larger-than", "500", "commandlog-reply-larger-than", "500", "commandlog-execution-slower-than", "1000000000");
        string value = new('x', 1000);
        server.Call("SET", "k", value);
        server.Call("GET", "k");
        int request = InProcessClient.Request("SET", "k", value).Length;
        string requests = server.Call("COMMANDLOG", "GET", "-1", "large-request");
        string replies = server.Call("COMMANDLOG", "GET", "-1", "large-reply");
        Assert.StartsWith($"*1\r\n*6\r\n:0\r\n:{server.NowMs / 1000}\r\n:{request}\r\n*3\r\n$3\r\nSET\r\n", requests);
        Assert.Contains("... (872 more bytes)", requests);
        Assert.Contains(":1009\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", replies);
        Assert.Equal(":0\r\n", server.Call("COMMANDLOG", "LEN", "slow"));
    }

    [Fact]
    public void Each_request_of_a_pipeline_counts_by_itself()
    {
        using InProcessServer server = new();
        int request = InProcessClient.Request("GET", "k").Length;
        server.Call("CONFIG", "SET", "commandlog-request-larger-than", $"{request + 1}");
        server.Call("COMMANDLOG", "RESET", "large-request");
        server.Client.Send([.. InProcessClient.Request("GET", "k"), .. InProcessClient.Request("GET", "k"), .. InProcessClient.Request("GET", "kk"), .. InProcessClient.Request("GET", "k")]);
        server.Client.Receive();
        string log = server.Call("COMMANDLOG", "GET", "-1", "large-request");
        Assert.Contains($":{request + 1}\r\n*2\r\n$3\r\nGET\r\n$2\r\nkk\r\n", log);
        Assert.DoesNotContain("$1\r\nk\r\n", log);
    }

    [Theory]
    [InlineData("commandlog-request-larger-than", "-1", "commandlog-large-request-max-len", "10")]
    [InlineData("commandlog-request-larger-than", "0", "commandlog-large-request-max-len", "0")]
    public void A_log_can_be_turned_off(string limit, string bytes, string length, string entries)
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", limit, bytes, length, entries));
        Assert.Equal("+OK\r\n", server.Call("COMMANDLOG", "RESET", "large-request"));
        server.Call("PING");
        Assert.Equal(":0\r\n", server.Call("COMMANDLOG", "LEN", "large-request"));
    }

    [Fact]
    public void The_log_of_slow_commands_is_that_of_SLOWLOG()
    {
        using InProcessServer server = new(options => options.SlowerThanMicroseconds = 0);
        server.Call("PING");
        Assert.Contains("$4\r\nPING\r\n", server.Call("COMMANDLOG", "GET", "1", "SLOW"));
        Assert.Equal("+OK\r\n", server.Call("COMMANDLOG", "RESET", "slow"));
        Assert.Equal(":1\r\n", server.Call("SLOWLOG", "LEN"));
    }
}
