// DEBUG: who may use it, and the subcommands there are.
using Garnet.Server.Configuration;
using Xunit;

namespace Garnet.Server.Tests.Commands.Server;

public sealed class DebugCommandTests
{
    private const string Refusal = "-ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you can run it from a local connection, "
        + "otherwise you need to set this option in the configuration file, and then restart the server.\r\n";

    [Fact]
    public void It_is_refused_unless_the_option_allows_it_also_at_queueing()
    {
        using InProcessServer server = new();
        Assert.Equal(Refusal, server.Call("DEBUG", "HELP"));
        server.Call("MULTI");
        Assert.Equal(Refusal, server.Call("DEBUG", "SLEEP", "0"));
        Assert.StartsWith("-EXECABORT", server.Call("EXEC"));
        Assert.Contains("cmdstat_debug:calls=0,usec=0,usec_per_call=0.00,rejected_calls=2,", server.Call("INFO", "commandstats"));
    }

    [Theory]
    [InlineData(CommandAccess.Yes)]
    [InlineData(CommandAccess.Local)]
    public void Local_clients_may_use_it_with_yes_and_local(CommandAccess access)
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = access);
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SLEEP", "0"));
        Assert.StartsWith("*", server.Call("DEBUG", "HELP"));
    }

    [Fact]
    public void Subcommands_answer()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal("-ERR no such key\r\n", server.Call("DEBUG", "OBJECT", "k"));
        server.Call("SET", "k", "12");
        Assert.Equal("+Value refcount:1 encoding:int length:2 lru_seconds_idle:0\r\n", server.Call("DEBUG", "OBJECT", "k"));
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-ACTIVE-EXPIRE", "0"));
        Assert.False(server.Store.ActiveExpiry);
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-ACTIVE-EXPIRE", "1"));
        Assert.True(server.Store.ActiveExpiry);
        Assert.Equal("-MYERR some text\r\n", server.Call("DEBUG", "ERROR", "MYERR some text"));
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "LOG", "hello"));
        Assert.Equal("-ERR unknown subcommand or wrong number of arguments for 'JMAP'. Try DEBUG HELP.\r\n", server.Call("DEBUG", "JMAP"));
    }

    [Fact]
    public void SLEEP_works_inside_EXEC_beside_other_commands()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        server.Call("MULTI");
        server.Call("SET", "k", "v");
        server.Call("DEBUG", "SLEEP", "0.001");
        server.Call("GET", "k");
        Assert.Equal("*3\r\n+OK\r\n+OK\r\n$1\r\nv\r\n", server.Call("EXEC"));
    }

    [Theory]
    [InlineData("map", "*6\r\n:0\r\n:0\r\n:1\r\n:1\r\n:2\r\n:0\r\n", "%3\r\n:0\r\n#f\r\n:1\r\n#t\r\n:2\r\n#f\r\n")]
    [InlineData("set", "*3\r\n:0\r\n:1\r\n:2\r\n", "~3\r\n:0\r\n:1\r\n:2\r\n")]
    [InlineData("double", "$5\r\n3.141\r\n", ",3.141\r\n")]
    [InlineData("null", "$-1\r\n", "_\r\n")]
    [InlineData("bignum", "$37\r\n1234567999999999999999999999999999999\r\n", "(1234567999999999999999999999999999999\r\n")]
    [InlineData("verbatim", "$25\r\nThis is a verbatim\nstring\r\n", "=29\r\ntxt:This is a verbatim\nstring\r\n")]
    [InlineData("push", "-ERR RESP2 is not supported by this command\r\n", ">2\r\n$16\r\nserver-cpu-usage\r\n:42\r\n$40\r\nSome real reply following the push reply\r\n")]
    public void PROTOCOL_shows_each_type(string type, string older, string newer)
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal(older, server.Call("DEBUG", "PROTOCOL", type));
        Assert.Equal(newer, server.Connect(3).Call("DEBUG", "PROTOCOL", type));
    }
}
