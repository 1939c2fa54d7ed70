// Registers a server with an application's services. At start, one thread.
using Garnet.Server.Configuration;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting;

/// <summary>Embeds servers in applications.</summary>
public static class GarnetServiceCollectionExtensions
{
    /// <summary>
    /// Runs a server with the application, with the settings of the configuration section <c>Garnet</c> and then those made here.
    /// May be called several times for several servers; each must listen elsewhere.
    /// </summary>
    public static IServiceCollection AddGarnet(this IServiceCollection services, Action<GarnetOptions>? configure = null) =>
        services.AddSingleton<IHostedService>(provider => new GarnetHostedService(
            Build(provider, configure),
            provider.GetRequiredService<IHostApplicationLifetime>()));

    private static GarnetServer Build(IServiceProvider provider, Action<GarnetOptions>? configure)
    {
        var options = new GarnetOptions();
        if (provider.GetService<IConfiguration>() is { } configuration)
            OptionsBinder.Bind(options, configuration.GetSection(OptionsBinder.SectionName));
        configure?.Invoke(options);
        return new GarnetServerBuilder
        {
            Options = options,
            Loggers = provider.GetRequiredService<ILoggerFactory>(),
            Time = provider.GetService<TimeProvider>() ?? TimeProvider.System,
            Services = provider,
        }.Build();
    }
}
