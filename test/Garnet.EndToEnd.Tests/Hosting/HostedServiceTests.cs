// A server that lives with a generic host. Sockets in a folder of its own.
using System.Net.Sockets;
using Garnet.Hosting;
using Garnet.Server.Configuration;
using Garnet.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

public sealed class HostedServiceTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-hosted-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task The_server_starts_and_stops_with_the_application_and_reads_its_section()
    {
        var application = Host.CreateEmptyApplicationBuilder(null);
        application.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Garnet:Port"] = "0",
            ["Garnet:unixsocket"] = Path.Combine(_folder, "a"),
            ["Garnet:maxmemory"] = "64mb",
            ["Garnet:TimeoutSeconds"] = "9",
            ["Garnet:protected-mode"] = "False",
            ["Garnet:bind:0"] = "127.0.0.1",
            ["Garnet:bind:1"] = "::1",
        });
        application.Services.AddGarnet(options => options.Databases = 3);
        using var host = application.Build();
        await host.StartAsync();
        var endpoint = new UnixDomainSocketEndPoint(Path.Combine(_folder, "a"));
        using (var client = RespExchange.Connect(endpoint))
        {
            string reply = client.ExecuteText("CONFIG", "GET", "maxmemory", "timeout", "databases", "bind", "protected-mode");
            Assert.Equal(
                "*10\r\n$4\r\nbind\r\n$13\r\n127.0.0.1 ::1\r\n$9\r\ndatabases\r\n$1\r\n3\r\n$9\r\nmaxmemory\r\n$8\r\n67108864\r\n"
                + "$14\r\nprotected-mode\r\n$2\r\nno\r\n$7\r\ntimeout\r\n$1\r\n9\r\n",
                reply);
        }
        await host.StopAsync();
        Assert.Throws<SocketException>(() => RespExchange.Connect(endpoint));
    }

    [Fact]
    public async Task Two_servers_can_live_in_one_application()
    {
        var application = Host.CreateEmptyApplicationBuilder(null);
        foreach (string name in new[] { "a", "b" })
        {
            application.Services.AddGarnet(options =>
            {
                options.Port = 0;
                options.UnixSocket = Path.Combine(_folder, name);
            });
        }
        using var host = application.Build();
        await host.StartAsync();
        foreach (string name in new[] { "a", "b" })
        {
            using var client = RespExchange.Connect(new UnixDomainSocketEndPoint(Path.Combine(_folder, name)));
            Assert.Equal("$-1\r\n", client.ExecuteText("GET", "k"));
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", name));
        }
        await host.StopAsync();
    }

    [Theory]
    [InlineData("maxmemroy", "1gb", "Garnet:maxmemroy: unknown option")]
    [InlineData("maxmemory", "much", "Garnet:maxmemory much: argument must be a memory value")]
    public void A_wrong_setting_names_its_key(string key, string value, string message)
    {
        var configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(new Dictionary<string, string?> { [$"Garnet:{key}"] = value }).Build();
        var thrown = Assert.Throws<OptionException>(
            () => OptionsBinder.Bind(new GarnetOptions(), configuration.GetSection(OptionsBinder.SectionName)));
        Assert.StartsWith(message, thrown.Message, StringComparison.Ordinal);
    }
}
