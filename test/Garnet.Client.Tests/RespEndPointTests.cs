// End points as people write them. Pure functions.
using System.Net;
using System.Net.Sockets;
using Xunit;

namespace Garnet.Client.Tests;

public sealed class RespEndPointTests
{
    [Fact]
    public void Hosts_addresses_and_sockets_are_read()
    {
        Assert.Equal(new DnsEndPoint("cache.example", 6380), RespEndPoint.Parse("cache.example:6380"));
        Assert.Equal(new DnsEndPoint("cache", 6379), RespEndPoint.Parse("cache"));
        Assert.Equal(new IPEndPoint(IPAddress.Loopback, 6379), RespEndPoint.Parse("127.0.0.1"));
        Assert.Equal(new IPEndPoint(IPAddress.IPv6Loopback, 7), RespEndPoint.Parse("[::1]:7"));
        Assert.Equal(new UnixDomainSocketEndPoint("/tmp/s"), RespEndPoint.Parse("unix:/tmp/s"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a:b:c")]
    [InlineData("host:0")]
    [InlineData("host:65536")]
    [InlineData("unix:")]
    [InlineData("no host")]
    public void Other_texts_are_refused(string text)
    {
        Assert.False(RespEndPoint.TryParse(text, out EndPoint? none));
        Assert.Null(none);
        Assert.Contains($"'{text}'", Assert.Throws<FormatException>(() => RespEndPoint.Parse(text)).Message, StringComparison.Ordinal);
    }
}
