// LATENCY GRAPH event
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Latency;

/// <summary>Draws the samples of an event as columns, oldest first, with their ages below.</summary>
internal sealed class LatencyGraphCommand(CommandLogs logs)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GRAPH",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.8.13",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
        MakeHandler = static parts => new LatencyGraphCommand(parts.Get<CommandLogs>()).Execute,
    };

    private const int Width = 80;
    private const int Height = 4;

    private void Execute(ref CommandContext context)
    {
        string name = ArgumentText.Printable(context[2]);
        if (logs.Latency.Find(name) is { } series)
            context.Reply.WriteVerbatim("txt"u8, Encoding.Latin1.GetBytes(Draw(name, series, context.NowMs / 1000)));
        else
            ArgumentText.WriteError(ref context, $"ERR No samples available for event '{name}'");
    }

    private static string Draw(string name, LatencySeries series, long nowSeconds)
    {
        LatencySample[] samples = series.Samples;
        long high = samples.Max(sample => sample.Milliseconds),
            low = samples.Min(sample => sample.Milliseconds);
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"{name} - high {high} ms, low {low} ms (all time high {series.WorstMs} ms)\n");
        text.Append('-', Width).Append('\n');
        foreach (LatencySample[] row in samples.Chunk(Width))
            DrawRow(text, row, low, high, nowSeconds);
        return text.ToString();
    }

    private static void DrawRow(StringBuilder text, LatencySample[] samples, long low, long high, long nowSeconds)
    {
        int[] heights = [.. samples.Select(sample => high == low ? Height : (int)((sample.Milliseconds - low) * Height / (high - low)))];
        for (int line = Height; line >= 0; line--)
        {
            // The lowest samples are drawn as a dash on the base line.
            foreach (int height in heights)
            {
                text.Append(
                    height == line ? (line == 0 ? '_' : '#')
                    : height > line ? '|'
                    : ' '
                );
            }

            text.Append('\n');
        }

        string[] ages = [.. samples.Select(sample => Age(nowSeconds - sample.UnixSeconds))];
        for (int line = 0; line < ages.Max(age => age.Length); line++)
        {
            foreach (string age in ages)
                text.Append(line < age.Length ? age[line] : ' ');
            text.Append('\n');
        }
    }

    private static string Age(long seconds)
    {
        (long value, char unit) = seconds switch
        {
            < 60 => (seconds, 's'),
            < 3600 => (seconds / 60, 'm'),
            < 86400 => (seconds / 3600, 'h'),
            _ => (seconds / 86400, 'd'),
        };
        return string.Create(CultureInfo.InvariantCulture, $"{value}{unit}");
    }
}
