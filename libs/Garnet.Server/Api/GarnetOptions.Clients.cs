// The settings of a server about its clients; see GarnetOptions.cs.
using System.Collections.Immutable;

namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>Version of the protocol, 2 or 3, in which a client is answered until it asks for another with HELLO.</summary>
    public int ClientDefaultResp { get; set; } = 2;

    /// <summary>
    /// Whether HELLO, LOLWUT and errors about loading and saving name the server Redis, for clients that look for that name.
    /// </summary>
    public bool ExtendedRedisCompatibility { get; set; }

    /// <summary>Maximum number of connections; further ones get an error and are closed.</summary>
    public long MaxClients { get; set; } = 10_000;

    /// <summary>Time after which an idle client is disconnected (timeout), rounded up to seconds; zero never.</summary>
    public TimeSpan IdleTimeout
    {
        get => TimeSpan.FromSeconds(TimeoutSeconds);
        set => TimeoutSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int TimeoutSeconds { get; set; }

    /// <summary>Rejects clients from other machines while the default user has no password.</summary>
    public bool ProtectedMode { get; set; } = true;

    /// <summary>Password of the default user; empty for none.</summary>
    public string Password { get; set; } = "";

    /// <summary>
    /// Users by name, with their rules as ACL SETUSER takes them: <c>on &gt;secret ~app:* +@all -@dangerous</c>. They may not be given
    /// together with <see cref="AclFile"/>.
    /// </summary>
    public IReadOnlyDictionary<string, string> Users { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>
    /// Roles by name, with their rules as ACL SETROLE takes them: <c>~app:* +@read</c>. Users have them by <c>role=name</c>.
    /// </summary>
    public IReadOnlyDictionary<string, string> Roles { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>
    /// Commands that clients call by another name, or not at all if it is empty, by the commands' own names. Users' rules, replicas, the
    /// log and code in the process use the own names.
    /// </summary>
    public IReadOnlyDictionary<string, string> RenamedCommands { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>Maximum size of one unfinished request of a client.</summary>
    public long ClientQueryBufferLimitBytes { get; set; } = 1L << 30;

    /// <summary>
    /// Maximum total size of the unfinished requests of all unauthenticated clients (maxmemory-unauthenticated-clients); 0 for no limit.
    /// </summary>
    public long MaxMemoryUnauthenticatedClientsBytes { get; set; } = 16L << 20;

    /// <summary>Size of unsent replies at which a client is disconnected, for each client class.</summary>
    public OutputBufferLimits ClientOutputBufferLimits { get; set; } = OutputBufferLimits.Default;

    /// <summary>
    /// Maximum memory of all clients together before the largest are disconnected; negative for a percentage of
    /// <see cref="MaxMemoryBytes"/>, 0 for no limit.
    /// </summary>
    public long MaxMemoryClientsBytes { get; set; }

    /// <summary>Maximum length of a single argument of a request, in bytes.</summary>
    public long ProtoMaxBulkLengthBytes { get; set; } = 512L << 20;

    /// <summary>
    /// Maximum number of keys for which the server remembers which clients have read them; beyond it clients are notified that some of them
    /// have changed. 0 means no limit.
    /// </summary>
    public long TrackingTableMaxKeys { get; set; } = 1_000_000;
}
