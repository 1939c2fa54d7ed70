// Keywords followed by a zero byte. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands;

public sealed class ZeroByteTests
{
    [Theory]
    [InlineData("*2\r\n$1\r\na\r\n$1\r\n1\r\n", "ZRANGE", "z", "0", "-1", "withscores\0")]
    [InlineData(":0\r\n", "ZADD", "z", "NX\0x", "2", "a")]
    [InlineData("$-1\r\n", "SET", "s", "v", "XX\0")]
    [InlineData("*1\r\n:-2\r\n", "HPEXPIRE", "none", "1", "NX\0", "FIELDS\0\0", "1", "f")]
    [InlineData("$3\r\n9-1\r\n", "XADD", "x", "MAXLEN\0", "~\0", "5", "9-1\0", "f", "v")]
    [InlineData("*0\r\n", "XRANGE", "x", "-\0", "+\0x")]
    [InlineData("-ERR no such key\r\n", "XINFO", "STREAM\0x", "x")]
    [InlineData("*1\r\n$1\r\nx\r\n", "COMMAND", "GETKEYS", "XINFO", "stream\0", "x")]
    [InlineData("-ERR unknown command 'ZCARD', with args beginning with: 'z' \r\n", "ZCARD\0", "z")]
    [InlineData(":0\r\n", "EXISTS", "z\0")]
    public void A_zero_byte_ends_words_but_neither_keys_nor_the_names_of_commands(string reply, params string[] call)
    {
        using InProcessServer server = new();
        server.Call("ZADD", "z", "1", "a");
        Assert.Equal(reply, server.Call(call));
    }
}
