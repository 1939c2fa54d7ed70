// The options about clients. Stateless; any thread.
using Garnet.Engine.Events;
using Garnet.Store;

namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about clients and what each may use.</summary>
internal static class ClientOptions
{
    public static OptionDescriptor[] All() =>
        [
            new IntegerOption("client-default-resp", static o => o.ClientDefaultResp, static (o, v) => o.ClientDefaultResp = (int)v, 2, 3)
            {
                Group = OptionGroup.Clients,
                Help = "Version of the protocol for a client that has not sent HELLO.",
                IsHidden = true,
            },
            new BooleanOption(
                "extended-redis-compatibility",
                static o => o.ExtendedRedisCompatibility,
                static (o, v) => o.ExtendedRedisCompatibility = v
            )
            {
                Group = OptionGroup.Clients,
                Help = "Call the server Redis in HELLO, LOLWUT and errors about loading and saving, for clients that look for that name.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption("maxclients", static o => o.MaxClients, static (o, v) => o.MaxClients = v, 1, uint.MaxValue)
            {
                Group = OptionGroup.Clients,
                Help = "Maximum number of connections.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption("timeout", static o => o.TimeoutSeconds, static (o, v) => o.TimeoutSeconds = (int)v, 0, int.MaxValue)
            {
                Property = nameof(GarnetOptions.IdleTimeout),
                Unit = TimeSpan.FromSeconds(1),
                Group = OptionGroup.Clients,
                Help = "Seconds after which an idle client is disconnected; 0 never.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("protected-mode", static o => o.ProtectedMode, static (o, v) => o.ProtectedMode = v)
            {
                Group = OptionGroup.Clients,
                Help = "Reject clients from other machines while the default user has no password.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("requirepass", static o => o.Password, static (o, v) => o.Password = v)
            {
                Group = OptionGroup.Clients,
                Help = "Password of the default user.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
                Sensitive = true,
            },
            .. UserOptions.All(),
            .. TrackingOptions.All(),
            .. ScriptOptions.All(),
            new StringOption(
                "notify-keyspace-events",
                static o => KeyEventClassesText.Normalize(o.NotifyKeyspaceEvents),
                static (o, v) => o.NotifyKeyspaceEvents = v
            )
            {
                Property = nameof(GarnetOptions.NotifyKeyspaceEvents),
                Group = OptionGroup.Clients,
                Help = "Events of keys that are published: K and E select the channels, g$lshzxetdmn and A the events. Empty for none.",
                Check = KeyEventClassesText.Problem,
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "client-query-buffer-limit",
                static o => o.ClientQueryBufferLimitBytes,
                static (o, v) => o.ClientQueryBufferLimitBytes = v,
                1L << 20,
                long.MaxValue
            )
            {
                Group = OptionGroup.Clients,
                Help = "Maximum size of one unfinished request.",
                Mutability = Mutability.Runtime,
            },
            new OutputBufferLimitOption(
                "client-output-buffer-limit",
                static o => o.ClientOutputBufferLimits,
                static (o, v) => o.ClientOutputBufferLimits = v
            )
            {
                Group = OptionGroup.Clients,
                Help = "Size of unsent replies at which a client is disconnected, by client class; 0 means no limit.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "maxmemory-clients",
                static o => o.MaxMemoryClientsBytes,
                static (o, v) => o.MaxMemoryClientsBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Clients,
                Help =
                    "Maximum memory of all clients together, in bytes or as a percentage of maxmemory, before the largest are disconnected; 0 means no limit.",
                Mutability = Mutability.Runtime,
                Percent = PercentRule.Kept,
            },
            new MemoryOption(
                "maxmemory-unauthenticated-clients",
                static o => o.MaxMemoryUnauthenticatedClientsBytes,
                static (o, v) => o.MaxMemoryUnauthenticatedClientsBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Clients,
                Help =
                    "Maximum memory of the unfinished requests of all unauthenticated clients before the largest are disconnected; 0 means no limit.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "proto-max-bulk-len",
                static o => o.ProtoMaxBulkLengthBytes,
                static (o, v) => o.ProtoMaxBulkLengthBytes = v,
                1L << 20,
                HybridLogStore.MaxStringBytes
            )
            {
                Group = OptionGroup.Clients,
                Help = "Maximum length of a single argument of a request and of a string; its upper bound is the maximum value size.",
                Mutability = Mutability.Runtime,
            },
        ];
}
