// The functions of a server. Thread-safe for readers; changed under the barrier or while nothing runs.
using Garnet.Persistence.Snapshots;

namespace Garnet.Server.Scripting;

/// <summary>The libraries that are loaded, and the changes that clients, files and primaries make to them.</summary>
internal sealed class ServerFunctions(ScriptHost host) : ISavedBeside
{
    private FunctionCatalog? _catalog;

    /// <summary>The libraries of this moment.</summary>
    public FunctionCatalog Catalog => Volatile.Read(ref _catalog) ?? CreateFirst();

    /// <summary>Whether there are libraries.</summary>
    public bool IsEmpty => Volatile.Read(ref _catalog) is not { Libraries.Count: > 0 };

    /// <summary>The sources of all libraries, for snapshots and payloads.</summary>
    public IReadOnlyList<byte[]> Sources => IsEmpty ? [] : [.. Catalog.Libraries.Select(static library => library.Source)];

    /// <summary>Loads one library. Under the barrier.</summary>
    /// <param name="source">The library.</param>
    /// <param name="replaces">Whether it may take the place of one with its name.</param>
    /// <param name="isTrusted">Whether it was loaded before: by the primary.</param>
    /// <param name="name">Its name.</param>
    /// <returns>The error, or null.</returns>
    public string? Load(byte[] source, bool replaces, bool isTrusted, out string name)
    {
        FunctionCatalog changed = Catalog.Copy();
        string? problem = LoadInto(changed, source, replaces, isTrusted, out name);
        if (problem is null)
            Publish(changed);
        else
            changed.Runtime.KeepOnly(Catalog.Libraries);
        return problem;
    }

    /// <summary>Removes a library; false if there is none with this name. Under the barrier.</summary>
    public bool Delete(string name)
    {
        if (Catalog.FindLibrary(name) is not { } library)
            return false;
        FunctionCatalog changed = Catalog.Copy();
        changed.Remove(library);
        Publish(changed);
        return true;
    }

    /// <summary>Removes all libraries, with everything they keep.</summary>
    public void Clear()
    {
        if (!IsEmpty)
            Volatile.Write(ref _catalog, new FunctionCatalog(new FunctionRuntime(host)));
    }

    /// <summary>An empty catalog to load libraries into, which no one else sees.</summary>
    /// <param name="isFresh">Whether it is to take the place of the present one, else libraries are to be added to that. Under the barrier
    /// then.</param>
    public FunctionCatalog Prepare(bool isFresh) => new(isFresh ? new FunctionRuntime(host) : Catalog.Runtime);

    /// <summary>Makes a prepared catalog the server's.</summary>
    public void Exchange(FunctionCatalog prepared) => Volatile.Write(ref _catalog, prepared);

    /// <summary>Gives up a prepared catalog. Under the barrier.</summary>
    public void Discard(FunctionCatalog prepared)
    {
        if (ReferenceEquals(prepared.Runtime, Catalog.Runtime))
            prepared.Runtime.KeepOnly(Catalog.Libraries);
    }

    /// <summary>Adds the libraries of a prepared catalog to the present ones, all or none. Under the barrier.</summary>
    /// <param name="prepared">The libraries.</param>
    /// <param name="replaces">Whether they may take the place of those with their names.</param>
    /// <returns>The error, or null.</returns>
    public string? Join(FunctionCatalog prepared, bool replaces)
    {
        FunctionCatalog changed = Catalog.Copy();
        foreach (FunctionLibrary library in prepared.Libraries)
        {
            if (changed.FindLibrary(library.Name) is not { } old)
                continue;
            if (!replaces)
                return $"Library {library.Name} already exists";
            changed.Remove(old);
        }

        foreach (FunctionLibrary library in prepared.Libraries)
        {
            if (changed.Add(library) is { } problem)
                return problem;
        }

        Publish(changed);
        return null;
    }

    /// <summary>Replaces all libraries by those of a file. Called while clients are not served.</summary>
    /// <returns>The error, or null; then nothing was changed.</returns>
    public string? Restore(IReadOnlyList<byte[]> sources)
    {
        if (sources.Count == 0)
        {
            Clear();
            return null;
        }

        FunctionCatalog catalog = Prepare(isFresh: true);
        if (LoadAll(catalog, sources) is { } problem)
            return problem;
        Exchange(catalog);
        return null;
    }

    /// <summary>Why libraries could not be restored; null when they can. The present ones stay.</summary>
    public string? Check(IReadOnlyList<byte[]> sources) => sources.Count == 0 ? null : LoadAll(Prepare(isFresh: true), sources);

    /// <summary>Loads libraries into a catalog that no one else sees.</summary>
    /// <returns>The error, or null.</returns>
    public static string? LoadAll(FunctionCatalog catalog, IReadOnlyList<byte[]> sources)
    {
        foreach (byte[] source in sources)
        {
            if (LoadInto(catalog, source, replaces: false, isTrusted: true, out _) is { } problem)
                return problem;
        }

        return null;
    }

    /// <summary>Loads a library into a catalog that no one else sees.</summary>
    /// <inheritdoc cref="Load"/>
    public static string? LoadInto(FunctionCatalog catalog, byte[] source, bool replaces, bool isTrusted, out string name)
    {
        name = "";
        if (LibraryHeader.Read(source, out LibraryHeader header) is { } wrong)
            return wrong;
        name = header.Name;
        FunctionLibrary? old = catalog.FindLibrary(name);
        if (old is not null && !replaces)
            return $"Library '{name}' already exists";
        if (catalog.Runtime.Load(source, header, isTrusted, out FunctionLibrary library) is { } problem)
            return problem;
        if (old is not null)
            catalog.Remove(old);
        return catalog.Add(library);
    }

    private void Publish(FunctionCatalog changed)
    {
        changed.Runtime.KeepOnly(changed.Libraries);
        Volatile.Write(ref _catalog, changed);
    }

    private FunctionCatalog CreateFirst()
    {
        FunctionCatalog first = new(new FunctionRuntime(host));
        return Interlocked.CompareExchange(ref _catalog, first, null) ?? first;
    }
}
