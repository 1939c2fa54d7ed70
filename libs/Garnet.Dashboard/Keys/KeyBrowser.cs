// Finds keys, and shows their values in pages. Any thread.
using System.Globalization;
using System.Text.Json;
using Garnet.Client;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Login;
using Garnet.Dashboard.Panels;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard.Keys;

/// <summary>
/// A search goes on until it has a page of keys, has examined its budget, or has taken its time; then the page asks again with the cursor.
/// So the server is never held up, whatever is looked for in however many keys. There is no filter by type, which would examine keys
/// without showing any.
/// </summary>
internal static class KeyBrowser
{
    /// <summary>Keys that one request examines, about.</summary>
    public const int Budget = 20_000;

    private const int MaxKeys = 200;
    private const int ScanCount = 500;
    private const int PageBytes = 64 * 1024;
    private const int MaxElements = 100;

    private static readonly Dictionary<string, string> LengthCommands = new(StringComparer.Ordinal)
    {
        ["string"] = "STRLEN",
        ["hash"] = "HLEN",
        ["list"] = "LLEN",
        ["set"] = "SCARD",
        ["zset"] = "ZCARD",
        ["stream"] = "XLEN",
    };

    /// <summary>Answers with the next keys that match a pattern, and where to go on.</summary>
    public static async Task ScanAsync(HttpContext context, DashboardSession session)
    {
        using RequestBody? body = await RequestBody.ReadAsync(context).ConfigureAwait(false);
        var memory = RequestMemory.Of(context);
        var scan = new KeyScan(body, session.Connection, Budget, ScanCount);
        List<ReadOnlyMemory<byte>> keys = [];
        do
        {
            RespValue found = await scan.NextAsync(memory).ConfigureAwait(false);
            if (found.IsError)
            {
                await Answer.JsonAsync(context, json => json.WriteString("error", found.ErrorMessage)).ConfigureAwait(false);
                return;
            }

            keys.AddRange(found.Children.Select(static key => key.Bytes));
        } while (scan.MayGoOn && keys.Count < MaxKeys);

        await Answer
            .JsonAsync(
                context,
                json =>
                {
                    scan.Write(json);
                    json.WriteStartArray("keys");
                    foreach (ReadOnlyMemory<byte> key in keys)
                        json.WriteBase64StringValue(key.Span);
                    json.WriteEndArray();
                }
            )
            .ConfigureAwait(false);
    }

    /// <summary>Answers with what is known of a key: each fact, or the right that the user lacks.</summary>
    public static async Task DescribeAsync(HttpContext context, DashboardSession session)
    {
        using RequestBody? body = await RequestBody.ReadAsync(context).ConfigureAwait(false);
        int database = RequestBody.DatabaseOf(body);
        byte[] key = body?.Bytes("key") ?? [];
        RespValue type = await CallAsync([Words.Bytes("TYPE"), key]).ConfigureAwait(false);
        List<(string Name, RespValue Value)> facts =
        [
            ("type", type),
            ("ttl", await CallAsync([Words.Bytes("PTTL"), key]).ConfigureAwait(false)),
            ("encoding", await CallAsync([Words.Bytes("OBJECT"), Words.Bytes("ENCODING"), key]).ConfigureAwait(false)),
            ("memory", await CallAsync([Words.Bytes("MEMORY"), Words.Bytes("USAGE"), key]).ConfigureAwait(false)),
        ];
        if (type.TryGetString(out string? name) && LengthCommands.TryGetValue(name, out string? length))
            facts.Add(("length", await CallAsync([Words.Bytes(length), key]).ConfigureAwait(false)));
        await Answer
            .JsonAsync(
                context,
                json =>
                {
                    foreach ((string fact, RespValue value) in facts)
                    {
                        json.WritePropertyName(fact);
                        ReplyJson.Write(json, value);
                    }
                }
            )
            .ConfigureAwait(false);

        Task<RespValue> CallAsync(ReadOnlyMemory<byte>[] command) =>
            session.Connection.AskAsync(database, command, RequestMemory.Of(context));
    }

    /// <summary>Answers with a page of a value, and where the next one begins.</summary>
    public static async Task ReadAsync(HttpContext context, DashboardSession session)
    {
        using RequestBody? body = await RequestBody.ReadAsync(context).ConfigureAwait(false);
        byte[] key = body?.Bytes("key") ?? [];
        string type = body?.Text("type") ?? "";
        string from = body?.Text("from") ?? "";
        if (!LengthCommands.ContainsKey(type))
        {
            await Answer.ErrorAsync(context, StatusCodes.Status400BadRequest, "Values of this type are not shown.").ConfigureAwait(false);
            return;
        }

        int database = RequestBody.DatabaseOf(body);
        (RespValue reply, string? next) = await ReadAsync(CallAsync, type, key, from).ConfigureAwait(false);
        bool isScanned = type is "hash" or "set";
        await Answer
            .JsonAsync(
                context,
                json =>
                {
                    json.WritePropertyName("reply");
                    ReplyJson.Write(json, isScanned && !reply.IsError ? reply[1] : reply);
                    if (next is not null)
                        json.WriteString("next", next);
                }
            )
            .ConfigureAwait(false);

        Task<RespValue> CallAsync(ReadOnlyMemory<byte>[] command) =>
            session.Connection.AskAsync(database, command, RequestMemory.Of(context));
    }

    // Large elements come fewer at a time.
    private static async Task<(RespValue Reply, string? Next)> ReadAsync(
        Func<ReadOnlyMemory<byte>[], Task<RespValue>> call,
        string type,
        byte[] key,
        string from
    )
    {
        for (int elements = MaxElements; ; elements /= 10)
        {
            try
            {
                RespValue reply = await call(PageOf(type, key, from, elements)).ConfigureAwait(false);
                return (reply, NextOf(type, from, reply, elements));
            }
            catch (RespProtocolException) when (elements > 1) { }
        }
    }

    private static ReadOnlyMemory<byte>[] PageOf(string type, byte[] key, string from, int elements)
    {
        long offset = OffsetOf(from);
        (string first, string last) = (Words.Text(offset), Words.Text(offset + elements - 1));
        (string cursor, string count) = (from.Length == 0 ? "0" : from, Words.Text(elements));
        string after = from.Length == 0 ? "-" : "(" + from;
        return type switch
        {
            "string" => Of("GETRANGE", first, Words.Text(offset + PageBytes - 1)),
            "list" => Of("LRANGE", first, last),
            "zset" => Of("ZRANGE", first, last, "WITHSCORES"),
            "hash" => Of("HSCAN", cursor, "COUNT", count),
            "set" => Of("SSCAN", cursor, "COUNT", count),
            _ => Of("XRANGE", after, "+", "COUNT", count),
        };

        ReadOnlyMemory<byte>[] Of(string command, params ReadOnlySpan<string> rest) => [Words.Bytes(command), key, .. Words.Of(rest)];
    }

    private static string? NextOf(string type, string from, RespValue reply, int elements)
    {
        if (reply.IsError)
            return null;
        long next = OffsetOf(from);
        return type switch
        {
            "string" => reply.Bytes.Length == PageBytes ? Words.Text(next + PageBytes) : null,
            "hash" or "set" => reply[0].AsString() is { } cursor and not "0" ? cursor : null,
            "stream" => reply.Children.Count == elements ? reply[elements - 1][0].AsString() : null,
            _ => reply.Children.Count == elements ? Words.Text(next + elements) : null,
        };
    }

    private static long OffsetOf(string from) =>
        long.TryParse(from, CultureInfo.InvariantCulture, out long offset) && offset >= 0 ? offset : 0;
}
