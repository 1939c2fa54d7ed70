// Where values are that are not in memory. Called by sessions inside a batch.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Sessions;

/// <summary>Brings the values of a command's keys into memory before it is run.</summary>
internal interface IValueSource
{
    /// <summary>
    /// Starts to fetch what a command needs and is not here; null when everything is. The command is admitted anew when the task is
    /// complete, and asks again. Must not wait itself.
    /// </summary>
    /// <param name="context">The call; for EXEC, the keys are those of the queued commands.</param>
    Task? Fetch(ref CommandContext context);
}
