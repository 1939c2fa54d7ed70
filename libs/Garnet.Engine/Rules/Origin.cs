// Who runs commands: a connection, a script, a primary's stream, and so on. Immutable.
namespace Garnet.Engine.Rules;

/// <summary>
/// What distinguishes the sources of commands. An origin is data: whatever runs commands says which one it is, and the executor applies
/// the same rules to all. To add one, add a field below and use it; <c>OriginGateTests</c> then asks what it does under each gate.
/// </summary>
/// <param name="Name">Its name, in tests and documents.</param>
/// <param name="Asked">The gates that are asked on its behalf.</param>
internal sealed record Origin(string Name, GateMask Asked)
{
    private const GateMask Waits = GateMask.Pause | GateMask.OfExecution;

    private const GateMask OfCalls = GateMask.ScriptCallable | GateMask.ModuleCallable | GateMask.ScriptWrites | GateMask.Size;

    // As in Valkey, where memory is looked at before the user's rights when a script or a module calls, and replicas before the disk.
    private const GateMask CallableFirst = GateMask.ScriptCallable | GateMask.Protected | GateMask.NoMulti | GateMask.ModuleCallable;

    private const GateMask BeforeSaved = GateMask.Saved - 1;

    /// <summary>A client's connection: waits without a thread.</summary>
    public static readonly Origin Connection = new(
        "connection",
        GateMask.Protected
            | GateMask.NoMulti
            | GateMask.Permission
            | GateMask.State
            | GateMask.Subscriber
            | GateMask.Feed
            | GateMask.Size
            | Waits
    )
    {
        // As in Valkey a pause delays commands that are only queued, too.
        AskedWhileQueueing = ~GateMask.OfExecution,
    };

    /// <summary>A caller in the process, or a module's own work: waits on its task or thread, with all rights.</summary>
    public static readonly Origin InProcess = new(
        "in process",
        GateMask.Protected | GateMask.NoMulti | GateMask.State | GateMask.Size | Waits
    )
    {
        // Its commit waits for everything.
        AskedWhileQueueing = ~Waits,
    };

    /// <summary>A command that a script calls: never waits.</summary>
    public static readonly Origin Script = new(
        "script",
        GateMask.ScriptCallable | GateMask.Protected | GateMask.Permission | GateMask.ScriptWrites | GateMask.State | GateMask.Size
    )
    {
        IsCalled = true,
        AskedBeforeMemory = CallableFirst,
        AskedBeforeSaved = BeforeSaved | GateMask.Replicas,
    };

    /// <summary>A command that a module's command calls: never waits.</summary>
    public static readonly Origin ModuleCall = new("module", GateMask.Protected | GateMask.ModuleCallable | GateMask.State | GateMask.Size)
    {
        IsCalled = true,
        AskedBeforeMemory = CallableFirst,
        AskedBeforeSaved = BeforeSaved | GateMask.Replicas,
    };

    /// <summary>As <see cref="ModuleCall"/>, with the rights of the client that called the module's command.</summary>
    public static readonly Origin ModuleCallAsUser = ModuleCall with
    {
        Name = "module as user",
        Asked = ModuleCall.Asked | GateMask.Permission,
    };

    /// <summary>A primary's stream: what the primary has accepted is accepted here. Waits for values alone.</summary>
    public static readonly Origin ReplicaStream = new("replica", GateMask.NoMulti | GateMask.EffectsOnly | GateMask.ColdValue)
    {
        IsReplay = true,
        AskedWhileQueueing = ~GateMask.OfExecution,
    };

    /// <summary>An append-only log that is loaded: waits for values alone.</summary>
    public static readonly Origin Loader = new("loader", GateMask.EffectsOnly | GateMask.ColdValue) { IsReplay = true };

    /// <summary>A blocked client's command that is executed again, on the thread of whoever changed the key: keeps its place.</summary>
    public static readonly Origin Blocked = new(
        "blocked client",
        GateMask.Permission | GateMask.State | GateMask.Subscriber | GateMask.Feed
    );

    /// <summary>A step of MIGRATE: waits on its task.</summary>
    public static readonly Origin Migration = Connection with { Name = "migration" };

    /// <summary>All of them.</summary>
    public static readonly IReadOnlyList<Origin> All =
    [
        Connection,
        InProcess,
        Script,
        ModuleCall,
        ModuleCallAsUser,
        ReplicaStream,
        Loader,
        Blocked,
        Migration,
    ];

    /// <summary>Of these gates, those that are asked about a command which is only queued for EXEC.</summary>
    public GateMask AskedWhileQueueing { get; init; } = GateMask.All;

    /// <summary>Of these gates, those that are asked before memory is reserved.</summary>
    public GateMask AskedBeforeMemory { get; init; } = GateMask.Memory - 1;

    /// <summary>Of the others, those that are asked before <see cref="GateMask.Saved"/>.</summary>
    public GateMask AskedBeforeSaved { get; init; } = BeforeSaved;

    /// <summary>
    /// Whether its commands were accepted before, by a primary or by this server: the clock stands still, and nothing blocks.
    /// </summary>
    public bool IsReplay { get; init; }

    /// <summary>Whether its commands may wait before they run.</summary>
    public bool MayWait => (Asked & GateMask.Pause) != 0;

    /// <summary>Whether its commands are parts of another command.</summary>
    public bool IsCalled { get; init; }

    /// <summary>
    /// The gates that are asked when a command of an origin calls commands as this origin: about the state only what both ask.
    /// </summary>
    public GateMask AskedWithin(Origin outer) => IsCalled ? Asked & (outer.Asked | OfCalls) : Asked;
}
