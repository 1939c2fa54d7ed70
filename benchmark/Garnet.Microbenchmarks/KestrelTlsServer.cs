// Garnet's sessions on Kestrel's TLS and transport, for comparison in benchmark/tls.py. Started by name, runs until it is killed;
// connections are served on the thread pool.
using System.Net;
using System.Security.Cryptography.X509Certificates;
using Garnet.Hosting;
using Garnet.Server.Composition;
using Garnet.Server.Configuration;
using Garnet.Server.Startup;
using Garnet.Store;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Garnet.Microbenchmarks;

/// <summary>The same commands on the same store; connections come from <c>UseHttps</c>.</summary>
internal static class KestrelTlsServer
{
    /// <summary>
    /// Serves on 127.0.0.1 with a server's options <c>--tls-port</c>, <c>--tls-cert-file</c>, <c>--tls-key-file</c>; no client certificates
    /// are requested.
    /// </summary>
    public static async Task RunAsync(ReadOnlyMemory<string> arguments)
    {
        GarnetOptions options = new();
        OptionReader reader = new(options);
        for (int i = 0; i + 1 < arguments.Length; i += 2)
        {
            string name = arguments.Span[i];
            reader.Set(name, OptionTable.Find(name[2..]) ?? throw new OptionException($"{name}: unknown option"), [arguments.Span[i + 1]]);
        }

        reader.Finish();
        using var certificate = X509Certificate2.CreateFromPemFile(options.TlsCertFile, options.TlsKeyFile);
        using HybridLogStore store = new(LibraryOptions.Store(options), TimeProvider.System);
        using RespServer server = new(new ServerConfiguration(options), store, TimeProvider.System, NullLoggerFactory.Instance);
        store.Maintenance.Start();
        BlockSendOwner blocks = new(store);
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
            kestrel.Listen(
                IPAddress.Loopback,
                options.TlsPort,
                endpoint =>
                {
                    endpoint.UseHttps(certificate);
                    endpoint.Run(connection =>
                        server.Connections.ServeAsync(connection.Transport, new ClientConnection(connection, blocks))
                    );
                }
            )
        );
        await using WebApplication application = builder.Build();
        await application.RunAsync();
    }
}
