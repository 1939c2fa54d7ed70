// The decision on a request before it runs.
using Garnet.Engine.Execution;

namespace Garnet.Engine.Rules;

/// <summary>The answers of <see cref="Executor"/>.</summary>
internal enum Admission
{
    /// <summary>The command runs now.</summary>
    Run,

    /// <summary>A transaction is open: the command is queued for EXEC.</summary>
    Queue,

    /// <summary>The error has been written.</summary>
    Reject,

    /// <summary>The request must wait for what its client waits for, and everything is asked again then.</summary>
    Wait,
}
