// The limits on the memory of clients, as each client's thread asks them.
namespace Garnet.Engine.Execution;

/// <summary>Two limits: one for all clients together, and one for those that have not authenticated. Thread-safe.</summary>
internal abstract class ClientMemoryLimits
{
    /// <summary>Records the memory of a client's unfinished request. The client's own thread.</summary>
    /// <param name="client">The client.</param>
    /// <param name="counted">What counts as unauthenticated memory of it.</param>
    /// <param name="bytes">The memory.</param>
    public abstract void Count(ClientSession client, ref long counted, long bytes);

    /// <summary>The client is closed or gone.</summary>
    public abstract void Release(ref long counted);

    /// <summary>Closes clients, if all of them use too much because this one uses much.</summary>
    public abstract void Check(ClientSession client);

    /// <summary>Closes those that have not authenticated and use most, if all of these use too much.</summary>
    public abstract void CheckUnauthenticated();
}
