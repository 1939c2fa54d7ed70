// HELLO: protocol versions, AUTH and SETNAME, and its errors in Valkey's order.
using Xunit;

namespace Garnet.Server.Tests.Commands.Connection;

public sealed class HelloCommandTests
{
    [Fact]
    public void The_reply_describes_the_server_in_the_requested_protocol()
    {
        using InProcessServer server = new();
        string id = $"{server.Client.Session.Id}";
        string Fields(int version) =>
            $"$6\r\nserver\r\n$6\r\ngarnet\r\n$7\r\nversion\r\n$5\r\n7.2.4\r\n$5\r\nproto\r\n:{version}\r\n$2\r\nid\r\n:{id}\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n";
        Assert.Equal("*14\r\n" + Fields(2), server.Call("HELLO"));
        Assert.Equal("%7\r\n" + Fields(3), server.Call("HELLO", "3"));
        Assert.Equal("%7\r\n" + Fields(3), server.Call("HELLO"));
        Assert.Equal("_\r\n", server.Call("CLIENT", "GETNAME"));
        Assert.Equal("*14\r\n" + Fields(2), server.Call("HELLO", "2"));
    }

    [Fact]
    public void The_reply_contains_the_availability_zone()
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "availability-zone", "north-1");
        Assert.StartsWith("*16\r\n", server.Call("HELLO"));
        Assert.EndsWith("$17\r\navailability_zone\r\n$7\r\nnorth-1\r\n", server.Call("HELLO"));
        Assert.Contains("availability_zone:north-1\r\n", server.Call("INFO", "server"));
    }

    [Theory]
    [InlineData("-NOPROTO unsupported protocol version", "4")]
    [InlineData("-NOPROTO unsupported protocol version", "1", "nonsense")]
    [InlineData("-ERR Protocol version is not an integer or out of range", "three")]
    [InlineData("-ERR Syntax error in HELLO option 'FOO'", "3", "FOO")]
    [InlineData("-ERR Syntax error in HELLO option 'AUTH'", "3", "AUTH", "default")]
    [InlineData("-ERR Client names cannot contain spaces, newlines or special characters.", "3", "SETNAME", "a b")]
    [InlineData("-WRONGPASS invalid username-password pair or user is disabled.", "3", "AUTH", "nobody", "x", "SETNAME", "n")]
    public void Errors_change_nothing(string error, params string[] arguments)
    {
        using InProcessServer server = new();
        Assert.Equal(error + "\r\n", server.Call(["HELLO", .. arguments]));
        Assert.Equal("$-1\r\n", server.Call("CLIENT", "GETNAME"));
    }

    [Fact]
    public void One_call_authenticates_and_names_the_connection()
    {
        using InProcessServer server = new(options => options.Password = "secret");
        Assert.StartsWith(
            "-NOAUTH HELLO must be called with the client already authenticated",
            server.Call("HELLO", "3", "SETNAME", "early")
        );
        Assert.Equal("", server.Client.Session.Names.Client);
        Assert.StartsWith("%7\r\n", server.Call("HELLO", "3", "SETNAME", "me", "AUTH", "default", "secret"));
        Assert.Equal("$2\r\nme\r\n", server.Call("CLIENT", "GETNAME"));
    }
}
