// What happens to a server's values while a history runs. One thread.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Called by the runner of a history.</summary>
internal abstract class HistoryPressure : IDisposable
{
    /// <summary>The server has been emptied for an episode.</summary>
    public virtual void Begin() { }

    /// <summary>A command, or a pipeline that begins with it, is about to be sent.</summary>
    public abstract void Before(Command command);

    /// <summary>A command that was sent alone was answered.</summary>
    public virtual void After(Command command, byte[] reply) { }

    /// <inheritdoc/>
    public abstract void Dispose();
}
