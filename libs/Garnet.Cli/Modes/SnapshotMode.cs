// --rdb and --functions-rdb: a snapshot of the server into a file. One thread, then the process ends.
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Cli.Output;

namespace Garnet.Cli.Modes;

/// <summary>Writes beside the file and renames at the end: the file is whole, or as it was.</summary>
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
        var snapshot = new SnapshotStream(connection);
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
        string partial = path + PartialSuffix;
        try
        {
            long written = Receive(partial, snapshot, progress);
            File.Move(partial, path, overwrite: true);
            return written;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CliException($"Error writing '{path}': {e.Message}");
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
