// An ASP.NET SignalR host whose backplane is the server under test. One owner, which disposes of it.
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.SignalR;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using StackExchange.Redis;

namespace Garnet.DotNetClients.Tests;

/// <summary>One of the hosts of an application: clients connect to it, and it reaches those of the other hosts by the backplane.</summary>
internal sealed class SignalRHost : IAsyncDisposable
{
    private readonly WebApplication _application;

    private SignalRHost(WebApplication application) => _application = application;

    /// <summary>Where clients connect.</summary>
    public Uri Address => new(_application.Urls.Single() + "/hub");

    /// <summary>Sends from this host.</summary>
    public IHubContext<MessageHub> Context => _application.Services.GetRequiredService<IHubContext<MessageHub>>();

    public static async Task<SignalRHost> StartAsync(ConfigurationOptions backplane)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IUserIdProvider, UserOfQuery>();
        // A client that is slow to answer on a busy machine stays connected.
        builder
            .Services.AddSignalR(static options =>
                (options.ClientTimeoutInterval, options.HandshakeTimeout) = (TimeSpan.FromMinutes(10), TimeSpan.FromMinutes(5))
            )
            .AddStackExchangeRedis(options => options.Configuration = backplane);
        WebApplication application = builder.Build();
        application.MapHub<MessageHub>("/hub");
        await application.StartAsync();
        return new SignalRHost(application);
    }

    public async ValueTask DisposeAsync()
    {
        using var atOnce = new CancellationTokenSource(TimeSpan.FromSeconds(5));
        await _application.StopAsync(atOnce.Token);
        await _application.DisposeAsync();
    }

    /// <summary>What clients call. A call is answered after the host has subscribed for the connection.</summary>
    internal sealed class MessageHub : Hub
    {
        public Task Join(string group) => Groups.AddToGroupAsync(Context.ConnectionId, group);

        public Task Leave(string group) => Groups.RemoveFromGroupAsync(Context.ConnectionId, group);

        /// <summary>Proves that all that the host sent to this connection before has been written.</summary>
        public int Echo(int value) => value;
    }

    private sealed class UserOfQuery : IUserIdProvider
    {
        public string? GetUserId(HubConnectionContext connection) => connection.GetHttpContext()!.Request.Query["user"];
    }
}
