// Loads values that are not in memory. Called by sessions inside a batch.
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>Brings the values of a command's keys into memory before it is run.</summary>
internal interface IValueSource
{
    /// <summary>
    /// Lets a command pass whose values are in memory, where they then stay until it ends; starts to load those that are not, and says what
    /// to wait for, after which the command is checked again and asks again; or refuses it. Must not wait itself.
    /// </summary>
    /// <param name="context">The call; for EXEC, the keys are those of the queued commands.</param>
    GateAnswer Fetch(ref CommandContext context);

    /// <summary>
    /// Starts to load what requests behind one that waits will need, so that a pipeline waits once and not for each of them. A hint: each
    /// still asks in its turn.
    /// </summary>
    /// <param name="client">The client, inside a batch, without a latch.</param>
    /// <param name="requests">What was parsed behind the request that waits.</param>
    void ReadAhead(ClientSession client, ReadOnlySpan<PreparedCommand> requests);
}
