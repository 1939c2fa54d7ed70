// What a start loads into memory.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class StartupTests
{
    [LinuxFact]
    public void A_start_without_TLS_loads_no_cryptography_library()
    {
        // The library would cost an idle server 5 MB; only Linux lists what a process has mapped.
        using var server = GarnetProcess.Start([]);
        using var client = RespExchange.Connect(server.EndPoint);
        Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
        string maps = File.ReadAllText($"/proc/{server.Id}/maps");
        Assert.Contains("libc.so", maps, StringComparison.Ordinal);
        Assert.DoesNotContain("libcrypto", maps, StringComparison.Ordinal);
    }
}
