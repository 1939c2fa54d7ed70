// The options that executing commands depends on. Immutable; replaced as a whole when an option changes.
namespace Garnet.Server.Execution;

/// <summary>What commands on data need to know of the options.</summary>
/// <param name="MaxStringBytes">The longest string (proto-max-bulk-len).</param>
/// <param name="MaxRequestBytes">The longest request that may be unfinished (client-query-buffer-limit).</param>
/// <param name="MaxSparseBytes">The longest sparse HyperLogLog (hll-sparse-max-bytes).</param>
/// <param name="ImportsData">Whether a source of an import decides what expires (import-mode).</param>
/// <param name="RepliesAsRedis">Whether errors are worded as Redis's (extended-redis-compatibility).</param>
internal sealed record EngineSettings(
    long MaxStringBytes,
    long MaxRequestBytes,
    long MaxSparseBytes,
    bool ImportsData,
    bool RepliesAsRedis
);
