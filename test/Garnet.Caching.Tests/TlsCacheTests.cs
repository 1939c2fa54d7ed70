// Caches whose server is reached by TLS, as an application says it: in code and in its configuration. A real server for each test.
using Garnet.Client;
using Garnet.Testing;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Xunit;

namespace Garnet.Caching.Tests;

public sealed class TlsCacheTests
{
    [Fact]
    public async Task Both_caches_use_Tls_as_configured()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            (options, certificates) =>
            {
                options.TlsAuthClients = ClientCertificates.Yes;
                options.TlsCaCertFile = certificates.AuthorityFile;
            }
        );
        (string certFile, string keyFile) = server.Certificates.WriteClient("shop");
        HostApplicationBuilder builder = Builder();
        builder.Configuration.AddInMemoryCollection(
            new Dictionary<string, string?>
            {
                ["Cache:Address"] = $"localhost:{server.EndPoint.Port}",
                ["Cache:InstanceName"] = "shop:",
                ["Cache:UseTls"] = "true",
                ["Cache:Tls:AuthorityFile"] = server.Certificates.AuthorityFile,
                ["Cache:Tls:CertificateFile"] = certFile,
                ["Cache:Tls:KeyFile"] = keyFile,
            }
        );
        builder.Services.AddGarnetDistributedCache(options => builder.Configuration.Bind("Cache", options));
        builder.Services.AddGarnetOutputCache(options => builder.Configuration.Bind("Cache", options));
        using IHost host = builder.Build();
        await host.StartAsync();
        IDistributedCache cache = host.Services.GetRequiredService<IDistributedCache>();
        await cache.SetStringAsync("k", "v", new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromMinutes(1) });
        Assert.Equal("v", await cache.GetStringAsync("k"));
        IOutputCacheStore store = host.Services.GetRequiredService<IOutputCacheStore>();
        await store.SetAsync("page", [1, 2], ["tag"], TimeSpan.FromMinutes(1), CancellationToken.None);
        Assert.Equal([1, 2], await store.GetAsync("page", CancellationToken.None));
        await store.EvictByTagAsync("tag", CancellationToken.None);
        Assert.Null(await store.GetAsync("page", CancellationToken.None));
        using var plain = RespExchange.Connect(server.PlainEndPoint);
        Assert.Equal("$1\r\nv\r\n", plain.ExecuteText("GET", "shop:k"));
        await host.StopAsync();
    }

    [Fact]
    public async Task A_server_with_another_name_is_not_used()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        HostApplicationBuilder builder = Builder();
        builder.Services.AddGarnetDistributedCache(options =>
        {
            options.Address = $"127.0.0.1:{server.EndPoint.Port}";
            options.UseTls = true;
            options.Tls.AuthorityFile = server.Certificates.AuthorityFile;
            options.Tls.HostName = "cache.example";
        });
        using IHost host = builder.Build();
        await host.StartAsync();
        RespConnectionException error = await Assert.ThrowsAsync<RespConnectionException>(() =>
            host.Services.GetRequiredService<IDistributedCache>().GetAsync("k")
        );
        Assert.StartsWith($"No connection to 127.0.0.1:{server.EndPoint.Port}: ", error.Message, StringComparison.Ordinal);
        Assert.Contains("RemoteCertificateNameMismatch", error.Message, StringComparison.Ordinal);
        await host.StopAsync();
    }

    [Theory]
    [InlineData(null, true, null, "UseTls is for EndPoint, which is not set.")]
    [InlineData("host", false, "name", "Tls is filled in without UseTls; set that to true.")]
    [InlineData("unix:/s", true, null, "Tls.HostName must say whose certificate is expected behind a Unix socket.")]
    [InlineData("host", true, "", "Tls.HostName is empty; give the name in the server's certificate, or leave it out.")]
    public async Task Wrong_TLS_settings_are_reported_at_the_start(string? endPoint, bool useTls, string? hostName, string message)
    {
        HostApplicationBuilder builder = Builder();
        builder.Services.AddGarnetDistributedCache(options =>
        {
            options.Address = endPoint;
            options.UseTls = useTls;
            options.Tls.HostName = hostName;
        });
        using IHost host = builder.Build();
        OptionsValidationException error = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Equal("AddGarnetDistributedCache: " + message, error.Message);
    }

    [Fact]
    public async Task The_database_of_a_cache_must_be_that_of_its_connection()
    {
        HostApplicationBuilder builder = Builder();
        builder.Services.AddGarnetDistributedCache(options =>
        {
            options.Connection = new RespMultiplexerOptions { EndPoint = new System.Net.DnsEndPoint("host", 6379) };
            options.Database = 3;
        });
        using IHost host = builder.Build();
        OptionsValidationException error = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Equal("AddGarnetDistributedCache: Database is 3, and Connection says 0.", error.Message);
    }

    private static HostApplicationBuilder Builder() =>
        Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
}
