// The data of a server: its keys and its functions. As thread-safe as these are.
using Garnet.Server.Scripting;
using Garnet.Store;

namespace Garnet.Server.Persistence;

/// <summary>What is saved, loaded and discarded together.</summary>
internal sealed class Dataset(HybridLogStore store, ServerFunctions functions)
{
    /// <summary>The keys.</summary>
    public HybridLogStore Store => store;

    /// <summary>The libraries of functions.</summary>
    public ServerFunctions Functions => functions;

    /// <summary>Discards everything. The session holds no latch.</summary>
    public void Clear(StoreSession session)
    {
        store.Databases.FlushAll(session);
        functions.Clear();
    }
}
