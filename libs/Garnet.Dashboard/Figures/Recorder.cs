// Records the server's figures, whether anybody looks or not. One thread at a time.
using System.Diagnostics;
using Garnet.Client;

namespace Garnet.Dashboard.Figures;

/// <summary>Looks at the server once a second.</summary>
internal sealed class Recorder(IDashboardServer server, TimeProvider time)
{
    private static readonly ReadOnlyMemory<byte>[] Info = Words.Of(
        "INFO",
        "clients",
        "memory",
        "persistence",
        "stats",
        "replication",
        "cpu",
        "keyspace",
        "tier"
    );

    private static readonly ReadOnlyMemory<byte>[] Histogram = Words.Of("LATENCY", "HISTOGRAM");

    private readonly LatencyWindow _latencies = new();
    private readonly float[] _row = new float[FigureList.Count];
    private InfoFields? _before;
    private long _infoAt;
    private long _histogramAt;

    /// <summary>The last hour.</summary>
    public History History { get; } = new();

    /// <summary>The latest values.</summary>
    public ReadOnlySpan<float> Latest => _row;

    /// <summary>The second of the latest values, in Unix time.</summary>
    public long LatestSecond { get; private set; }

    /// <summary>Looks, and notes what has changed since the last look.</summary>
    public async Task LookAsync(CancellationToken cancellationToken)
    {
        long now = time.GetTimestamp();
        RespValue info = await server.CallAsync(Info, cancellationToken).ConfigureAwait(false);
        RespValue histogram = await server.CallAsync(Histogram, cancellationToken).ConfigureAwait(false);
        Array.Fill(_row, float.NaN);
        if (!info.IsError)
        {
            var fields = new InfoFields(info.Bytes.Span, server.OwnCalls);
            Write(fields, time.GetElapsedTime(_infoAt, now).TotalSeconds);
            (_before, _infoAt) = (fields, now);
        }

        if (!histogram.IsError)
        {
            _latencies.Take(histogram, server.OwnCalls);
            _latencies.Write(_row, time.GetElapsedTime(_histogramAt, now).TotalSeconds);
            _histogramAt = now;
            await FindFamiliesAsync(cancellationToken).ConfigureAwait(false);
        }

        LatestSecond = time.GetUtcNow().ToUnixTimeSeconds();
        History.Add(LatestSecond, _row);
    }

    private void Write(InfoFields fields, double seconds)
    {
        for (int i = 0; i < FigureList.OfInfo.Length; i++)
        {
            (_, string field, bool isRate) = FigureList.OfInfo[i];
            double value = fields.Of(field);
            if (isRate)
                value = Since(fields, field) / seconds;
            // Most saves begin and end between two looks.
            if (field == "saving" && _before is not null && fields.Of("saves") > _before.Of("saves"))
                value = 1;
            _row[i] = (float)value;
        }
    }

    private double Since(InfoFields fields, string field)
    {
        if (_before is null)
            return double.NaN;
        double value = fields.Of(field);
        double since = value - _before.Of(field);
        // CONFIG RESETSTAT and a new history begin anew.
        return Math.Max(0, (since < 0 ? value : since) - (fields.OwnOf(field) - _before.OwnOf(field)));
    }

    private async ValueTask FindFamiliesAsync(CancellationToken cancellationToken)
    {
        string[] unknown = [.. _latencies.Unknown];
        if (unknown.Length == 0)
            return;
        RespValue answers = await server.CallAsync(Words.Of(["COMMAND", "INFO", .. unknown]), cancellationToken).ConfigureAwait(false);
        if (answers.IsError)
            return;
        for (int i = 0; i < unknown.Length; i++)
            _latencies.SetFamily(unknown[i], FamilyOf(answers[i]));
    }

    // Element 6 of COMMAND INFO is the ACL categories.
    private static int FamilyOf(RespValue command)
    {
        const int Categories = 6;
        HashSet<string> categories =
            command.Children.Count > Categories ? [.. command[Categories].Children.Select(static name => name.AsString() ?? "")] : [];
        string family =
            categories.Contains("@scripting") ? "scripts"
            : categories.Contains("@stream") ? "streams"
            : categories.Contains("@sortedset") || categories.Contains("@geo") ? "sorted sets"
            : categories.Contains("@hash") ? "hashes"
            : categories.Contains("@list") ? "lists"
            : categories.Contains("@set") ? "sets"
            : categories.Contains("@string") || categories.Contains("@bitmap") || categories.Contains("@hyperloglog") ? "strings"
            : categories.Contains("@pubsub") ? "messages"
            : categories.Contains("@keyspace") ? "keys"
            : "other";
        Debug.Assert(FigureList.Families.Contains(family), "The family has no column.");
        return Array.IndexOf(FigureList.Families, family);
    }
}
