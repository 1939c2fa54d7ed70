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
        using var interruption = new Interruption();
        var text = new ByteText(options.Output.IsTerminal);
        foreach (IReadOnlyList<RespValue> keys in new KeyScan(connection, options, interruption).Steps(KeysPerStep, stepsPerPause: 1))
        {
            foreach (RespValue key in keys)
            {
                if (options.Output.Format == OutputFormat.Standard)
                    text.AppendQuoted(key.Bytes.Span);
                else
                    text.AppendValue(key.Bytes.Span);
                text.Append("\n"u8);
            }

            host.Output.Write(text.Written);
            text.Clear();
        }

        return 0;
    }
}
