// Which scripts wait while writes are paused. One thread.
using Garnet.Server.Tests.Modules;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class PausedScriptTests
{
    private const string Reading = "#!lua flags=no-writes\nreturn server.call('get',KEYS[1])";
    private const string Writing = "#!lua\nreturn server.call('get',KEYS[1])";
    private const string Undeclared = "return server.call('get',KEYS[1])";

    [Theory]
    [InlineData(Reading, false)]
    [InlineData(Writing, true)]
    [InlineData(Undeclared, true)]
    public void A_script_waits_unless_it_declares_that_it_only_reads(string script, bool waits)
    {
        using InProcessServer server = new();
        string sha = server.Call("SCRIPT", "LOAD", script).Split("\r\n")[1];
        string function = script.StartsWith("#!", StringComparison.Ordinal) && !waits ? "flags={'no-writes'}" : "flags={}";
        server.Call(
            "FUNCTION",
            "LOAD",
            $"#!lua name=l\nserver.register_function{{function_name='f',callback=function(k) return server.call('get',k[1]) end,{function}}}"
        );
        server.Call("SET", "k", "1");
        server.Call("CLIENT", "PAUSE", "100000", "WRITE");
        AssertWaits(
            server,
            waits,
            [
                ["EVAL", script, "1", "k"],
            ]
        );
        AssertWaits(
            server,
            waits,
            [
                ["EVALSHA", sha, "1", "k"],
            ]
        );
        AssertWaits(
            server,
            waits,
            [
                ["FCALL", "f", "1", "k"],
            ]
        );
        AssertWaits(
            server,
            waits: false,
            [
                ["EVAL_RO", Undeclared, "1", "k"],
            ]
        );
        AssertWaits(
            server,
            waits,
            [
                ["MULTI"],
                ["EVAL", script, "1", "k"],
                ["EXEC"],
            ]
        );
        AssertWaits(
            server,
            waits,
            [
                ["MULTI"],
                ["GET", "k"],
                ["FCALL", "f", "1", "k"],
                ["EXEC"],
            ]
        );
    }

    [Fact]
    public void EXEC_of_reads_and_a_reading_script_does_not_wait_for_a_pause_that_began_after_their_queueing()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        server.Call("EVAL", Reading, "1", "k");
        InProcessClient other = server.Connect();
        other.Call("CLIENT", "PAUSE", "100000", "WRITE");
        Assert.Equal("*1\r\n$-1\r\n", server.Call("EXEC"));
        InProcessClient writer = server.Connect();
        other.Call("CLIENT", "UNPAUSE");
        writer.Call("MULTI");
        writer.Call("EVAL", Undeclared, "1", "k");
        other.Call("CLIENT", "PAUSE", "100000", "WRITE");
        Assert.Equal("", writer.Call("EXEC"));
        other.Call("CLIENT", "UNPAUSE");
        string reply = "";
        Eventually.True(() => (reply += writer.Receive()).Length > 0);
        Assert.Equal("*1\r\n$-1\r\n", reply);
    }

    private static void AssertWaits(InProcessServer server, bool waits, string[][] calls)
    {
        using InProcessClient client = new(server.Server, 2);
        string last = "";
        foreach (string[] call in calls)
            last = client.Call(call);
        Assert.True((last.Length == 0) == waits, string.Join(' ', calls[^1]) + ": " + last);
        Assert.DoesNotContain("ERR", last, StringComparison.Ordinal);
    }
}
