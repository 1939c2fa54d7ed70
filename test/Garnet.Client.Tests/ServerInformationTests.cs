// What INFO says, whatever a server puts there.
using Xunit;

namespace Garnet.Client.Tests;

public sealed class ServerInformationTests
{
    [Theory]
    [InlineData("1e308")]
    [InlineData("Infinity")]
    [InlineData("NaN")]
    [InlineData("-1")]
    [InlineData("x")]
    public void A_processor_time_that_cannot_be_is_unknown(string seconds) =>
        Assert.Null(new ServerInformation($"used_cpu_user:{seconds}\r\nused_cpu_sys:0\r\n").ProcessorTime);

    [Fact]
    public void Lines_are_fields()
    {
        var information = new ServerInformation(
            "# Server\r\nredis_version:7.2.4\r\nvalkey_version:9.1.2\r\n\r\n# Keyspace\r\ndb0:keys=3,expires=0\r\ndb9:keys=4\r\ndb1:keys=x,\r\n"
        );
        Assert.Equal(("Valkey 9.1.2", 3), (information.Product, information.Keys));
        Assert.Equal((0, 0), (information.Number("redis_version"), information.Number("none")));
        Assert.Null(new ServerInformation("").Product);
    }

    [Fact]
    public void User_and_system_time_are_added() =>
        Assert.Equal(TimeSpan.FromSeconds(1.5), new ServerInformation("used_cpu_user:1.25\r\nused_cpu_sys:0.25\r\n").ProcessorTime);
}
