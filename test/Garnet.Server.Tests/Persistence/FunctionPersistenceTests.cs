// Functions in snapshots and in the append-only log.
using Xunit;

namespace Garnet.Server.Tests.Persistence;

public sealed class FunctionPersistenceTests
{
    private const string Library = "#!lua name=lib\nlocal n = 0\nredis.register_function('f', function() n = n + 1 return n end)";
    private const string Other = "#!lua name=other\nredis.register_function('g', function() return 'g' end)";

    [Fact]
    public void The_log_brings_functions_back()
    {
        using LoggedServer logged = new();
        logged.Call("FUNCTION", "LOAD", Library);
        logged.Call("FUNCTION", "LOAD", Other);
        logged.Call("FCALL", "f", "0");
        logged.Restart();
        Assert.Equal(":1\r\n", logged.Call("FCALL", "f", "0"));
        logged.Call("FUNCTION", "DELETE", "lib");
        logged.Restart();
        Assert.Equal("-ERR Function not found\r\n", logged.Call("FCALL", "f", "0"));
        Assert.Equal("$1\r\ng\r\n", logged.Call("FCALL", "g", "0"));
    }

    [Fact]
    public void A_rewritten_log_brings_functions_back()
    {
        using LoggedServer logged = new();
        logged.Call("FUNCTION", "LOAD", Library);
        Assert.StartsWith("+Background", logged.Call("BGREWRITEAOF"), StringComparison.Ordinal);
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly.Rewrites.Count == 1);
        logged.Call("FUNCTION", "LOAD", Other);
        logged.Restart();
        Assert.Equal(":1\r\n", logged.Call("FCALL", "f", "0"));
        Assert.Equal("$1\r\ng\r\n", logged.Call("FCALL", "g", "0"));
    }

    [Fact]
    public void FLUSHALL_keeps_functions()
    {
        using LoggedServer logged = new();
        logged.Call("FUNCTION", "LOAD", Library);
        logged.Call("FLUSHALL");
        logged.Restart();
        Assert.Equal(":1\r\n", logged.Call("FCALL", "f", "0"));
    }
}
