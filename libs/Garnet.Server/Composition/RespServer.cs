// One server: its store, commands, clients and statistics. Thread-safe; connections are passed to Connections.
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.Acl;
using Garnet.Server.Basics;
using Garnet.Server.Commands.Connection;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Server.Eviction;
using Garnet.Server.Logs;
using Garnet.Server.Messaging;
using Garnet.Server.Migration;
using Garnet.Server.ModuleHost;
using Garnet.Server.Modules;
using Garnet.Server.Monitoring;
using Garnet.Server.Notifications;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Scripting;
using Garnet.Server.Sessions;
using Garnet.Server.Shutdown;
using Garnet.Server.Statistics;
using Garnet.Server.Tiering;
using Garnet.Server.Tracking;
using Garnet.Store;
using Garnet.Store.DataTypes;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Composition;

/// <summary>Puts the parts of a server together, and does nothing else; serves RESP clients over pipes and does not use sockets.</summary>
internal sealed class RespServer : IDisposable
{
    /// <summary>Creates a server for a store. The caller owns the store.</summary>
    /// <param name="configuration">The options.</param>
    /// <param name="store">The data.</param>
    /// <param name="time">The clock.</param>
    /// <param name="loggers">For log messages.</param>
    /// <param name="disk">The disk for files; the system's file system when null.</param>
    /// <param name="folders">Creates the append-only log's folder from a path; the file system's when null.</param>
    /// <param name="extensions">Commands and types to add; none when null.</param>
    /// <param name="connector">Opens connections to other servers; null where there is no network.</param>
    /// <param name="host">What the host knows; null where there is none.</param>
    public RespServer(
        ServerConfiguration configuration,
        HybridLogStore store,
        TimeProvider time,
        ILoggerFactory loggers,
        IDisk? disk = null,
        Func<string, ILogFolder>? folders = null,
        ServerExtensions? extensions = null,
        IServerConnector? connector = null,
        IHostFigures? host = null
    )
    {
        Host = host ?? NoHost.Instance;
        Configuration = configuration;
        Store = store;
        Clients = new ClientRegistry(store.Conditions);
        Monitors = new MonitorFeed(store.Conditions, time);
        Waits = new ReleasedWaits(Clients);
        CollectionLimitOptions.Bind(configuration, store);
        store.Types.KeepsMissing = configuration.Current.ModuleMissingTypes == MissingTypes.Keep;
        configuration.OnChange(
            "module-missing-types",
            changed => store.Types.KeepsMissing = changed.ModuleMissingTypes == MissingTypes.Keep
        );
        Effects = new EffectFeed(store.Changes, configuration);
        // A tier moves values out by the limit also where the primary decides what is deleted.
        EvictionOptions.Bind(configuration, store, () => store.Tier is null && LeavesEvictionToPrimary);
        Clock = new ServerClock(time);
        // A pause must leave what replicas have as it is, and a log that is not open yet what the files have. While a log is loaded, and
        // the clock stands still, what it contains of a key must not meet another value than when it was written.
        store.Holds.Evicted = () =>
            (Clients.Pause.MayBeActive && Clients.Pause.IsActive(time.GetUtcNow().ToUnixTimeMilliseconds()))
            || LeavesEvictionToPrimary
            || Persistence is { AppendOnly.AwaitsSpace: true }
            || store.Clock.IsStopped;
        // While data is loaded no removal would reach the replicas that have what has expired.
        store.Holds.Expired = () =>
            Effects.IsFollowing || configuration.Current.ImportMode || Persistence?.IsLoading == true || store.Holds.Evicted();
        configuration.OnChange("import-mode", changed => EndImport(changed.ImportMode));
        Log = loggers.CreateLogger("Garnet.Server");
        Commands = new CommandTable([.. CommandFamilies.All, .. extensions?.Commands ?? []], RenamedCommands(configuration.Current));
        foreach (CustomType type in extensions?.Types ?? [])
            store.Types.Add(type);
        LoadingState loading = new(store.Conditions, Clock);
        ModuleLoggers moduleLoggers = new(loggers);
        Modules = new ServerModules(
            new ModuleEnvironment(configuration, Commands, Effects, loading, Clock, moduleLoggers),
            store,
            new CommandFilters(Commands, moduleLoggers),
            new LoginHooks(moduleLoggers),
            extensions?.ModuleFormat,
            Log
        );
        foreach (ModuleDefinition module in extensions?.Modules ?? [])
            Modules.AddAtStart(module);
        Modules.LoadConfigured(configuration.Current);
        if (configuration.Current.EnableModuleCommand != CommandAccess.No)
            Commands.Reserve(ServerModules.MaxCommands);
        Targets = new TargetConnections(Configuration, Clock, connector);
        ClientLine lines = new(Clock);
        Users = new Users(Commands, configuration, new DenialLog(configuration, time, lines.Describe));
        StartUsers.Load(Users, configuration.Current, Log);
        Activities = new ServerActivities(Identity.RunId);
        CommandLogs = new CommandLogs(configuration, Activities);
        Threads = new ThreadScratchPool(Commands, CommandLogs);
        Messages = new MessageHub(Store, Threads);
        Tracking = new KeyTracking(Store, Clients, Threads, Configuration);
        Notifications = new KeyNotifications(configuration, store, Threads, Messages, Modules);
        LiveModules = new LiveModules(Modules, store, Commands, Users, Clients, Notifications, Threads, Log);
        Scripts = new ServerScripts(configuration, store, Log, Commands, Modules.Filters);
        Blocked = new BlockedClients(store.Conditions, Threads, Scripts.Running, CommandLogs, Log);
        ClientMemory = new ClientMemory(configuration, Clients, lines, Statistics, Log);
        Dataset data = new(store, Scripts.Functions);
        Persistence = new ServerPersistence(configuration, data, Effects, loading, Clock, Activities, Log, disk, folders);
        Replication = new ServerReplication(configuration, Effects, Persistence, Statistics, Identity, Clock, Log);
        LastEffects lastEffects = new(configuration, Replication, Clock, store, Log);
        FinalSave = new FinalSave(Persistence, configuration, Clients.Pause, Clock, lastEffects, Log);
        Memory = new MemoryAccount(store, configuration, Statistics, Persistence.AppendOnly, Messages, Scripts, Host);
        Tier = new ServerTier(store, Log);
        CommandObservers observers = new(
            store.Conditions,
            [new TrackingObserver(), new EventObserver(Notifications), new MonitorObserver(Monitors), new BlockedObserver(Blocked)]
        );
        CommandRunner runner = new(observers, CommandLogs, Log);
        Executor = new Executor(Commands, store.Conditions, GateList.Create(this), observers, runner)
        {
            Settings = SettingsSource.Of(configuration.Current),
            Threads = Threads,
            Blocked = Blocked,
            Waits = Waits,
            Time = time,
        };
        SettingsSource.Follow(configuration, Executor);
        ClientParts parts = new(store, Executor, Replication.Sink, Clients, ClientMemory, Users, Statistics, Clock, Log, Forget);
        ClientFactory = new ClientFactory(parts);
        Sessions = new SessionParts(configuration, Modules.Filters, Persistence.AppendOnly, CommandLogs, Users);
        Connections = new ClientConnections(parts, ClientFactory, Sessions);
        LogLoader logs = new(configuration, data, Persistence.Reader, ClientFactory, Log);
        Loader = new DataLoader(configuration, Persistence, logs, Effects, Scripts, Activities, Log);
        Reload = new DataReload(Persistence, logs, Effects, Clients.Pause, Clock, Log);
        Roles = new RoleChanges(
            new PrimaryLinkParts(
                connector,
                ClientFactory,
                Replication,
                Persistence,
                Blocked,
                configuration,
                Identity,
                Host,
                Statistics,
                Clock,
                Log
            ),
            Clients,
            Waits,
            store
        );
        Store.Maintenance.ExpiryMeasured += ticks => CommandLogs.RecordExpiryCycle(ticks, Clock.NowMs);
        Info = InfoSections.Create(this);
        Commands.Bind(CommandPartList.Create(this));
        Clock.Start(new PeriodicChecks(this).Run);
        Modules.Start(new CallParts(ClientFactory, Modules.Filters, CommandLogs, store.Databases.Count));
    }

    private bool LeavesEvictionToPrimary => Effects.IsFollowing && Configuration.Current.ReplicaIgnoreMaxMemory;

    // Code may have given the names in any letter case.
    private static Dictionary<string, string> RenamedCommands(GarnetOptions options) =>
        new(options.RenamedCommands, StringComparer.OrdinalIgnoreCase);

    /// <summary>The current options.</summary>
    public ServerConfiguration Configuration { get; }

    /// <summary>The data.</summary>
    public HybridLogStore Store { get; }

    /// <summary>The stream of effects, and the history that they belong to.</summary>
    public EffectFeed Effects { get; }

    /// <summary>The replicas that follow the stream of effects, and the primary that this server follows.</summary>
    public ServerReplication Replication { get; }

    /// <summary>Makes the server a replica or a primary.</summary>
    public RoleChanges Roles { get; }

    /// <summary>Connections of MIGRATE.</summary>
    public TargetConnections Targets { get; }

    /// <summary>The log.</summary>
    public ILogger Log { get; }

    /// <summary>All commands.</summary>
    public CommandTable Commands { get; }

    /// <summary>Commands and types that were added as modules.</summary>
    public ServerModules Modules { get; }

    /// <summary>Loads and unloads modules.</summary>
    public LiveModules LiveModules { get; }

    /// <summary>Who may log in, and do what.</summary>
    public Users Users { get; }

    /// <summary>The scratch memory of the threads that execute commands.</summary>
    public ThreadScratchPool Threads { get; }

    /// <summary>Makes clients.</summary>
    public ClientFactory ClientFactory { get; }

    /// <summary>Ends the waits of all clients at once.</summary>
    public ReleasedWaits Waits { get; }

    /// <summary>What sessions need besides.</summary>
    public SessionParts Sessions { get; }

    /// <summary>Serves connections.</summary>
    public ClientConnections Connections { get; }

    /// <summary>Connected clients.</summary>
    public ClientRegistry Clients { get; }

    /// <summary>Clients blocked on keys.</summary>
    public BlockedClients Blocked { get; }

    /// <summary>Clients in monitor mode.</summary>
    public MonitorFeed Monitors { get; }

    /// <summary>Publish and subscribe.</summary>
    public MessageHub Messages { get; }

    /// <summary>Clients that store values of keys, and are notified when these change.</summary>
    public KeyTracking Tracking { get; }

    /// <summary>What is published about keys.</summary>
    public KeyNotifications Notifications { get; }

    /// <summary>Scripts, and the one that runs.</summary>
    public ServerScripts Scripts { get; }

    /// <summary>Memory use by component.</summary>
    public MemoryAccount Memory { get; }

    /// <summary>The limits on the memory of clients.</summary>
    public ClientMemory ClientMemory { get; }

    /// <summary>Files: snapshots and the append-only log.</summary>
    public ServerPersistence Persistence { get; }

    /// <summary>Loads the data when the server starts.</summary>
    public DataLoader Loader { get; }

    /// <summary>Loads the data again.</summary>
    public DataReload Reload { get; }

    /// <summary>The end of the server: its last effects and the last snapshot.</summary>
    public FinalSave FinalSave { get; }

    /// <summary>Runs commands.</summary>
    public Executor Executor { get; }

    /// <summary>What the host of the server knows.</summary>
    public IHostFigures Host { get; }

    /// <summary>What INFO says.</summary>
    public InfoReport Info { get; }

    /// <summary>Counters of the server as a whole.</summary>
    public ServerStatistics Statistics { get; } = new();

    /// <summary>The logs of slow and large commands.</summary>
    public CommandLogs CommandLogs { get; }

    /// <summary>Activities of the server other than commands, for tracing.</summary>
    public ServerActivities Activities { get; }

    /// <summary>Who this server is to others.</summary>
    public ServerIdentity Identity { get; } = new();

    /// <summary>Values on disk.</summary>
    public ServerTier Tier { get; }

    /// <summary>The coarse clock.</summary>
    public ServerClock Clock { get; }

    /// <summary>How a client asks the host to stop the server.</summary>
    public ShutdownSignal Shutdown { get; } = new();

    private void Forget(ClientSession client)
    {
        Monitors.Remove(client);
        Messages.Leave(client);
        Tracking.Remove(client);
    }

    // Clients that copied data in are ordinary ones again.
    private void EndImport(bool isOn)
    {
        if (isOn)
            return;
        foreach (ClientSession client in Clients.Connected)
            client.Connection.Post(static client => ClientImportSourceCommand.Set((ClientSession)client!, isOn: false), client);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Clock.Dispose();
        Modules.Dispose();
        Roles.Dispose();
        Targets.Dispose();
        Persistence.Dispose();
        Threads.Dispose();
        Activities.Dispose();
    }
}
