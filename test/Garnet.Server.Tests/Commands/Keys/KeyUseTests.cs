// The number of accesses to its keys that a command counts as, compared with Valkey 9.1. One thread.
using System.Globalization;
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
    public void Repeated_lookups_by_one_command_are_one_access(string command) => Assert.Equal(1, UsesOf("s", command));

    [Theory]
    [InlineData("k", "SET k v", 1)]
    [InlineData("k", "SET k v GET", 2)]
    [InlineData("k", "SET k v GET NX", 2)]
    [InlineData("k", "GETSET k v", 2)]
    [InlineData("k", "LCS k n", 1)]
    [InlineData("k", "BITOP AND d k n", 1)]
    [InlineData("k", "BITOP NOT k k", 2)]
    [InlineData("p", "PFCOUNT p", 1)]
    [InlineData("l", "LMOVE l m LEFT LEFT", 1)]
    [InlineData("l", "LMOVE l l LEFT RIGHT", 2)]
    [InlineData("l", "RPOPLPUSH l l", 2)]
    [InlineData("l", "BLMOVE l m LEFT LEFT 0", 2)]
    [InlineData("m", "BLMOVE l m LEFT LEFT 0", 1)]
    [InlineData("l", "BLMOVE l l LEFT LEFT 0", 3)]
    [InlineData("z", "ZPOPMIN z", 1)]
    [InlineData("z", "BZPOPMIN z 0", 2)]
    [InlineData("z", "ZMPOP 1 z MIN", 1)]
    [InlineData("z", "BZMPOP 0 2 none z MIN", 2)]
    [InlineData("z", "ZRANGESTORE d z 0 -1", 1)]
    [InlineData("z", "ZRANGESTORE z z 0 -1", 2)]
    [InlineData("x", "XREAD STREAMS x 0", 2)]
    [InlineData("x", "XREAD STREAMS x $", 2)]
    [InlineData("x", "XREAD BLOCK 0 STREAMS x $", 2)]
    [InlineData("x", "XREADGROUP GROUP g c BLOCK 0 STREAMS x >", 2)]
    [InlineData("x", "XAUTOCLAIM x g c 0 0", 1)]
    public void A_command_counts_as_many_accesses_as_the_references_lookups(string key, string command, int uses) =>
        Assert.Equal(uses, UsesOf(key, command));

    private static int UsesOf(string key, string command)
    {
        using InProcessServer server = new(static options =>
            (options.MaxMemoryPolicy, options.LfuLogFactor) = (EvictionPolicy.AllKeysLfu, 0)
        );
        foreach (
            string each in (string[])
                [
                    "SADD s a b c",
                    "SADD t b c d",
                    "ZADD z 1 b 2 c",
                    "SET k abc",
                    "SET n ab",
                    "PFADD p a b",
                    "RPUSH l a b c",
                    "RPUSH m a",
                    "XGROUP CREATE x g $ MKSTREAM",
                ]
        )
        {
            server.Call(each.Split(' '));
        }

        if (key == "x")
            server.Call("XADD", "x", "1-1", "f", "v");
        if (command.Contains('>', StringComparison.Ordinal))
            server.Call("XREADGROUP", "GROUP", "g", "c", "STREAMS", "x", ">");
        int before = Frequency(server, key);
        server.Connect().Call(command.Split(' '));
        return Frequency(server, key) - before;
    }

    private static int Frequency(InProcessServer server, string key) =>
        int.Parse(server.Call("OBJECT", "FREQ", key)[1..], CultureInfo.InvariantCulture);
}
