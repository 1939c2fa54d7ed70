// The options that executing commands depends on. Immutable; replaced as a whole when an option changes.
namespace Garnet.Engine.Requests;

/// <summary>What commands and their clients need to know of the options.</summary>
/// <param name="MaxStringBytes">The longest string (proto-max-bulk-len).</param>
/// <param name="MaxRequestBytes">The longest request that may be unfinished (client-query-buffer-limit).</param>
/// <param name="MaxSparseBytes">The longest sparse HyperLogLog (hll-sparse-max-bytes).</param>
/// <param name="ImportsData">Whether a source of an import decides what expires (import-mode).</param>
/// <param name="RepliesAsRedis">Whether errors are worded as Redis's (extended-redis-compatibility).</param>
/// <param name="LimitsClients">Whether the memory of all clients together is limited (maxmemory-clients).</param>
/// <param name="OutputLimits">The limits of unsent replies (client-output-buffer-limit).</param>
/// <param name="Protocol">The version of RESP that clients begin with (client-default-resp).</param>
/// <param name="DebugAccess">Who may use DEBUG (enable-debug-command).</param>
/// <param name="ModuleAccess">Who may load and unload modules (enable-module-command).</param>
internal sealed record EngineSettings(
    long MaxStringBytes,
    long MaxRequestBytes,
    long MaxSparseBytes,
    bool ImportsData,
    bool RepliesAsRedis,
    bool LimitsClients,
    OutputBufferLimits OutputLimits,
    int Protocol,
    CommandAccess DebugAccess,
    CommandAccess ModuleAccess
);
