// How many uses of its keys a command counts as, with the counts that Valkey 9.1 has. One thread.
using Garnet.Store;
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class KeyUseTests
{
    [Theory]
    [InlineData("SINTER s t")]
    [InlineData("SUNION s t")]
    [InlineData("SDIFF s t")]
    [InlineData("SINTERCARD 2 s t")]
    [InlineData("SINTERSTORE d s t")]
    [InlineData("SUNIONSTORE d s t")]
    [InlineData("SDIFFSTORE d s t")]
    [InlineData("ZINTER 2 z s")]
    [InlineData("ZUNION 2 z s")]
    [InlineData("ZDIFF 2 z s")]
    [InlineData("ZINTERCARD 2 z s")]
    [InlineData("ZUNIONSTORE d 2 z s")]
    [InlineData("DUMP s")]
    public void A_command_that_looks_again_and_again_is_one_use(string command)
    {
        using InProcessServer server = new(static options => (options.MaxMemoryPolicy, options.LfuLogFactor) = (EvictionPolicy.AllKeysLfu, 0));
        server.Call("SADD", "s", "a", "b", "c");
        server.Call("SADD", "t", "b", "c", "d");
        server.Call("ZADD", "z", "1", "b", "2", "c");
        server.Call(command.Split(' '));
        Assert.Equal(":6\r\n", server.Call("OBJECT", "FREQ", "s"));
    }
}
