// What INFO says, whatever a server puts there.
using Garnet.Bench.Servers;
using Xunit;

namespace Garnet.Bench.Tests.Servers;

public sealed class ServerInformationTests
{
    [Theory]
    [InlineData("1e308")]
    [InlineData("Infinity")]
    [InlineData("NaN")]
    [InlineData("-1")]
    [InlineData("x")]
    public void A_processor_time_that_cannot_be_is_unknown(string seconds) =>
        Assert.Null(ServerInformation.Parse($"used_cpu_user:{seconds}\r\nused_cpu_sys:0\r\n").ProcessorTime);

    [Fact]
    public void User_and_system_time_are_added() =>
        Assert.Equal(TimeSpan.FromSeconds(1.5), ServerInformation.Parse("used_cpu_user:1.25\r\nused_cpu_sys:0.25\r\n").ProcessorTime);
}
