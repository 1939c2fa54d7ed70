// --latency-dist: round trips of PING as a spectrum of colours. One thread, until Ctrl+C.
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Options;

namespace Garnet.Cli.Modes;

/// <summary>A line for each interval; a column for each range of times, the brighter, the more of the times are in it.</summary>
internal static class LatencySpectrumMode
{
    private const int LinesPerLegend = 20;
    private static readonly TimeSpan DefaultInterval = TimeSpan.FromSeconds(1);

    private static readonly int[] Colors = [0, 233, 234, 235, 237, 239, 241, 243, 245, 247, 144, 143, 142, 184, 226, 214, 208, 202, 196];
    private static readonly int[] Greys = [0, 233, 234, 235, 237, 239, 241, 243, 245, 247, 249, 251, 253];

    // The largest time of each column, in microseconds, and its letter.
    private static readonly (long Max, char Letter)[] Columns =
    [
        (10, '.'),
        (125, '-'),
        (250, '*'),
        (500, '#'),
        (1_000, '1'),
        (2_000, '2'),
        (3_000, '3'),
        (4_000, '4'),
        (5_000, '5'),
        (6_000, '6'),
        (7_000, '7'),
        (8_000, '8'),
        (9_000, '9'),
        (10_000, 'A'),
        (20_000, 'B'),
        (30_000, 'C'),
        (40_000, 'D'),
        (50_000, 'E'),
        (100_000, 'F'),
        (200_000, 'G'),
        (300_000, 'H'),
        (400_000, 'I'),
        (500_000, 'J'),
        (1_000_000, 'K'),
        (2_000_000, 'L'),
        (4_000_000, 'M'),
        (8_000_000, 'N'),
        (16_000_000, 'O'),
        (30_000_000, 'P'),
        (60_000_000, 'Q'),
        (long.MaxValue, '?'),
    ];

    /// <summary>Runs it.</summary>
    /// <returns>The exit code.</returns>
    public static int Run(CliOptions options, CliHost host, CliSession session)
    {
        using var interruption = new Interruption(session.Abort);
        int[] palette = options.IsMonochrome ? Greys : Colors;
        TimeSpan interval = options.Interval is { } given && given > TimeSpan.Zero ? given : DefaultInterval;
        long lines = options.Repeat is > 0 and var repeat ? repeat : long.MaxValue;
        for (long line = 0; line < lines && !interruption.IsRequested; line++)
        {
            if (Sample(session, interval, interruption) is not { } counts)
                break;
            string legend = line % LinesPerLegend == 0 ? Legend(palette) : "";
            host.Output.Write(Encoding.ASCII.GetBytes(legend + Line(counts, palette)));
        }

        return 0;
    }

    // Null where the user has asked to end.
    private static long[]? Sample(CliSession session, TimeSpan interval, Interruption interruption)
    {
        long[] counts = new long[Columns.Length];
        long start = Stopwatch.GetTimestamp();
        do
        {
            if (session.CallReconnecting("PING", interruption, out TimeSpan time) is null)
                return null;
            counts[Array.FindIndex(Columns, each => time.TotalMicroseconds <= each.Max)]++;
        } while (!interruption.Wait(TimeSpan.FromMilliseconds(1)) && Stopwatch.GetElapsedTime(start) < interval);
        return counts;
    }

    private static string Line(long[] counts, int[] palette)
    {
        var line = new StringBuilder("\u001b[38;5;0m");
        long total = counts.Sum();
        for (int i = 0; i < counts.Length; i++)
        {
            int color = palette[(int)Math.Ceiling((double)counts[i] / total * (palette.Length - 1))];
            line.Append(CultureInfo.InvariantCulture, $"\u001b[48;5;{color}m{Columns[i].Letter}");
        }

        return line.Append("\u001b[0m\n").ToString();
    }

    private static string Legend(int[] palette)
    {
        string scale = string.Concat(palette.Select(static color => $"\u001b[48;5;{color}m "));
        return $"""
            ---------------------------------------------
            . - * #          .01 .125 .25 .5 milliseconds
            1,2,3,...,9      from 1 to 9     milliseconds
            A,B,C,D,E        10,20,30,40,50  milliseconds
            F,G,H,I,J        .1,.2,.3,.4,.5       seconds
            K,L,M,N,O,P,Q,?  1,2,4,8,16,30,60,>60 seconds
            From 0 to 100%: {scale}{"\u001b[0m"}
            ---------------------------------------------

            """;
    }
}
