// What the sessions of connections need of their server, besides what all clients need. Immutable.
using Garnet.Server.Acl;
using Garnet.Server.Configuration;
using Garnet.Server.Logs;
using Garnet.Server.Modules;
using Garnet.Server.Persistence;

namespace Garnet.Server.Sessions;

/// <summary>The parts that all sessions of a server share.</summary>
/// <param name="Configuration">The options.</param>
/// <param name="Filters">What modules make of requests.</param>
/// <param name="AppendOnly">The log that replies may have to wait for.</param>
/// <param name="Logs">The logs of slow and large commands.</param>
/// <param name="Users">Who may log in.</param>
internal sealed record SessionParts(
    ServerConfiguration Configuration,
    CommandFilters Filters,
    AppendOnly AppendOnly,
    CommandLogs Logs,
    Users Users
);
