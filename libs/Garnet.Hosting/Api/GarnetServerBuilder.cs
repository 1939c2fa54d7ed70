// The configuration of a server to be created. One thread, before the server exists.
using System.Net;
using Garnet.Engine.Execution;
using Garnet.Hosting;
using Garnet.Hosting.Kestrel;
using Garnet.Modules;
using Garnet.Modules.Running;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.Composition;
using Garnet.Server.Startup;
using Garnet.Store.DataTypes;
using Garnet.Store.Tiering;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Garnet;

/// <summary>Builds a <see cref="GarnetServer"/>: <c>new GarnetServerBuilder { Options = { Port = 7000 } }.Build()</c>.</summary>
public sealed class GarnetServerBuilder
{
    private readonly List<EndPoint> _endpoints = [];
    private readonly List<EndPoint> _tlsEndpoints = [];
    private readonly List<EndPoint> _metricEndpoints = [];
    private readonly List<EndPoint> _dashboardEndpoints = [];
    private readonly List<CommandDescriptor> _commands = [];
    private readonly List<CustomType> _types = [];
    private readonly List<ModuleEntryAttribute> _modules = [];

    /// <summary>The name that distinguishes this server from others in the application; empty for the unnamed one.</summary>
    public string Name { get; init; } = "";

    /// <summary>The settings.</summary>
    public GarnetOptions Options { get; init; } = new();

    /// <summary>The file that CONFIG REWRITE writes, or null.</summary>
    internal string? ConfigurationFile { get; init; }

    /// <summary>Receives the server's log messages; nothing is logged by default.</summary>
    public ILoggerFactory LoggerFactory { get; init; } = NullLoggerFactory.Instance;

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Whether the process runs only this server, so that maxmemory counts all of its memory, including the runtime's.</summary>
    internal bool OwnsProcess { get; init; }

    /// <summary>Services for connection middleware such as TLS; none by default.</summary>
    public IServiceProvider Services { get; init; } = NoServices.Instance;

    /// <summary>The disk for snapshots; the file system by default.</summary>
    internal IDisk Disk { get; init; } = SystemDisk.Instance;

    /// <summary>Creates the append-only log's folder from a path; one in the file system by default.</summary>
    internal Func<string, ILogFolder> LogFolders { get; init; } = static path => new LogFolder(path);

    /// <summary>What the tier uses in place of its files.</summary>
    internal Func<ITierDevice, ITierDevice> TierDevice { get; init; } = static files => files;

    /// <summary>
    /// Listens here instead of where <c>bind</c>, <c>port</c> and <c>unixsocket</c> say; port 0 lets the system choose. May be called
    /// again.
    /// </summary>
    public GarnetServerBuilder Listen(EndPoint endPoint)
    {
        _endpoints.Add(endPoint);
        return this;
    }

    /// <summary>As <see cref="Listen"/>, for clients that speak TLS, instead of where <c>tls-port</c> says.</summary>
    public GarnetServerBuilder ListenTls(EndPoint endPoint)
    {
        _tlsEndpoints.Add(endPoint);
        return this;
    }

    /// <summary>
    /// Serves metrics and health over HTTP here instead of where <c>metrics-port</c> says; port 0 lets the system choose.
    /// </summary>
    public GarnetServerBuilder ListenMetrics(EndPoint endPoint)
    {
        _metricEndpoints.Add(endPoint);
        return this;
    }

    /// <summary>Serves the dashboard here instead of where <c>dashboard-port</c> says; port 0 lets the system choose.</summary>
    public GarnetServerBuilder ListenDashboard(EndPoint endPoint)
    {
        _dashboardEndpoints.Add(endPoint);
        return this;
    }

    /// <summary>Adds a command to the server's own.</summary>
    internal GarnetServerBuilder AddCommand(CommandDescriptor command)
    {
        _commands.Add(command);
        return this;
    }

    /// <summary>Adds a type of value, for the commands that were added.</summary>
    internal GarnetServerBuilder AddType(CustomType type)
    {
        _types.Add(type);
        return this;
    }

    /// <summary>
    /// Adds a module of the application: its commands are the server's from the start, and it is never unloaded. Each server gets an
    /// instance of its own.
    /// </summary>
    /// <typeparam name="T">A class with <see cref="ModuleAttribute"/>.</typeparam>
    /// <exception cref="ArgumentException">The class has no such attribute, or was compiled without the modules' generator.</exception>
    public GarnetServerBuilder AddModule<T>()
        where T : IModule
    {
        AddModule(ModuleEntry.Of(typeof(T)));
        return this;
    }

    /// <summary>Adds a module.</summary>
    internal void AddModule(ModuleEntryAttribute entry) => _modules.Add(entry);

    /// <summary>The commands, types and modules that were added.</summary>
    internal ServerExtensions Extensions =>
        new()
        {
            Commands = [.. _commands],
            Types = [.. _types],
            ModuleFormat = AssemblyModules.Instance,
            Modules = [.. _modules.Select(ModuleEntry.NewDefinition)],
        };

    /// <summary>Creates the server; it opens no endpoints or files yet.</summary>
    /// <exception cref="OptionException">
    /// An option has a value that is not allowed, conflicts with another one, or cannot be used on this machine.
    /// </exception>
    public GarnetServer Build()
    {
        OptionReader reader = new(Options);
        reader.Finish();
        // The command logs what its own reader of files and variables found.
        if (!OwnsProcess)
            reader.LogWarnings(LoggerFactory.CreateLogger("Garnet"));
        GarnetOptions options = Options.Clone();
        options.Dir = Path.GetFullPath(options.Dir);
        return new GarnetServer(this, options, FindEndPoints(options));
    }

    private ServerEndPoints FindEndPoints(GarnetOptions options)
    {
        List<EndPoint> metrics = _metricEndpoints.Count > 0 ? _metricEndpoints : ListenAddress.Metrics(options);
        List<EndPoint> dashboard = _dashboardEndpoints.Count > 0 ? _dashboardEndpoints : ListenAddress.Dashboard(options);
        return _endpoints.Count + _tlsEndpoints.Count > 0
            ? new ServerEndPoints(_endpoints, new EndPointGroup(_tlsEndpoints), metrics, dashboard, FollowOptions: false)
            : new ServerEndPoints(
                ListenAddress.All(options, mayListenNowhere: !OwnsProcess),
                new EndPointGroup(ListenAddress.Tls(options)),
                metrics,
                dashboard,
                FollowOptions: true
            );
    }
}
