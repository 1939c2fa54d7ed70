// --hotkeys: the keys that are used most. One thread, then the process ends.
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Client;

namespace Garnet.Cli.Modes;

/// <summary>Asks for the access counters of all keys, which a server with an LFU policy keeps.</summary>
internal static class HotKeysMode
{
    /// <summary>Runs it.</summary>
    /// <returns>The exit code.</returns>
    public static int Run(CliOptions options, CliHost host, CliConnection connection)
    {
        using var interruption = new Interruption(connection.Abort);
        host.YieldProcessor();
        var report = new KeyReport(host);
        var hottest = new List<(byte[] Key, long Counter)>();
        try
        {
            report.Begin(connection, "hot keys");
            var scan = new KeyScan(connection, options, interruption);
            foreach (IReadOnlyList<RespValue> keys in scan.Groups())
            {
                foreach (RespValue key in keys)
                    connection.Append(["OBJECT"u8.ToArray(), "FREQ"u8.ToArray(), key.Bytes.ToArray()]);
                Count(keys, scan.Ask(keys.Count), hottest, report, options.Scan.HotKeys);
            }
        }
        catch (ConnectionLostException) when (interruption.IsRequested)
        {
            // What was found before is summarized.
        }

        report.Summarize(interruption.IsRequested);
        foreach ((byte[] key, long counter) in hottest)
            report.Write($"hot key found with counter: {counter}\tkeyname: ", key, "\n");
        return 0;
    }

    private static void Count(
        IReadOnlyList<RespValue> keys,
        RespValue[] replies,
        List<(byte[] Key, long Counter)> hottest,
        KeyReport report,
        int most
    )
    {
        string percent = report.Percent;
        foreach ((RespValue key, RespValue reply) in keys.Zip(replies))
        {
            long counter = ReadCounter(reply);
            report.Count();
            if (TryInsert(hottest, key.Bytes, counter, most))
                report.Write($"{percent} Hot key '", key.Bytes.Span, $"' found so far with counter {counter}\n");
        }
    }

    // A key that is gone counts as unused.
    private static long ReadCounter(RespValue reply)
    {
        if (reply.IsError)
            throw new CliException($"Error: {reply.Text}");
        return reply.Kind == RespKind.Integer ? reply.Integer : 0;
    }

    // Descending by counter.
    private static bool TryInsert(List<(byte[] Key, long Counter)> hottest, ReadOnlyMemory<byte> key, long counter, int most)
    {
        if (counter == 0 || (hottest.Count == most && hottest[^1].Counter >= counter))
            return false;
        int at = hottest.FindIndex(each => each.Counter < counter);
        hottest.Insert(at < 0 ? hottest.Count : at, (key.ToArray(), counter));
        if (hottest.Count > most)
            hottest.RemoveAt(most);
        return true;
    }
}
