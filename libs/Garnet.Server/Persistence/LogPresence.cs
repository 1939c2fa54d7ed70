// What there is of the append-only log: its state, and the transitions between states. Changed by one thread at a time; read by any.
using Garnet.Persistence.AppendLog;

namespace Garnet.Server.Persistence;

/// <summary>Changes all of the condition at once, so that no reader sees a log of one state and a reason of another.</summary>
internal sealed class LogPresence
{
    private readonly Action<Action> _change;
    private volatile LogCondition _condition = LogCondition.Off;

    /// <summary>There is none yet.</summary>
    /// <param name="change">Makes each change: the gates of saving precede and follow it.</param>
    public LogPresence(Action<Action> change)
    {
        _change = change;
        Sizes = new LogSizes(this);
    }

    /// <summary>The present condition.</summary>
    public LogCondition Now
    {
        get => _condition;
        private set => _change(() => _condition = value);
    }

    /// <summary>How large the files are.</summary>
    public LogSizes Sizes { get; }

    /// <summary>The open log.</summary>
    public AppendOnlyLog? Log => Now.Log;

    /// <summary>Whether effects are logged, or would be if the disk let them.</summary>
    public bool IsAny => Now.State != AppendOnlyState.Off;

    /// <summary>There is no log any more, and there is to be none.</summary>
    public void TurnOff() => Now = LogCondition.Off;

    /// <summary>The disk has no space for the log of the files that were loaded.</summary>
    public void AwaitSpace(UnopenedLog unopened) => Now = new LogCondition(AppendOnlyState.AwaitingSpace, Unopened: unopened);

    /// <summary>What is in memory can be recovered only from a base that is still to be written; a failed log is kept until then.</summary>
    public void Deny(string problem) =>
        Now = Now.Log is null ? new LogCondition(AppendOnlyState.Denied, DeniedUntilBase: problem) : Now with { DeniedUntilBase = problem };

    /// <summary>A log without a base takes the place of what there was. A denial stays until the base is there.</summary>
    public void Begin(AppendOnlyLog fresh) =>
        Now = new LogCondition(AppendOnlyState.AwaitingBase, fresh, DeniedUntilBase: Now.DeniedUntilBase ?? Now.Unopened?.Problem);

    /// <summary>The log of the loaded files is continued.</summary>
    public void Continue(AppendOnlyLog opened) => Now = new LogCondition(AppendOnlyState.On, opened);

    /// <summary>The open log has a base.</summary>
    public void Complete() => Now = new LogCondition(AppendOnlyState.On, Now.Log);
}
