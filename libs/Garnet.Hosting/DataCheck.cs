// Checks the files of a server that is not running. One thread.
using Garnet.Engine.Execution;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Persistence.Rdb;
using Garnet.Protocol;
using Garnet.Server.Composition;
using Garnet.Server.Persistence.Aof;
using Garnet.Server.Scripting;
using Garnet.Store;

namespace Garnet.Hosting;

/// <summary>Reads the snapshot and the append-only log as a start would, changes nothing, and reports what it found.</summary>
internal sealed class DataCheck(GarnetOptions options, TextWriter output)
{
    /// <summary>Checks all files.</summary>
    /// <returns>True when a start could load all of the data.</returns>
    public bool Run()
    {
        bool isWhole = true;
        bool hasFiles = false;
        string snapshot = Path.Combine(options.Dir, options.DbFileName);
        if (Path.Exists(snapshot))
        {
            hasFiles = true;
            isWhole &= CheckSnapshot(snapshot);
        }

        string folder = Path.Combine(options.Dir, options.AppendDirName);
        bool hasLog = Directory.Exists(folder) || File.Exists(Path.Combine(options.Dir, options.AppendFileName));
        if (hasLog)
            isWhole &= CheckLog(new LogFolder(folder), hasOther: hasFiles);
        // A path that is wrong must not look like good data; files of functions are something to check, too.
        if (!hasFiles && !hasLog && options.FunctionFiles.Count == 0)
        {
            output.WriteLine(
                $"{options.Dir}: there is no {options.DbFileName} and no {options.AppendDirName}, so there is nothing to check"
            );
            isWhole = false;
        }

        return CheckFunctions() && isWhole;
    }

    private bool CheckFunctions()
    {
        try
        {
            _ = StartFunctions.Read(options);
            return true;
        }
        catch (OptionException e)
        {
            output.WriteLine(e.Message);
            return false;
        }
    }

    private bool CheckSnapshot(string path)
    {
        try
        {
            using FileStream file = RegularFile.OpenStream(path);
            LoadSnapshot(path, file);
            return true;
        }
        catch (RdbFormatException e)
        {
            output.WriteLine($"{path}, byte {e.Offset}: {e.Reason}. Restore the file from a copy");
            return false;
        }
        catch (DataLoadException e)
        {
            output.WriteLine(e.Message);
            return false;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            output.WriteLine($"{path} cannot be read: {e.Message}");
            return false;
        }
    }

    private long LoadSnapshot(string path, Stream file)
    {
        using HybridLogStore store = new(new StoreOptions { Databases = options.Databases }, TimeProvider.System);
        store.Types.KeepsMissing = options.ModuleMissingTypes == MissingTypes.Keep;
        RdbLoadOptions loading = new() { KeepsExpired = true, TakesLaterVersions = options.RdbVersionCheck == RdbVersionCheck.Relaxed };
        RdbLoadResult result = new RdbLoader(store, loading).Load(file);
        foreach (byte[] library in result.Functions)
        {
            if (LibraryCode.Check(library) is { } problem)
                throw new DataLoadException($"{path} has a library of functions that cannot be loaded: {problem}", innerException: null);
        }

        output.WriteLine($"{path}: good, {result.Keys} keys");
        return result.Bytes;
    }

    private bool CheckLog(LogFolder folder, bool hasOther)
    {
        try
        {
            AppendLogRecovery recovery = new(folder, options.AppendFileName);
            var theirs = AofFiles.Find(options);
            if (theirs is not null && recovery.Exists && theirs.HasManifest && theirs.Identity != recovery.ImportedFrom)
            {
                output.WriteLine(
                    $"{theirs.Marker}: the folder holds append-only files of Redis or Valkey as well as this server's own log. A start refuses them; move away those that are not wanted"
                );
                return false;
            }

            if (theirs is not null && !recovery.Exists)
                return CheckOfPeer(theirs);
            if (!recovery.Exists)
            {
                output.WriteLine($"{folder.Path}: there is no log");
                return hasOther;
            }

            if (recovery.BasePath is { } snapshot && !CheckSnapshot(snapshot))
                return false;
            long effects = 0;
            LogEnd end = recovery.Read((bytes, file, position) => effects += Count(bytes, file, position), mayTruncate: true);
            output.WriteLine($"{folder.Path}: {effects} effects, {end.Bytes} bytes in {end.Generations} generation(s)");
            if (end.Truncation is not { } lost)
                return true;
            output.WriteLine(
                $"{lost.File}, byte {lost.Position}: the end is lost, {lost.LostBytes} bytes behind it are not whole. With aof-load-truncated yes a start goes on with what stands before it"
            );
            return false;
        }
        catch (Exception e) when (e is AppendOnlyLogException or DataLoadException)
        {
            output.WriteLine(e.Message);
            return false;
        }
    }

    private bool CheckOfPeer(AofFiles files)
    {
        files.CheckPresent();
        AofEffectCheck check = new(new CommandTable(CommandFamilies.All));
        AofReader reader = new((file, stream) => LoadSnapshotOfPeer(file.Path, stream), () => check, mayTruncate: true);
        foreach (AofFile file in files.Files)
            reader.Read(file);
        output.WriteLine(
            $"{files.Marker}: append-only files of Redis or Valkey, {check.Count} commands, {reader.ReadBytes} bytes in {files.Files.Count} file(s); a start with appendonly yes takes them over"
        );
        if (reader.Truncation is not { } lost)
            return true;
        output.WriteLine(
            $"{lost.File}, byte {lost.Position}: the end is lost, {lost.LostBytes} bytes behind it are not whole. With aof-load-truncated yes a start goes on with what stands before it"
        );
        return false;
    }

    private long LoadSnapshotOfPeer(string path, Stream file)
    {
        try
        {
            return LoadSnapshot(path, file);
        }
        catch (RdbFormatException e)
        {
            throw new AppendOnlyLogException(path, e.Offset, e.Reason, "Restore the file from a copy");
        }
    }

    private static long Count(ReadOnlySpan<byte> effects, string file, long position)
    {
        RequestParser parser = new() { MaxBulkBytes = int.MaxValue };
        ArgumentTable arguments = new();
        FunctionEffects functions = new();
        long count = 0;
        for (int at = 0; at < effects.Length; count++)
        {
            arguments.Clear();
            if (parser.Parse(effects, ref at, arguments, out RequestRange request) != ParseStatus.Complete)
                throw new AppendOnlyLogException(file, position, "the effects are no requests", "The log belongs to a newer server");
            if (functions.Check(effects, arguments, request) is { } problem)
            {
                throw new AppendOnlyLogException(
                    file,
                    position,
                    "an effect cannot be applied: " + problem,
                    "The log belongs to a newer server"
                );
            }
        }

        return count;
    }
}
