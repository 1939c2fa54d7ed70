// HRANDFIELD: counts, errors, and that the choice is uniform. Random tests print their figures when they fail.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Hashes;

public sealed class HRandFieldCommandTests : IDisposable
{
    private readonly InProcessServer server = new();

    public void Dispose() => server.Dispose();

    [Theory]
    [InlineData("HRANDFIELD h x", NotInteger)]
    [InlineData("HRANDFIELD h 1 BOGUS", Syntax)]
    [InlineData("HRANDFIELD h 1 WITHVALUES x", Syntax)]
    [InlineData("HRANDFIELD h -9223372036854775808", "-ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807\r\n")]
    [InlineData("HRANDFIELD h -9223372036854775807", "-ERR value is out of range\r\n")]
    [InlineData("HRANDFIELD h -2147483648", "-ERR value is out of range\r\n")]
    [InlineData("HRANDFIELD h 4611686018427387904 WITHVALUES", "-ERR value is out of range\r\n")]
    [InlineData("HRANDFIELD absent", Null)]
    [InlineData("HRANDFIELD absent -5", "*0\r\n")]
    [InlineData("HRANDFIELD h 0", "*0\r\n")]
    [InlineData("HRANDFIELD h 9223372036854775807", "*2\r\n$1\r\na\r\n$1\r\nb\r\n")]
    [InlineData("HRANDFIELD h 9 WITHVALUES", "*4\r\n$1\r\na\r\n$1\r\n1\r\n$1\r\nb\r\n$1\r\n2\r\n")]
    public void Counts_are_checked(string command, string reply)
    {
        server.Call("HSET", "h", "a", "1", "b", "2");
        Assert.Equal(reply, server.Call(command.Split(' ')));
    }

    [Theory]
    [InlineData(10)]
    [InlineData(2000)]
    public void Fields_are_drawn_uniformly(int fields)
    {
        for (int i = 0; i < fields; i++)
            server.Call("HSET", "h", $"f{i}", "v");
        int draws = fields * 50;
        var counts = new int[fields];
        for (int done = 0; done < draws; done += 100)
            Uniformity.Count(counts, server.Call("HRANDFIELD", "h", "-100"), 'f');
        Uniformity.AssertUniform(counts, draws);
    }

    [Fact]
    public void Different_fields_are_drawn_uniformly()
    {
        for (int i = 0; i < 40; i++)
            server.Call("HSET", "h", $"f{i}", "v");
        var counts = new int[40];
        for (int i = 0; i < 1000; i++)
            Uniformity.Count(counts, server.Call("HRANDFIELD", "h", "10"), 'f');
        Uniformity.AssertUniform(counts, 10_000);
    }
}
