// ACL commands that describe the default user; MODULE and LOLWUT.
using Xunit;

namespace Garnet.Server.Tests.Commands.Acl;

public sealed class AclCommandTests
{
    [Fact]
    public void The_default_user_is_described_with_and_without_a_password()
    {
        using InProcessServer server = new();
        Assert.Equal("$7\r\ndefault\r\n", server.Call("ACL", "WHOAMI"));
        Assert.Equal("*1\r\n$7\r\ndefault\r\n", server.Call("ACL", "USERS"));
        Assert.Equal("*1\r\n$34\r\nuser default on nopass ~* &* +@all\r\n", server.Call("ACL", "LIST"));
        Assert.StartsWith(
            "*14\r\n$5\r\nflags\r\n*2\r\n$2\r\non\r\n$6\r\nnopass\r\n$9\r\npasswords\r\n*0\r\n$8\r\ncommands\r\n",
            server.Call("ACL", "GETUSER", "default")
        );
        Assert.Equal("$-1\r\n", server.Call("ACL", "GETUSER", "nobody"));
        server.Call("CONFIG", "SET", "requirepass", "abc");
        const string Digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        Assert.Contains($"user default on #{Digest} ~* &* +@all\r\n", server.Call("ACL", "LIST"));
        Assert.StartsWith(
            $"*14\r\n$5\r\nflags\r\n*1\r\n$2\r\non\r\n$9\r\npasswords\r\n*1\r\n$64\r\n{Digest}\r\n",
            server.Call("ACL", "GETUSER", "default")
        );
    }

    [Fact]
    public void CAT_lists_categories_and_their_commands()
    {
        using InProcessServer server = new();
        Assert.StartsWith("*21\r\n$8\r\nkeyspace\r\n$4\r\nread\r\n", server.Call("ACL", "CAT"));
        string transaction = server.Call("ACL", "CAT", "Transaction");
        Assert.Contains("$5\r\nmulti\r\n", transaction);
        Assert.DoesNotContain("$3\r\nget\r\n", transaction);
        Assert.Equal("-ERR Unknown category '3'\r\n", server.Call("ACL", "CAT", "3"));
        Assert.Equal("-ERR Unknown category 'read,write'\r\n", server.Call("ACL", "CAT", "read,write"));
    }

    [Theory]
    [InlineData(64, null)]
    [InlineData(1, "1")]
    [InlineData(2, "5")]
    [InlineData(1024, "4096")]
    public void GENPASS_generates_enough_digits_for_the_bits(int digits, string? bits)
    {
        using InProcessServer server = new();
        string reply = bits is null ? server.Call("ACL", "GENPASS") : server.Call("ACL", "GENPASS", bits);
        Assert.Matches($"^\\${digits}\r\n[0-9a-f]{{{digits}}}\r\n$", reply);
    }

    [Fact]
    public void GENPASS_rejects_zero_and_too_many_bits()
    {
        using InProcessServer server = new();
        Assert.StartsWith("-ERR ACL GENPASS argument must be the number of bits", server.Call("ACL", "GENPASS", "0"));
        Assert.StartsWith("-ERR ACL GENPASS argument must be the number of bits", server.Call("ACL", "GENPASS", "4097"));
        Assert.Equal("-ERR value is not an integer or out of range\r\n", server.Call("ACL", "GENPASS", "x"));
    }

    [Fact]
    public void There_are_no_modules_and_LOLWUT_shows_the_version()
    {
        using InProcessServer server = new();
        Assert.Equal("*0\r\n", server.Call("MODULE", "LIST"));
        Assert.Contains("Garnet ver. ", server.Call("LOLWUT"));
        Assert.Contains("Garnet ver. ", server.Call("LOLWUT", "VERSION", "5"));
        Assert.Contains("Garnet ver. ", server.Call("LOLWUT", "80", "40", "1.5", "-2"));
        Assert.Contains("Garnet ver. ", server.Call("LOLWUT", "VERSION", "6", "1", "2", "abc"));
        Assert.Contains("Garnet ver. ", server.Call("LOLWUT", "VERSION", "7", "abc"));
        Assert.Equal("-ERR Syntax error. Use: LOLWUT [columns rows] [real imaginary]\r\n", server.Call("LOLWUT", "VERSION"));
        Assert.Equal("-ERR value is not an integer or out of range\r\n", server.Call("LOLWUT", "VERSION", "abc"));
        Assert.Equal("-ERR value is not an integer or out of range\r\n", server.Call("LOLWUT", "VERSION", "5", "1", "2", "abc"));
        Assert.Equal("-ERR value is not a valid float\r\n", server.Call("LOLWUT", "1", "1", "1", "abc"));
    }
}
