// Looks through the files of a server that is not running. One thread.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Rdb;
using Garnet.Protocol;
using Garnet.Server.Configuration;
using Garnet.Store;

namespace Garnet.Hosting;

/// <summary>Reads the snapshot and the append-only log as a start would, changes nothing, and tells what it found.</summary>
public sealed class DataCheck(GarnetOptions options, TextWriter output)
{
    /// <summary>Checks everything there is.</summary>
    /// <returns>True when a start would bring all of it back.</returns>
    public bool Run()
    {
        bool isWhole = true;
        bool hasFiles = false;
        string snapshot = Path.Combine(options.Dir, options.DbFileName);
        if (File.Exists(snapshot))
        {
            hasFiles = true;
            isWhole &= CheckSnapshot(snapshot);
        }

        string folder = Path.Combine(options.Dir, options.AppendDirName);
        if (Directory.Exists(folder))
        {
            hasFiles = true;
            isWhole &= CheckLog(new LogFolder(folder));
        }

        if (!hasFiles)
            output.WriteLine($"{options.Dir}: there is no {options.DbFileName} and no {options.AppendDirName}");
        return isWhole;
    }

    private bool CheckSnapshot(string path)
    {
        try
        {
            using HybridLogStore store = new(new StoreOptions { Databases = options.Databases }, TimeProvider.System);
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 1);
            RdbLoadResult result = new RdbLoader(store, new RdbLoadOptions { KeepsExpired = true }).Load(file);
            output.WriteLine($"{path}: good, {result.Keys} keys");
            return true;
        }
        catch (RdbFormatException e)
        {
            output.WriteLine($"{path}, byte {e.Offset}: {e.Reason}. Restore the file from a copy");
            return false;
        }
    }

    private bool CheckLog(LogFolder folder)
    {
        try
        {
            AppendLogRecovery recovery = new(folder, options.AppendFileName);
            if (!recovery.Exists)
            {
                output.WriteLine($"{folder.Path}: there is no log");
                return true;
            }

            if (recovery.BasePath is { } snapshot && !CheckSnapshot(snapshot))
                return false;
            long effects = 0;
            LogEnd end = recovery.Read((bytes, file, position) => effects += Count(bytes, file, position), mayTruncate: true);
            output.WriteLine($"{folder.Path}: {effects} effects, {end.Bytes} bytes in {end.Generations} generation(s)");
            if (end.Truncation is not { } lost)
                return true;
            output.WriteLine($"{lost.File}, byte {lost.Position}: the end is lost, {lost.LostBytes} bytes behind it are not whole. With aof-load-truncated yes a start goes on with what stands before it");
            return false;
        }
        catch (AppendLogException e)
        {
            output.WriteLine(e.Message);
            return false;
        }
    }

    private static long Count(ReadOnlySpan<byte> effects, string file, long position)
    {
        RequestParser parser = new() { MaxBulkBytes = int.MaxValue };
        ArgumentTable arguments = new();
        long count = 0;
        for (int at = 0; at < effects.Length; count++)
        {
            arguments.Clear();
            if (parser.Parse(effects, ref at, arguments, out _) != ParseStatus.Complete)
                throw new AppendLogException(file, position, "the effects are no requests", "The log belongs to a newer server");
        }

        return count;
    }
}
