// Finds large and hot keys without reading them all. Any thread.
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

    /// <summary>Answers with the largest and hottest of the next keys, and where to go on.</summary>
    public static async Task AnswerAsync(HttpContext context, DashboardSession session, IDashboardServer server)
    {
        using RequestBody? body = await RequestBody.ReadAsync(context).ConfigureAwait(false);
        var memory = RequestMemory.Of(context);
        var scan = new KeyScan(body, session.Connection, Budget, ScanCount);
        var usage = new Measure(session.Connection, scan.Database, "MEMORY", "USAGE");
        var frequency = new Measure(session.Connection, scan.Database, "OBJECT", "FREQ") { Found = server.OwnCalls.CountHit };
        List<Sample> samples = [];
        do
        {
            RespValue found = await scan.NextAsync(memory).ConfigureAwait(false);
            if (found.IsError)
            {
                await Answer.JsonAsync(context, json => json.WriteString("error", found.ErrorMessage)).ConfigureAwait(false);
                return;
            }

            foreach (RespValue key in found.Children)
            {
                long? size = await usage.OfAsync(key.Bytes, memory).ConfigureAwait(false);
                long? calls = await frequency.OfAsync(key.Bytes, memory).ConfigureAwait(false);
                samples.Add(new Sample(key.Bytes, size, calls));
            }
        } while (scan.MayGoOn);

        await WriteAsync(context, samples, scan, usage, frequency).ConfigureAwait(false);
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

    // Unknown is null: the key has gone, or the user may not ask.
    private sealed record Sample(ReadOnlyMemory<byte> Key, long? Memory, long? Frequency);

    // A command that measures a key.
    private sealed class Measure(UserConnection connection, int database, string command, string subcommand)
    {
        private bool _isOver;

        public string? Refusal { get; private set; }

        // Told of each key that the server counts as found.
        public Action? Found { get; init; }

        public async ValueTask<long?> OfAsync(ReadOnlyMemory<byte> key, RequestMemory memory)
        {
            if (_isOver)
                return null;
            ReadOnlyMemory<byte>[] call = [.. Words.Of(command, subcommand), key];
            RespValue reply = await connection.AskAsync(database, call, memory).ConfigureAwait(false);
            if (reply.IsError)
            {
                Refusal = reply.ErrorMessage;
                // Other keys may be allowed; what the server's settings forbid, they forbid for all.
                _isOver = Refusal?.StartsWith("NOPERM", StringComparison.Ordinal) != true;
                return null;
            }

            if (reply.IsNull)
                return null;
            Found?.Invoke();
            return reply.AsInt64();
        }
    }
}
