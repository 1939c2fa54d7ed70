// Registers servers with an application's services. At start, one thread.
using Garnet;
using Garnet.Hosting;
using Garnet.Modules;
using Garnet.Modules.Running;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Embeds servers in applications.</summary>
public static class GarnetServiceCollectionExtensions
{
    /// <summary>
    /// Runs a server with the application, with the settings of the configuration section <c>Garnet</c> and then those made here. The
    /// server is a singleton <see cref="GarnetServer"/>, its commands without a socket a singleton <see cref="IGarnet"/>. Called again, it
    /// adds settings to the same server.
    /// </summary>
    /// <remarks>
    /// The server listens on the loopback device unless <c>bind</c> says otherwise. The application's start waits until the data is loaded,
    /// and fails with an <see cref="OptionsValidationException"/> that names the invalid setting and the allowed values. Settings that depend on
    /// other services can be made with <c>services.AddOptions&lt;GarnetOptions&gt;().Configure&lt;TService&gt;(...)</c>.
    /// </remarks>
    /// <example><code>builder.Services.AddGarnet(options => options.Port = 6380);</code></example>
    /// <param name="services">The application's services.</param>
    /// <param name="configure">Settings that go before those of the configuration.</param>
    /// <returns>The same services.</returns>
    public static IServiceCollection AddGarnet(this IServiceCollection services, Action<GarnetOptions>? configure = null) =>
        services.AddGarnet(Options.Options.DefaultName, configure);

    /// <summary>
    /// Runs one of several servers with the application, with the settings of the section <c>Garnet:Servers:name</c> and then those made
    /// here. The server is a singleton <see cref="GarnetServer"/>, and its commands an <see cref="IGarnet"/>, with the key
    /// <paramref name="name"/>; each must listen on other endpoints. Unless the settings name another <see cref="GarnetOptions.Dir"/>, its
    /// files are in the folder <c>garnet-name</c> of the working directory, which is made at the start.
    /// </summary>
    /// <example><code>builder.Services.AddGarnet("sessions", options => options.Port = 6381);</code></example>
    /// <param name="services">The application's services.</param>
    /// <param name="name">The server's name: the key of its services and the name of its options.</param>
    /// <param name="configure">Settings that go before those of the configuration.</param>
    /// <returns>The same services.</returns>
    public static IServiceCollection AddGarnet(this IServiceCollection services, string name, Action<GarnetOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (
            !services.Any(service =>
                service.IsKeyedService && service.ServiceType == typeof(GarnetServer) && name.Equals(service.ServiceKey)
            )
        )
        {
            AddServer(services, name);
        }

        if (configure is not null)
            services.Configure(name, configure);
        return services;
    }

    /// <summary>
    /// Adds a module to the server that <see cref="AddGarnet(IServiceCollection, Action{GarnetOptions}?)"/> adds, before or after this
    /// call; as <see cref="GarnetServerBuilder.AddModule{T}"/>. Works in applications that are compiled ahead of time.
    /// </summary>
    /// <example><code>builder.Services.AddGarnet().AddGarnetModule&lt;Limits&gt;();</code></example>
    /// <typeparam name="T">A class with <see cref="ModuleAttribute"/>.</typeparam>
    /// <param name="services">The application's services.</param>
    /// <returns>The same services.</returns>
    /// <exception cref="ArgumentException">The class has no such attribute, or was compiled without the modules' generator.</exception>
    public static IServiceCollection AddGarnetModule<T>(this IServiceCollection services)
        where T : IModule => services.AddGarnetModule<T>(Options.Options.DefaultName);

    /// <summary>The same for one of several servers.</summary>
    /// <typeparam name="T">A class with <see cref="ModuleAttribute"/>.</typeparam>
    /// <param name="services">The application's services.</param>
    /// <param name="name">The server's name.</param>
    /// <returns>The same services.</returns>
    /// <exception cref="ArgumentException">The class has no such attribute, or was compiled without the modules' generator.</exception>
    public static IServiceCollection AddGarnetModule<T>(this IServiceCollection services, string name)
        where T : IModule
    {
        ArgumentNullException.ThrowIfNull(name);
        ApplicationModule module = new(ModuleEntry.Of(typeof(T)));
        return services.AddKeyedSingleton(name, (_, _) => module);
    }

    private static void AddServer(IServiceCollection services, string name)
    {
        // A server inside an application serves that application; other machines must be allowed explicitly, by bind.
        services
            .AddOptions<GarnetOptions>(name)
            .Configure(options => (options.Bind, options.Dir) = (["127.0.0.1", "-::1"], OwnFolder.Of(name)))
            .PostConfigure(options => OwnFolder.Make(name, options))
            .ValidateOnStart();
        services.AddKeyedSingleton(name, (provider, _) => new SectionOptions(name, Section(provider, name)));
        services.AddSingleton<IConfigureOptions<GarnetOptions>>(provider => provider.GetRequiredKeyedService<SectionOptions>(name));
        services.AddSingleton<IValidateOptions<GarnetOptions>>(provider => provider.GetRequiredKeyedService<SectionOptions>(name));
        services.AddSingleton<IOptionsChangeTokenSource<GarnetOptions>>(provider => new CheckedConfigurationChanges(
            name,
            (IConfiguration?)Section(provider, name) ?? new ConfigurationBuilder().Build(),
            provider.GetRequiredService<IOptionsFactory<GarnetOptions>>(),
            provider.GetRequiredService<ILoggerFactory>().CreateLogger("Garnet")
        ));

        services.AddSingleton(new ServerNames(name));
        services.AddKeyedSingleton(name, (provider, _) => Build(provider, name));
        services.AddKeyedSingleton(name, static (provider, key) => provider.GetRequiredKeyedService<GarnetServer>(key).InProcess);
        if (name == Options.Options.DefaultName)
        {
            services.AddSingleton(provider => provider.GetRequiredKeyedService<GarnetServer>(name));
            services.AddSingleton(static provider => provider.GetRequiredService<GarnetServer>().InProcess);
        }

        services.AddSingleton<IHostedService>(provider => new GarnetHostedService(provider, name));
    }

    private static IConfigurationSection? Section(IServiceProvider provider, string name) =>
        provider.GetService<IConfiguration>()?.GetSection(OptionsBinder.Section(name));

    // Settings that are invalid only on this machine, such as another machine's address, are reported like other invalid settings.
    private static GarnetServer Build(IServiceProvider provider, string name)
    {
        try
        {
            GarnetServerBuilder builder = new()
            {
                Name = name,
                Options = provider.GetRequiredService<IOptionsMonitor<GarnetOptions>>().Get(name),
                LoggerFactory = provider.GetRequiredService<ILoggerFactory>(),
                TimeProvider = provider.GetService<TimeProvider>() ?? TimeProvider.System,
                Services = provider,
            };
            foreach (ApplicationModule module in provider.GetKeyedServices<ApplicationModule>(name))
                builder.AddModule(module.Entry);
            string[] problems = [.. ServerNames.FindProblems(provider, name)];
            if (builder.Options.Strict && problems.Length > 0)
                throw new OptionException(string.Join(Environment.NewLine, problems));
            ILogger log = builder.LoggerFactory.CreateLogger("Garnet");
            foreach (string problem in problems)
                log.LogWarning("{Warning}", problem);
            return builder.Build();
        }
        catch (OptionException e)
        {
            throw new OptionsValidationException(name, typeof(GarnetOptions), [e.Message]);
        }
    }
}
