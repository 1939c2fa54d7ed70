// --stat: a line of statistics each second. One thread, until Ctrl+C.
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Client;

namespace Garnet.Cli.Modes;

/// <summary>Prints figures of INFO; -i is the interval, -r the number of lines.</summary>
internal static class StatisticsMode
{
    private const int LinesPerHeading = 20;
    private static readonly TimeSpan DefaultInterval = TimeSpan.FromSeconds(1);

    private const string Heading =
        "------- data ------ --------------------- load -------------------- - child -\n"
        + "keys       mem      clients blocked requests            connections          \n";

    /// <summary>Runs it.</summary>
    /// <returns>The exit code.</returns>
    public static int Run(CliOptions options, CliHost host, CliSession session)
    {
        using var interruption = new Interruption(session.Abort);
        TimeSpan interval = options.Interval is { } given && given > TimeSpan.Zero ? given : DefaultInterval;
        long lines = options.Repeat is > 0 and var repeat ? repeat : long.MaxValue;
        long? before = null;
        for (long line = 0; line < lines && !interruption.IsRequested; line++)
        {
            if (line > 0 && interruption.Wait(interval))
                break;
            if (session.CallReconnecting("INFO", interruption, out _) is not { } reply)
                break;
            if (reply.IsError)
                throw new CliException($"ERROR: {reply.Text}");
            var info = new ServerInformation(reply.Text);
            string heading = line % LinesPerHeading == 0 ? Heading : "";
            host.Output.Write(Encoding.UTF8.GetBytes(heading + Line(info, before)));
            before = info.Number("total_commands_processed");
        }

        return 0;
    }

    private static string Line(ServerInformation info, long? before)
    {
        long requests = info.Number("total_commands_processed");
        string rate = $"{requests} (+{requests - (before ?? requests)})";
        string child = string.Join(
            '+',
            new[] { ("rdb_bgsave_in_progress", "SAVE"), ("aof_rewrite_in_progress", "AOF"), ("loading", "LOAD") }
                .Where(each => info.Number(each.Item1) > 0)
                .Select(static each => each.Item2)
        );
        return $"{info.Keys, -11}{Human(info.Number("used_memory")), -8} {info.Number("connected_clients"), -8}"
            + $"{info.Number("blocked_clients"), -8}{rate, -19} {info.Number("total_connections_received"), -12}{child}\n";
    }

    private static string Human(long bytes) =>
        bytes switch
        {
            < 1L << 10 => $"{bytes}B",
            < 1L << 20 => Scaled(bytes, 1L << 10, 'K'),
            < 1L << 30 => Scaled(bytes, 1L << 20, 'M'),
            _ => Scaled(bytes, 1L << 30, 'G'),
        };

    private static string Scaled(long bytes, long unit, char letter) =>
        string.Create(CultureInfo.InvariantCulture, $"{(double)bytes / unit:F2}{letter}");
}
