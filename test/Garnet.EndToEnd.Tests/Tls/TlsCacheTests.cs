// An application's cache in a server elsewhere, over TLS. The test has a server of its own.
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Garnet.Caching;
using Garnet.Client;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace Garnet.EndToEnd.Tests.Tls;

public sealed class TlsCacheTests
{
    [Fact]
    public async Task A_distributed_cache_speaks_Tls_and_shows_its_certificate()
    {
        await using var server = await TlsTestServer.StartAsync((options, certificates) =>
        {
            options.TlsAuthClients = ClientCertificates.Yes;
            options.TlsCaCertFile = certificates.AuthorityFile;
        });
        X509Certificate2 own = server.Certificates.MakeClient("application");
        var services = new ServiceCollection();
        services.AddGarnetDistributedCache(options => options.Connection = new RespMultiplexerOptions
        {
            EndPoint = server.EndPoint,
            Secure = async (stream, cancel) =>
            {
                var trust = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
                trust.CustomTrustStore.Add(server.Certificates.Authority);
                var tls = new SslStream(stream);
                var how = new SslClientAuthenticationOptions
                {
                    TargetHost = "localhost",
                    CertificateChainPolicy = trust,
                    ClientCertificateContext = SslStreamCertificateContext.Create(own, null, offline: true),
                };
                await tls.AuthenticateAsClientAsync(how, cancel);
                return tls;
            },
        });
        await using ServiceProvider provider = services.BuildServiceProvider();
        var cache = provider.GetRequiredService<IDistributedCache>();
        string value = new('v', 100_000);
        await cache.SetStringAsync("k", value, new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromMinutes(1) });
        Assert.Equal(value, await cache.GetStringAsync("k"));
        Assert.Equal(1, server.Server.InProcess.Execute("EXISTS", "k").Integer);
    }
}
