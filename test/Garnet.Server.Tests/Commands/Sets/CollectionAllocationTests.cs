// Asserts that commands on small hashes and sets do not allocate on the managed heap.
using Xunit;

namespace Garnet.Server.Tests.Commands.Sets;

[Trait("Values", "InMemory")]
public sealed class CollectionAllocationTests
{
    [Theory]
    [InlineData("HSET h a 1")]
    [InlineData("HSET h a 1 b 2 c 3")]
    [InlineData("HGET h a")]
    [InlineData("HMGET h a b x")]
    [InlineData("HGETALL h")]
    [InlineData("HINCRBY h n 1")]
    [InlineData("HINCRBYFLOAT h n 0.5")]
    [InlineData("HEXISTS h a")]
    [InlineData("HLEN h")]
    [InlineData("HDEL h x")]
    [InlineData("HTTL h FIELDS 1 a")]
    [InlineData("HRANDFIELD h")]
    [InlineData("HSETEX t EX 100 FIELDS 1 a 1")]
    [InlineData("HEXPIRE t 100 FIELDS 1 a")]
    [InlineData("HSCAN h 0")]
    [InlineData("SADD s a")]
    [InlineData("SADD i 1")]
    [InlineData("SREM s x")]
    [InlineData("SISMEMBER s a")]
    [InlineData("SMEMBERS s")]
    [InlineData("SCARD i")]
    [InlineData("SRANDMEMBER s")]
    [InlineData("SINTER s s2")]
    [InlineData("SUNION s s2")]
    [InlineData("SINTERSTORE d s s2")]
    public void A_command_allocates_nothing(string command)
    {
        using InProcessServer server = new();
        server.Call("HSET", "h", "a", "1", "b", "text", "n", "1");
        server.Call("HSETEX", "t", "EX", "100", "FIELDS", "1", "a", "1");
        server.Call("SADD", "s", "a", "b", "1");
        server.Call("SADD", "s2", "a", "1", "z");
        server.Call("SADD", "i", "1", "2", "3");
        Allocations.AssertNone(server, command);
    }
}
