// A disk that stores nothing. Stateless; any thread.
namespace Garnet.Persistence.Files;

/// <summary>Accepts writes as a direct file would, and discards them.</summary>
internal sealed class NullDisk : IDisk
{
    /// <inheritdoc/>
    public IDiskFile Create(string path, bool isDirect) => new NullFile();

    /// <inheritdoc/>
    public IDiskFile Open(string path) => throw new FileNotFoundException("There are no files here.", path);

    /// <inheritdoc/>
    public bool Exists(string path) => false;

    /// <inheritdoc/>
    public void Rename(string from, string to) { }

    /// <inheritdoc/>
    public void Delete(string path) { }

    /// <inheritdoc/>
    public IDisposable? TryLock(string path, string holder, out string heldBy)
    {
        heldBy = "";
        return new NullFile();
    }

    /// <inheritdoc/>
    public void CheckWritable(string folder) { }

    /// <inheritdoc/>
    public int DeleteLeftovers(string path) => 0;

    /// <inheritdoc/>
    public void SyncFolder(string path) { }
}
