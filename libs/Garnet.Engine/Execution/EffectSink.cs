// Where the effects of a client's commands go. Used by the threads that execute its commands.

namespace Garnet.Engine.Execution;

/// <summary>Takes the effects of commands while their keys are held, so that effects on a key have the order of its changes.</summary>
internal abstract class EffectSink
{
    /// <summary>Whether effects are wanted; otherwise commands do not describe them.</summary>
    public abstract bool IsOpen { get; }

    /// <summary>Whether effects that are wanted cannot be kept: a change that need not be made is left out then.</summary>
    public virtual bool IsDenied => false;

    /// <summary>Whether <see cref="CommandEnded"/> is called.</summary>
    public virtual bool FollowsCommands => false;

    /// <summary>Takes the effects of a command or transaction, as requests. Does nothing while it is not open.</summary>
    public abstract void Commit(ClientSession client, int database, ReadOnlySpan<byte> unit);

    /// <summary>A command has changed something while the sink is not open.</summary>
    public virtual void Changed(ref CommandContext context) { }

    /// <summary>A command has thrown after it had changed something, which may be in no effect that was taken.</summary>
    public virtual void EffectLost() { }

    /// <summary>A command has ended, whether or not it has changed anything.</summary>
    public virtual void CommandEnded(ClientSession client) { }
}
