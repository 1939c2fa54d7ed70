// --scan: lists keys. One thread, then the process ends.
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Cli.Output;
using Garnet.Client;

namespace Garnet.Cli.Modes;

/// <summary>Prints a key a line, quoted in output for people.</summary>
internal static class ScanMode
{
    private const int KeysPerStep = 10;

    /// <summary>Runs it.</summary>
    /// <returns>The exit code.</returns>
    public static int Run(CliOptions options, CliHost host, CliConnection connection)
    {
        using var interruption = new Interruption(connection.Abort);
        try
        {
            Run(options, host, new KeyScan(connection, options, interruption));
        }
        catch (ConnectionLostException) when (interruption.IsRequested)
        {
            // Its wait for a step's keys was ended.
        }

        // A part of the keys must not pass for all of them.
        return interruption.IsRequested ? CliException.Interrupted : 0;
    }

    private static void Run(CliOptions options, CliHost host, KeyScan scan)
    {
        var text = new ByteText(options.Output.IsTerminal, host.Output);
        foreach (IReadOnlyList<RespValue> keys in scan.Steps(KeysPerStep, stepsPerPause: 1))
        {
            foreach (RespValue key in keys)
            {
                if (options.Output.Format == OutputFormat.Standard)
                    text.AppendQuoted(key.Bytes.Span);
                else
                    text.AppendValue(key.Bytes.Span);
                text.Append("\n"u8);
            }

            text.Flush();
        }
    }
}
