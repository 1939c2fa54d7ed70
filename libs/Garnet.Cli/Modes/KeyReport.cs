// The lines that the modes about keys print. One thread.
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Output;
using Garnet.Client;

namespace Garnet.Cli.Modes;

/// <summary>Heading, progress and summary of --bigkeys, --memkeys and --hotkeys.</summary>
/// <param name="host">Takes the lines.</param>
internal sealed class KeyReport(CliHost host)
{
    private const long ProgressStep = 1_000_000;

    private readonly ByteText _text = new(host.OutputIsTerminal, host.Output);
    private long _total;

    /// <summary>The keys looked at so far.</summary>
    public long Sampled { get; private set; }

    /// <summary>Asks for the number of keys and prints the heading.</summary>
    public void Begin(CliConnection connection, string aim)
    {
        RespValue size = connection.Call("DBSIZE");
        if (size.IsError || !size.TryGetInt64(out _total))
            throw new CliException($"Couldn't determine DBSIZE: {size}");
        // Replicas of a cluster answer reads after it; servers without a cluster refuse it, which is as good.
        connection.Call("READONLY");
        Write(
            $"\n# Scanning the entire keyspace to find {aim} as well as\n"
                + "# average sizes per key type.  You can use -i 0.1 to sleep 0.1 sec\n"
                + "# per 100 SCAN commands (not usually needed).\n\n"
        );
    }

    /// <summary>The share of the keys that were looked at, for the beginning of a line.</summary>
    public string Percent =>
        string.Create(CultureInfo.InvariantCulture, $"[{(_total == 0 ? 100 : Math.Min(100.0 * Sampled / _total, 100)):00.00}%]");

    /// <summary>Counts a key, and says so now and then.</summary>
    public void Count()
    {
        if (++Sampled % ProgressStep == 0)
            Write($"{Percent} Sampled {Sampled} keys so far\n");
    }

    /// <summary>Begins the summary.</summary>
    public void Summarize(bool isPartial)
    {
        Write("\n-------- Summary --------\n\n");
        Write($"{(isPartial ? Percent + " " : "")}Sampled {Sampled} keys in the keyspace!\n");
    }

    /// <summary>Prints a text of our own, which may name a type as the server does.</summary>
    public void Write(string text)
    {
        _text.AppendValue(Encoding.UTF8.GetBytes(text));
        _text.Flush();
    }

    /// <summary>Prints a line with a key in it, quoted.</summary>
    public void Write(string before, ReadOnlySpan<byte> key, string after)
    {
        _text.AppendValue(Encoding.UTF8.GetBytes(before));
        _text.AppendQuoted(key);
        _text.AppendValue(Encoding.UTF8.GetBytes(after));
        _text.Flush();
    }
}
