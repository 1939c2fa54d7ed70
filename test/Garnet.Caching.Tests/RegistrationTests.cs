// Caches from dependency injection: in the process, by name, over a socket; and what is told about wrong settings.
using System.Net;
using Garnet.Testing;
using Garnet.TokenBucket;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Xunit;

namespace Garnet.Caching.Tests;

public sealed class RegistrationTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-caching-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task The_caches_use_the_server_of_the_process()
    {
        using IHost host = Build(services =>
            services
                .AddGarnet(options => Listen(options, "s"))
                .AddGarnetDistributedCache(options => options.InstanceName = "app:")
                .AddGarnetOutputCache(options => options.InstanceName = "app:")
        );
        await host.StartAsync();
        await host.Services.GetRequiredService<IDistributedCache>().SetStringAsync("k", "v");
        Assert.Equal("v", host.Services.GetRequiredService<IGarnet>().GetString("app:k"));
        IOutputCacheStore store = host.Services.GetRequiredService<IOutputCacheStore>();
        await store.SetAsync("page", [1], null, TimeSpan.FromMinutes(1), CancellationToken.None);
        Assert.Equal(1, host.Services.GetRequiredService<IGarnet>().Execute("EXISTS", "app:output:page").Integer);
        await host.StopAsync();
    }

    [Fact]
    public async Task A_server_is_chosen_by_its_name()
    {
        using IHost host = Build(services =>
            services
                .AddGarnet("first", options => Listen(options, "first"))
                .AddGarnet("second", options => Listen(options, "second"))
                .AddGarnetDistributedCache(options => options.ServerName = "second")
        );
        await host.StartAsync();
        await host.Services.GetRequiredService<IDistributedCache>().SetStringAsync("k", "v");
        Assert.Null(host.Services.GetRequiredKeyedService<IGarnet>("first").GetString("k"));
        Assert.Equal("v", host.Services.GetRequiredKeyedService<IGarnet>("second").GetString("k"));
        await host.StopAsync();
    }

    [Fact]
    public async Task Each_server_has_the_modules_that_were_added_to_it()
    {
        using IHost host = Build(services =>
            services
                .AddGarnetModule<TokenBucketModule>("first")
                .AddGarnet("first", options => Listen(options, "first"))
                .AddGarnet("second", options => Listen(options, "second"))
                .AddGarnet(options => Listen(options, "unnamed"))
                .AddGarnetModule<TokenBucketModule>()
        );
        await host.StartAsync();
        IGarnet unnamed = host.Services.GetRequiredService<IGarnet>();
        IGarnet first = host.Services.GetRequiredKeyedService<IGarnet>("first");
        Assert.All([unnamed, first], static garnet => Assert.Equal(3, garnet.Execute("LIM.TAKE", "user", "5", "1").Children.Count));
        IGarnet second = host.Services.GetRequiredKeyedService<IGarnet>("second");
        Assert.Throws<GarnetCommandException>(() => second.Execute("LIM.TAKE", "user", "5", "1"));
        await host.StopAsync();
        Assert.Throws<ArgumentException>(() => new ServiceCollection().AddGarnetModule<NoModule>());
    }

    private sealed class NoModule : Modules.IModule
    {
        public void Load(Modules.IModuleHost host) { }
    }

    [Fact]
    public async Task A_remote_server_is_reached_with_a_password()
    {
        using var server = TestServer.Start(options => options.Password = "secret");
        IPEndPoint endpoint = server.EndPoint;
        using IHost host = Build(services =>
            services.AddGarnetDistributedCache(options =>
            {
                options.Address = $"127.0.0.1:{endpoint.Port}";
                options.Password = "secret";
            })
        );
        await host.StartAsync();
        IDistributedCache cache = host.Services.GetRequiredService<IDistributedCache>();
        await cache.SetStringAsync("k", "v", new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromMinutes(1) });
        Assert.Equal("v", await cache.GetStringAsync("k"));
        await host.StopAsync();
    }

    [Fact]
    public void Without_a_server_the_message_says_what_to_do()
    {
        using IHost host = Build(services => services.AddGarnetDistributedCache());
        InvalidOperationException error = Assert.Throws<InvalidOperationException>(() =>
            host.Services.GetRequiredService<IDistributedCache>()
        );
        Assert.Equal(
            "The cache has no server: call services.AddGarnet(...) for one in this process, or set Address for one elsewhere.",
            error.Message
        );
        using IHost named = Build(services => services.AddGarnetDistributedCache(options => options.ServerName = "x"));
        Assert.Contains(
            "'x'",
            Assert.Throws<InvalidOperationException>(() => named.Services.GetRequiredService<IDistributedCache>()).Message,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(
        "nowhere:port",
        null,
        null,
        0,
        "AddGarnetDistributedCache: Address is 'nowhere:port'; it must be host:port, host or unix:/path."
    )]
    [InlineData(
        "host:99999",
        null,
        null,
        0,
        "AddGarnetDistributedCache: Address is 'host:99999'; it must be host:port, host or unix:/path."
    )]
    [InlineData(null, "name", null, -1, "AddGarnetDistributedCache: Database is -1; it must be 0 or more.")]
    [InlineData(
        "host",
        "name",
        null,
        0,
        "AddGarnetDistributedCache: ServerName names a server in this process, and EndPoint, Address or Connection one elsewhere; set one."
    )]
    [InlineData(null, null, "secret", 0, "AddGarnetDistributedCache: User and Password are for EndPoint, which is not set.")]
    public async Task Wrong_settings_are_reported_at_the_start(
        string? endPoint,
        string? serverName,
        string? password,
        int database,
        string message
    )
    {
        using IHost host = Build(services =>
            services.AddGarnetDistributedCache(options =>
            {
                options.Address = endPoint;
                options.ServerName = serverName;
                options.Password = password;
                options.Database = database;
            })
        );
        OptionsValidationException error = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Equal(message, error.Message);
    }

    [Fact]
    public async Task An_end_point_as_text_in_the_configuration_is_refused()
    {
        IConfiguration configuration = new ConfigurationBuilder()
            .AddInMemoryCollection([new("Cache:EndPoint", "cache.example:6379"), new("Cache:Password", "secret")])
            .Build();
        using IHost host = Build(services => services.AddGarnetDistributedCache(options => configuration.Bind("Cache", options)));
        OptionsValidationException error = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Equal(
            "AddGarnetDistributedCache: EndPoint is 'cache.example:6379' in the configuration; call that setting Address.",
            error.Message
        );
    }

    private void Listen(GarnetOptions options, string socket)
    {
        options.Port = 0;
        options.UnixSocket = Path.Combine(_folder, socket);
    }

    private static IHost Build(Action<IServiceCollection> configure)
    {
        HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Logging.ClearProviders();
        configure(builder.Services);
        return builder.Build();
    }
}
