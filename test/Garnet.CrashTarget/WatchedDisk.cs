// The disk for snapshots, which reports every change to the watch first. Same threading as the wrapped disk.
using Garnet.Persistence.Files;

namespace Garnet.CrashTarget;

/// <summary>Passes everything on to a real disk, through a lossy device if there is one.</summary>
internal sealed class WatchedDisk(IDisk inner, StepWatch watch, LossyDevice? device) : IDisk
{
    public IDiskFile Create(string path, bool isDirect)
    {
        watch.Pass("create", path);
        return new WatchedFile(path, inner.Create(path, isDirect && device is null), watch, device);
    }

    public IDiskFile Open(string path) => inner.Open(path);

    public bool Exists(string path) => inner.Exists(path);

    public void Rename(string from, string to)
    {
        watch.Pass("rename", from);
        if (device is null)
            inner.Rename(from, to);
        else
            device.Hold(() => inner.Rename(from, to));
    }

    public void Delete(string path)
    {
        watch.Pass("delete", path);
        inner.Delete(path);
    }

    public void CheckWritable(string folder) => inner.CheckWritable(folder);

    public IDisposable? TryLock(string path, string holder, out string heldBy) => inner.TryLock(path, holder, out heldBy);

    public int DeleteLeftovers(string path) => inner.DeleteLeftovers(path);

    public void SyncFolder(string path)
    {
        watch.Pass("sync", path);
        device?.SyncNames();
        inner.SyncFolder(path);
    }
}
