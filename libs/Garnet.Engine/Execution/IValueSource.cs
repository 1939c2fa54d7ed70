// Loads values that are not in memory. Called by sessions inside a batch.

namespace Garnet.Engine.Execution;

/// <summary>Brings the values of a command's keys into memory before it is run.</summary>
internal interface IValueSource
{
    /// <summary>
    /// Starts to load the values that a command needs and that are not in memory; null when all of them are. When the task has completed,
    /// the command is checked again and calls this again. Must not wait itself.
    /// </summary>
    /// <param name="context">The call; for EXEC, the keys are those of the queued commands.</param>
    Task? Fetch(ref CommandContext context);
}
