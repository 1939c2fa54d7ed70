// What runs commands for an origin other than a connection. Immutable.
using Garnet.Server.CommandModel;
using Garnet.Server.Execution;

namespace Garnet.Server.Sessions;

/// <summary>The parts of a server with which a stream, a log or a module has commands run.</summary>
/// <param name="Commands">All commands.</param>
/// <param name="Connections">Opens the client that runs them.</param>
/// <param name="Batches">The batch contexts of threads.</param>
/// <param name="Executor">Runs them.</param>
internal sealed record OriginParts(CommandTable Commands, ClientConnections Connections, BatchContextPool Batches, Executor Executor);
