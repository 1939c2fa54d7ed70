// The append-only files that Redis or Valkey left in the data folder. One thread, while the log's lock is held.
using System.Globalization;
using Garnet.Persistence.Files;

namespace Garnet.Server.Persistence.Aof;

/// <summary>
/// Since Redis 7: a manifest in <c>appenddirname</c> and the files it names. Before that: one file in <c>dir</c>. Once this server's own
/// log contains their data, they are moved into a backup folder, so that neither this server nor the other one loads them again.
/// </summary>
internal sealed class AofFiles
{
    private const string BackupFolder = "taken-over";
    private const int MaxManifestBytes = 1 << 20;

    private readonly string _folder;

    private AofFiles(
        string folder,
        string marker,
        bool hasManifest,
        IReadOnlyList<AofFile> files,
        IReadOnlyList<string> allPaths,
        string identity
    )
    {
        _folder = folder;
        Marker = marker;
        HasManifest = hasManifest;
        Files = files;
        AllPaths = allPaths;
        Identity = identity;
    }

    /// <summary>Path of the manifest, or of the single file.</summary>
    public string Marker { get; }

    /// <summary>Whether they are files of Redis 7 and later, with a manifest.</summary>
    public bool HasManifest { get; }

    /// <summary>The files to load, in order.</summary>
    public IReadOnlyList<AofFile> Files { get; }

    /// <summary>Distinguishes these files from others that may appear later.</summary>
    public string Identity { get; }

    private IReadOnlyList<string> AllPaths { get; }

    /// <summary>Searches for the files; null when there are none.</summary>
    /// <exception cref="AppendOnlyLogException">There is a manifest, but it is damaged.</exception>
    public static AofFiles? Find(GarnetOptions options)
    {
        string folder = Path.Combine(options.Dir, options.AppendDirName);
        string manifest = Path.Combine(folder, options.AppendFileName + ".manifest");
        string single = Path.Combine(options.Dir, options.AppendFileName);
        AofFiles? found = Path.Exists(manifest) ? OfManifest(folder, manifest, single) : null;
        return found
            ?? (
                File.Exists(single)
                    ? new AofFiles(folder, single, hasManifest: false, [new AofFile(single, IsLast: true)], [single], IdentityOf(single))
                    : null
            );
    }

    /// <summary>Checks that all files exist.</summary>
    /// <exception cref="AppendOnlyLogException">One is missing.</exception>
    public void CheckPresent()
    {
        foreach (AofFile missing in Files.Where(static file => !Path.Exists(file.Path)))
        {
            throw new AppendOnlyLogException(
                missing.Path,
                0,
                "the file is missing, although the manifest names it",
                "Restore the file from a copy, or move the manifest and the other files away to start without them"
            );
        }
    }

    /// <summary>Moves the files away.</summary>
    /// <returns>The folder where they are now.</returns>
    /// <exception cref="IOException">Moving failed.</exception>
    /// <exception cref="UnauthorizedAccessException">Moving is not permitted.</exception>
    public string MoveToBackup()
    {
        string target = FindBackup();
        Directory.CreateDirectory(target);
        // The identifying file is moved last, so that an interrupted move is continued at the next start.
        foreach (string path in AllPaths.Append(Marker).Distinct().Where(File.Exists).OrderBy(path => path == Marker))
            File.Move(path, Path.Combine(target, Path.GetFileName(path)));
        SystemDisk.Instance.SyncFolder(target);
        SystemDisk.Instance.SyncFolder(_folder);
        return target;
    }

    private static AofFiles? OfManifest(string folder, string path, string single)
    {
        byte[] bytes = ReadManifest(path);
        var manifest = AofManifest.Parse(path, bytes);
        if (manifest.Files.Count == 0)
            return null;
        List<string> paths = [.. manifest.Files.Select(name => PathOf(folder, name, single))];
        AofFile[] files = [.. paths.Select((file, i) => new AofFile(file, i == paths.Count - 1))];
        return new AofFiles(
            folder,
            path,
            hasManifest: true,
            files,
            [.. manifest.AllFiles.Select(name => PathOf(folder, name, single))],
            "manifest " + HashOf(bytes)
        );
    }

    // A manifest created by upgrading an older server's single file names that file before it is moved.
    private static string PathOf(string folder, string name, string single)
    {
        string path = Path.Combine(folder, name);
        return name == Path.GetFileName(single) && !Path.Exists(path) && File.Exists(single) ? single : path;
    }

    private static byte[] ReadManifest(string path)
    {
        try
        {
            using FileStream file = RegularFile.OpenStream(path);
            if (file.Length > MaxManifestBytes)
            {
                throw new IOException(
                    string.Create(CultureInfo.InvariantCulture, $"it has {file.Length} bytes, which is too large for a manifest")
                );
            }
            byte[] bytes = new byte[file.Length];
            file.ReadExactly(bytes);
            return bytes;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AppendOnlyLogException(
                path,
                0,
                e.Message,
                "Put the manifest back, or move the append-only files away to start without them"
            );
        }
    }

    // The file's length and its end: the file may be long, and it only grew.
    private static string IdentityOf(string path)
    {
        const int EndBytes = 64 * 1024;
        try
        {
            using FileStream file = RegularFile.OpenStream(path);
            byte[] end = new byte[Math.Min(file.Length, EndBytes)];
            file.Position = file.Length - end.Length;
            file.ReadExactly(end);
            return string.Create(CultureInfo.InvariantCulture, $"file {file.Length} {HashOf(end)}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AppendOnlyLogException(path, 0, e.Message, "Put the file back, or move it away to start without it");
        }
    }

    private static string HashOf(byte[] bytes) =>
        Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(bytes).AsSpan(0, 8));

    // The first unused folder, or the one that an interrupted move has begun to fill.
    private string FindBackup()
    {
        for (int number = 1; ; number++)
        {
            string folder = Path.Combine(
                _folder,
                number == 1 ? BackupFolder : string.Create(CultureInfo.InvariantCulture, $"{BackupFolder}-{number}")
            );
            if (!Path.Exists(folder) || (Directory.Exists(folder) && !Path.Exists(Path.Combine(folder, Path.GetFileName(Marker)))))
                return folder;
        }
    }
}
