// The options that commands on data depend on, kept up to date.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Configuration;

namespace Garnet.Server.Composition;

/// <summary>Makes <see cref="EngineSettings"/> of the options.</summary>
internal static class SettingsSource
{
    private static readonly string[] Options =
    [
        "proto-max-bulk-len",
        "client-query-buffer-limit",
        "hll-sparse-max-bytes",
        "import-mode",
        "extended-redis-compatibility",
        "maxmemory-clients",
        "client-output-buffer-limit",
        "client-default-resp",
        "enable-debug-command",
        "enable-module-command",
    ];

    /// <summary>The present settings.</summary>
    public static EngineSettings Of(GarnetOptions options) =>
        new(
            options.ProtoMaxBulkLengthBytes,
            options.ClientQueryBufferLimitBytes,
            options.HllSparseMaxBytes,
            options.ImportMode,
            options.ExtendedRedisCompatibility,
            options.MaxMemoryClientsBytes != 0,
            options.ClientOutputBufferLimits,
            options.ClientDefaultResp,
            options.EnableDebugCommand,
            options.EnableModuleCommand
        );

    /// <summary>Gives an executor the settings after each change of them.</summary>
    public static void Follow(ServerConfiguration configuration, Executor executor)
    {
        foreach (string option in Options)
            configuration.OnChange(option, changed => executor.Settings = Of(changed));
    }
}
