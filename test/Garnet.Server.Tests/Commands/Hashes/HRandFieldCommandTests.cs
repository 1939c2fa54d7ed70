// HRANDFIELD: counts and errors.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Hashes;

public sealed class HRandFieldCommandTests : IDisposable
{
    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("HRANDFIELD h x", NotInteger)]
    [InlineData("HRANDFIELD h 1 BOGUS", Syntax)]
    [InlineData("HRANDFIELD h 1 WITHVALUES x", Syntax)]
    [InlineData(
        "HRANDFIELD h -9223372036854775808",
        "-ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807\r\n"
    )]
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
        _server.Call("HSET", "h", "a", "1", "b", "2");
        Assert.Equal(reply, _server.Call(command.Split(' ')));
    }

    [Fact]
    public void Ten_million_repetitions_are_replied()
    {
        const int count = 9_999_999;
        _server.Call("HSET", "h", "a", "1", "b", "2");
        _server.Client.Send(InProcessClient.Request("HRANDFIELD", "h", "-9999999"));
        Assert.Equal("*9999999\r\n".Length + (count * "$1\r\na\r\n".Length), _server.Client.Discard());
    }
}
