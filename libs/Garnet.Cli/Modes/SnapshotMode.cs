// --rdb and --functions-rdb: a snapshot of the server into a file. One thread, then the process ends.
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Cli.Output;

namespace Garnet.Cli.Modes;

/// <summary>
/// Writes beside the file and renames at the end: the file is whole, or as it was. Devices and pipes get the bytes themselves.
/// </summary>
internal static class SnapshotMode
{
    private const string StandardOutput = "-";
    private const string PartialSuffix = ".part";

    /// <summary>Runs it.</summary>
    /// <param name="options">The file.</param>
    /// <param name="host">Takes the bytes, if the file is <c>-</c>.</param>
    /// <param name="connection">The server.</param>
    /// <param name="report">Prints a message.</param>
    /// <returns>The exit code.</returns>
    public static int Run(CliOptions options, CliHost host, CliConnection connection, Action<string> report)
    {
        using var interruption = new Interruption(connection.Abort);
        try
        {
            return Run(options, host, new SnapshotStream(connection), report);
        }
        catch (ConnectionLostException) when (interruption.IsRequested)
        {
            throw new CliException("Interrupted: no snapshot was written", CliException.Interrupted);
        }
    }

    private static int Run(CliOptions options, CliHost host, SnapshotStream snapshot, Action<string> report)
    {
        // A server that does not know these sends a length, or the stream of changes behind the snapshot, which is not read.
        snapshot.Configure("capa", "eof");
        snapshot.Configure("rdb-only", "1");
        if (options.TakesFunctionsOnly && !snapshot.Configure("rdb-filter-only", "functions"))
            throw new CliException("Failed requesting functions only RDB from server, aborting");
        snapshot.Begin();
        string amount = snapshot.Length is { } length ? $"{length} bytes" : "bytes of bulk transfer until EOF marker";
        report($"SYNC sent to the server, writing {amount} to '{options.File}'");
        long written =
            options.File == StandardOutput
                ? snapshot.CopyTo(bytes => host.Output.Write(bytes.Span))
                : WriteFile(options.File, snapshot, new ProgressLine(host));
        report($"Transfer finished with success after {written} bytes");
        return 0;
    }

    private static long WriteFile(string path, SnapshotStream snapshot, ProgressLine progress)
    {
        if (Directory.Exists(path))
            throw new CliException($"Error writing '{path}': it is a folder");
        try
        {
            using FileStream? device = TryOpenDevice(path);
            if (device is not null)
                return snapshot.CopyTo(bytes => device.Write(bytes.Span));
            // The file that a link names is replaced, not the link.
            if (new FileInfo(path).LinkTarget is not null)
                path = File.ResolveLinkTarget(path, returnFinalTarget: true)!.FullName;
            string partial = path + PartialSuffix;
            long written = Receive(partial, snapshot, progress);
            File.Move(partial, path, overwrite: true);
            return written;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CliException($"Error writing '{path}': {e.Message}");
        }
    }

    // A device or a pipe would be replaced by the file that gets its name.
    private static FileStream? TryOpenDevice(string path)
    {
        if (OperatingSystem.IsWindows() || !File.Exists(path))
            return null;
        FileStream file;
        try
        {
            file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        }
        catch (FileNotFoundException)
        {
            // A link to what is not there yet.
            return null;
        }

        if (!IsRegular(file))
            return file;
        file.Dispose();
        return null;
    }

    // Others cannot be cut, not even to the length that they have.
    private static bool IsRegular(FileStream file)
    {
        try
        {
            file.SetLength(file.Length);
            return true;
        }
        catch (Exception e) when (e is IOException or ArgumentException or NotSupportedException)
        {
            return false;
        }
    }

    private static long Receive(string partial, SnapshotStream snapshot, ProgressLine progress)
    {
        using FileStream file = File.Create(partial);
        try
        {
            long received = 0;
            long written = snapshot.CopyTo(bytes =>
            {
                file.Write(bytes.Span);
                received += bytes.Length;
                progress.Show(received, snapshot.Length, "bytes");
            });
            file.Flush(flushToDisk: true);
            return written;
        }
        catch
        {
            File.Delete(partial);
            throw;
        }
        finally
        {
            progress.End();
        }
    }
}
