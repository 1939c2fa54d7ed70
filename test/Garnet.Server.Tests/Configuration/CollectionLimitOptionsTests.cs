// The settings for encodings of collections reach the store. One server per test.
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Configuration;

public sealed class CollectionLimitOptionsTests
{
    [Fact]
    public void The_store_starts_with_the_options_and_follows_CONFIG_SET()
    {
        using InProcessServer server = new(options => options.SetMaxIntSetEntries = 3);
        Assert.Equal(3, server.Store.CollectionLimits.SetMaxIntSetEntries);
        Assert.Equal(Replies.Ok, server.Call("CONFIG", "SET", "hash-max-ziplist-entries", "5", "zset-max-listpack-value", "1kb"));
        Assert.Equal(5, server.Store.CollectionLimits.HashMaxListPackEntries);
        Assert.Equal(1024, server.Store.CollectionLimits.SortedSetMaxListPackValue);
        Assert.Equal(3, server.Store.CollectionLimits.SetMaxIntSetEntries);
    }
}
