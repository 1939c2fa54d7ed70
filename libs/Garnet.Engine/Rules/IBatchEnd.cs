// What a part does when a thread's batch is over.
using Garnet.Engine.Execution;

namespace Garnet.Engine.Rules;

/// <summary>Enters itself with <see cref="ThreadBatches.AtEnd"/> each time it has something to do.</summary>
internal interface IBatchEnd
{
    /// <summary>The outermost batch of the thread is over; nothing is latched.</summary>
    void OnBatchEnd();
}
