// What executes the commands that modules call. Immutable.
using Garnet.Server.Execution;
using Garnet.Server.Sessions;
using Garnet.Server.Statistics;
using Garnet.Store;

namespace Garnet.Server.Modules;

/// <summary>The parts of a server that a <see cref="ServerCaller"/> uses.</summary>
/// <param name="Executor">Runs commands.</param>
/// <param name="Batches">The batch contexts of threads.</param>
/// <param name="Connections">Opens clients.</param>
/// <param name="Filters">See requests before their commands are looked up.</param>
/// <param name="Logs">The logs of slow and large commands.</param>
/// <param name="Databases">The databases.</param>
internal sealed record CallParts(
    Executor Executor,
    BatchContextPool Batches,
    ClientConnections Connections,
    CommandFilters Filters,
    CommandLogs Logs,
    StoreDatabases Databases
);
