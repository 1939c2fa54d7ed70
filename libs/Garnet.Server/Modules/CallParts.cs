// What executes the commands that modules call. Immutable.
using Garnet.Engine.Execution;
using Garnet.Server.Logs;

namespace Garnet.Server.Modules;

/// <summary>The parts of a server that a <see cref="ServerCaller"/> uses.</summary>
/// <param name="Clients">What runs commands.</param>
/// <param name="Filters">See requests before their commands are looked up.</param>
/// <param name="Logs">The logs of slow and large commands.</param>
/// <param name="Databases">The number of databases.</param>
internal sealed record CallParts(ClientFactory Clients, CommandFilters Filters, CommandLogs Logs, int Databases);
