// --replica: the changes of the server as its replicas receive them. One thread, until Ctrl+C.
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Cli.Output;

namespace Garnet.Cli.Modes;

/// <summary>Discards the snapshot and prints each command that follows, as comma-separated values.</summary>
internal static class ReplicaMode
{
    /// <summary>Runs it.</summary>
    /// <param name="options">Whether standard output is a terminal.</param>
    /// <param name="host">Takes the commands.</param>
    /// <param name="connection">The server.</param>
    /// <param name="report">Prints a message.</param>
    /// <returns>The exit code.</returns>
    public static int Run(CliOptions options, CliHost host, CliConnection connection, Action<string> report)
    {
        var snapshot = new SnapshotStream(connection);
        // A server that does not know these sends a whole snapshot, with its length.
        snapshot.Configure("capa", "eof");
        snapshot.Configure("rdb-filter-only", "");
        snapshot.Begin();
        report("Full resync with the server, discarding the snapshot...");
        long discarded = snapshot.CopyTo(static _ => { });
        report($"Full resync done after {discarded} bytes. Logging commands from the server.");
        connection.Append("REPLCONF", "ACK", "0");
        connection.Flush();
        var output = new OutputOptions { Format = OutputFormat.Csv, IsTerminal = options.Output.IsTerminal };
        var printer = new ReplyPrinter(output, host.Output);
        while (true)
            printer.Print(connection.Read());
    }
}
