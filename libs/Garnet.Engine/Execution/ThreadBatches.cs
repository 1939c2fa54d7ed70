// What is known on a thread while batches run. Used by that thread alone.
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>The batches that a thread is in, and what is left to do when a command or all of them are over.</summary>
internal sealed class ThreadBatches
{
    private readonly List<IBatchEnd> _ends = [];

    /// <summary>How many batches the thread is in: more than one while it serves another client's blocked command.</summary>
    public int Depth { get; set; }

    /// <summary>True when the last EXEC ran its commands: their errors are not its own.</summary>
    public bool RanTransaction { get; set; }

    /// <summary>Whether the last command's client gets a message that it has caused itself; it follows the command's reply.</summary>
    public bool ReachesSelf { get; set; }

    /// <summary>Whether an observer is to be told that the batch is over.</summary>
    public bool IsGathering { get; set; }

    /// <summary>Lets a part do something when the thread's outermost batch is over, once.</summary>
    public void AtEnd(IBatchEnd part) => _ends.Add(part);

    /// <summary>The outermost batch is over.</summary>
    public void EndOutermost()
    {
        if (_ends.Count == 0)
            return;
        // One that enters itself again meanwhile is told again.
        for (int i = 0; i < _ends.Count; i++)
            _ends[i].OnBatchEnd();
        _ends.Clear();
    }

    /// <summary>Returns and clears <see cref="ReachesSelf"/>.</summary>
    public bool TakeReachesSelf()
    {
        bool reaches = ReachesSelf;
        ReachesSelf = false;
        return reaches;
    }
}
