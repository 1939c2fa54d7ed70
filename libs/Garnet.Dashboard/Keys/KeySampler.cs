// Finds large and hot keys without reading them all. Any thread.
using System.Text;
using Garnet.Client;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Login;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard.Keys;

/// <summary>
/// Measures the next keys of a scan by MEMORY USAGE and OBJECT FREQ, and answers with the first few by each. A request measures at most its
/// budget and takes at most its time, so a page that samples holds up nobody, in however many keys.
/// </summary>
internal static class KeySampler
{
    /// <summary>Keys that one request measures, about.</summary>
    public const int Budget = 1000;

    /// <summary>Keys in the answer, by each measure.</summary>
    public const int Top = 20;

    private const int ScanCount = 100;

    // A user whose rules leave out a command, or most keys, is not refused a thousand times.
    private const int MaxRefusals = 5;

    /// <summary>Answers with the largest and hottest of the next keys, and where to go on.</summary>
    public static async Task AnswerAsync(HttpContext context, DashboardSession session)
    {
        using RequestBody? body = await RequestBody.ReadAsync(context).ConfigureAwait(false);
        var scan = new KeyScan(body, session.Connection, Budget, ScanCount);
        var memory = new Measure(session.Connection, scan.Database, "MEMORY", "USAGE");
        var frequency = new Measure(session.Connection, scan.Database, "OBJECT", "FREQ");
        List<Sample> samples = [];
        do
        {
            RespValue found = await scan.NextAsync(context.RequestAborted).ConfigureAwait(false);
            if (found.IsError)
            {
                await Answer.JsonAsync(context, json => json.WriteString("error", found.ErrorMessage)).ConfigureAwait(false);
                return;
            }

            foreach (RespValue key in found.Children)
            {
                long? size = await memory.OfAsync(key.Bytes, context.RequestAborted).ConfigureAwait(false);
                long? calls = await frequency.OfAsync(key.Bytes, context.RequestAborted).ConfigureAwait(false);
                samples.Add(new Sample(key.Bytes, size, calls));
            }
        } while (scan.MayGoOn);

        await WriteAsync(context, samples, scan, memory, frequency).ConfigureAwait(false);
    }

    private static Task WriteAsync(HttpContext context, List<Sample> samples, KeyScan scan, Measure memory, Measure frequency) =>
        Answer.JsonAsync(
            context,
            json =>
            {
                scan.Write(json);
                if (memory.Refusal is not null)
                    json.WriteString("memoryProblem", memory.Refusal);
                if (frequency.Refusal is not null)
                    json.WriteString("frequencyProblem", frequency.Refusal);
                json.WriteStartArray("keys");
                foreach (Sample sample in First(samples, static each => each.Memory).Union(First(samples, static each => each.Frequency)))
                {
                    json.WriteStartObject();
                    json.WriteBase64String("key", sample.Key.Span);
                    if (sample.Memory is { } bytes)
                        json.WriteNumber("memory", bytes);
                    if (sample.Frequency is { } calls)
                        json.WriteNumber("frequency", calls);
                    json.WriteEndObject();
                }

                json.WriteEndArray();
            }
        );

    private static IEnumerable<Sample> First(List<Sample> samples, Func<Sample, long?> measure) =>
        samples.Where(each => measure(each) is not null).OrderByDescending(measure).Take(Top);

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    // Unknown is null: the key has gone, or the user may not ask.
    private sealed record Sample(ReadOnlyMemory<byte> Key, long? Memory, long? Frequency);

    // A command that measures a key, for as long as it is allowed.
    private sealed class Measure(UserConnection connection, int database, string command, string subcommand)
    {
        private int _refusals;

        public string? Refusal { get; private set; }

        public async ValueTask<long?> OfAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken)
        {
            if (_refusals >= MaxRefusals)
                return null;
            ReadOnlyMemory<byte>[] call = [Bytes(command), Bytes(subcommand), key];
            RespValue reply = await connection.CallAsync(database, call, cancellationToken).ConfigureAwait(false);
            if (reply.IsError)
            {
                Refusal = reply.ErrorMessage;
                _refusals++;
                return null;
            }

            return reply.IsNull ? null : reply.AsInt64();
        }
    }
}
