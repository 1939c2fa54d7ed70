// The files of a tier: values that are not in memory. Thread-safe.
using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Store;
using Garnet.Store.Tiering;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.Tier;

/// <summary>
/// Files of at most 1 GiB in a folder of their own, which is locked. They are created as they are needed, read and written past the page
/// cache where the file system can, by a few threads, and overwritten instead of deleted; what is found in them at the start is not read.
/// </summary>
internal sealed class TierFiles : ITierDevice
{
    /// <summary>What one file holds.</summary>
    public const long FileBytes = 1L << 30;

    private const string LockName = "tier.lock";
    private const string NamePattern = "tier-*.values";
    private const int SectorBytes = 4096;
    private const int Threads = 16;
    private static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private readonly Dictionary<int, SafeFileHandle> _files = [];
    private readonly BlockingCollection<Request> _requests = [];
    private readonly List<Thread> _threads = [];
    private readonly string _folder;
    private readonly FileLock _lock;
    private int _idle;

    private TierFiles(string folder, FileLock held)
    {
        _folder = folder;
        _lock = held;
    }

    /// <inheritdoc/>
    public int Alignment => SectorBytes;

    /// <summary>Takes a folder for the files, creating it if it is missing; what an earlier server left there is emptied.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="holder">Says who holds it, for others that want it.</param>
    /// <exception cref="IOException">It is held by another server, or cannot be used.</exception>
    /// <exception cref="UnauthorizedAccessException">It cannot be used.</exception>
    public static TierFiles Open(string folder, string holder)
    {
        if (HostSystem.IsWindows)
            Directory.CreateDirectory(folder);
        else
            Directory.CreateDirectory(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        FileLock held =
            FileLock.TryTake(Path.Combine(folder, LockName), holder, out string heldBy)
            ?? throw new IOException($"'{folder}' is used by {heldBy}");
        var files = new TierFiles(folder, held);
        try
        {
            files.DeleteAll();
        }
        catch
        {
            held.Dispose();
            throw;
        }

        return files;
    }

    /// <inheritdoc/>
    public void Write(long position, nint source, int bytes, Action<int> done) =>
        Add(new Request(position, source, bytes, IsWrite: true, done));

    /// <inheritdoc/>
    public void Read(long position, nint target, int bytes, Action<int> done) =>
        Add(new Request(position, target, bytes, IsWrite: false, done));

    /// <inheritdoc/>
    public void Dispose()
    {
        _requests.CompleteAdding();
        foreach (Thread thread in _threads)
        {
            // A disk that hangs keeps its thread; its files and memory are left to the end of the process.
            if (!thread.Join(StopPatience))
                return;
        }

        foreach (SafeFileHandle file in _files.Values)
            file.Dispose();
        try
        {
            DeleteAll();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The next start deletes them.
        }

        _lock.Dispose();
        _requests.Dispose();
    }

    private void Add(Request request)
    {
        _requests.Add(request);
        if (Volatile.Read(ref _idle) >= _requests.Count)
            return;
        lock (_gate)
        {
            if (_threads.Count >= Threads)
                return;
            var thread = new Thread(Serve) { IsBackground = true, Name = "garnet-tier-io" };
            _threads.Add(thread);
            thread.Start();
        }
    }

    private void Serve()
    {
        Interlocked.Increment(ref _idle);
        foreach (Request request in _requests.GetConsumingEnumerable())
        {
            Interlocked.Decrement(ref _idle);
            request.Done(Transfer(request));
            Interlocked.Increment(ref _idle);
        }
    }

    private int Transfer(in Request request)
    {
        long position = request.Position;
        nint memory = request.Memory;
        int left = request.Bytes;
        try
        {
            while (left > 0)
            {
                SafeFileHandle file = FileOf(position);
                long offset = position % FileBytes;
                int part = (int)Math.Min(left, FileBytes - offset);
                int moved = request.IsWrite ? FileCalls.Write(file, memory, part, offset) : FileCalls.Read(file, memory, part, offset);
                if (moved == -FileCalls.Interrupted)
                    continue;
                if (moved <= 0)
                    return moved == 0 ? FileCalls.InputOutput : -moved;
                position += moved;
                memory += moved;
                left -= moved;
            }

            return 0;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return FileCalls.NumberOf(e);
        }
    }

    private SafeFileHandle FileOf(long position)
    {
        int number = (int)(position / FileBytes);
        lock (_gate)
        {
            if (!_files.TryGetValue(number, out SafeFileHandle? file))
            {
                file = Create(Path.Combine(_folder, $"tier-{number:D6}.values"));
                _files.Add(number, file);
            }

            return file;
        }
    }

    private SafeFileHandle Create(string path)
    {
        File.Delete(path);
        SafeFileHandle file = RegularFile.TryCreateNewDirect(path) ?? RegularFile.CreateNew(path);
        if (!HostSystem.IsWindows)
            File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        return file;
    }

    // Values stay on the disk after a kill until then.
    private void DeleteAll()
    {
        foreach (string path in Directory.EnumerateFiles(_folder, NamePattern))
            File.Delete(path);
    }

    [StructLayout(LayoutKind.Auto)]
    private readonly record struct Request(long Position, nint Memory, int Bytes, bool IsWrite, Action<int> Done);
}
