// Finds keys, and shows their values in pages. Any thread.
using System.Globalization;
using System.Text;
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
    private const int PageElements = 100;

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
        var scan = new KeyScan(body, session.Connection, Budget, ScanCount);
        List<ReadOnlyMemory<byte>> keys = [];
        do
        {
            RespValue found = await scan.NextAsync(context.RequestAborted).ConfigureAwait(false);
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
        RespValue type = await CallAsync([Bytes("TYPE"), key]).ConfigureAwait(false);
        List<(string Name, RespValue Value)> facts =
        [
            ("type", type),
            ("ttl", await CallAsync([Bytes("PTTL"), key]).ConfigureAwait(false)),
            ("encoding", await CallAsync([Bytes("OBJECT"), Bytes("ENCODING"), key]).ConfigureAwait(false)),
            ("memory", await CallAsync([Bytes("MEMORY"), Bytes("USAGE"), key]).ConfigureAwait(false)),
        ];
        if (type.TryGetString(out string? name) && LengthCommands.TryGetValue(name, out string? length))
            facts.Add(("length", await CallAsync([Bytes(length), key]).ConfigureAwait(false)));
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
            session.Connection.CallAsync(database, command, context.RequestAborted);
    }

    /// <summary>Answers with a page of a value, and where the next one begins.</summary>
    public static async Task ReadAsync(HttpContext context, DashboardSession session)
    {
        using RequestBody? body = await RequestBody.ReadAsync(context).ConfigureAwait(false);
        byte[] key = body?.Bytes("key") ?? [];
        string type = body?.Text("type") ?? "";
        string from = body?.Text("from") ?? "";
        if (PageOf(type, key, from) is not { } command)
        {
            await Answer.ErrorAsync(context, StatusCodes.Status400BadRequest, "Values of this type are not shown.").ConfigureAwait(false);
            return;
        }

        RespValue reply = await session
            .Connection.CallAsync(RequestBody.DatabaseOf(body), command, context.RequestAborted)
            .ConfigureAwait(false);
        bool isScanned = type is "hash" or "set";
        await Answer
            .JsonAsync(
                context,
                json =>
                {
                    json.WritePropertyName("reply");
                    ReplyJson.Write(json, isScanned && !reply.IsError ? reply[1] : reply);
                    if (NextOf(type, from, reply) is { } next)
                        json.WriteString("next", next);
                }
            )
            .ConfigureAwait(false);
    }

    private static ReadOnlyMemory<byte>[]? PageOf(string type, byte[] key, string from)
    {
        long offset = OffsetOf(from);
        return type switch
        {
            "string" => [Bytes("GETRANGE"), key, Bytes(offset), Bytes(offset + PageBytes - 1)],
            "list" => [Bytes("LRANGE"), key, Bytes(offset), Bytes(offset + PageElements - 1)],
            "zset" => [Bytes("ZRANGE"), key, Bytes(offset), Bytes(offset + PageElements - 1), Bytes("WITHSCORES")],
            "hash" => [Bytes("HSCAN"), key, Bytes(from.Length == 0 ? "0" : from), Bytes("COUNT"), Bytes(PageElements)],
            "set" => [Bytes("SSCAN"), key, Bytes(from.Length == 0 ? "0" : from), Bytes("COUNT"), Bytes(PageElements)],
            "stream" => [Bytes("XRANGE"), key, Bytes(from.Length == 0 ? "-" : "(" + from), Bytes("+"), Bytes("COUNT"), Bytes(PageElements)],
            _ => null,
        };
    }

    private static string? NextOf(string type, string from, RespValue reply)
    {
        if (reply.IsError)
            return null;
        long next = OffsetOf(from);
        return type switch
        {
            "string" => reply.Bytes.Length == PageBytes ? Text(next + PageBytes) : null,
            "hash" or "set" => reply[0].AsString() is { } cursor and not "0" ? cursor : null,
            "stream" => reply.Children.Count == PageElements ? reply[PageElements - 1][0].AsString() : null,
            _ => reply.Children.Count == PageElements ? Text(next + PageElements) : null,
        };
    }

    private static long OffsetOf(string from) =>
        long.TryParse(from, CultureInfo.InvariantCulture, out long offset) && offset >= 0 ? offset : 0;

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static byte[] Bytes(long number) => Bytes(Text(number));

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);
}
