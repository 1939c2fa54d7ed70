// Answers the page's panels that are tables. Any thread.
using System.Collections.Concurrent;
using System.Text.Json;
using Garnet.Client;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Login;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard.Panels;

/// <summary>
/// Runs a panel's command over the connection of a user who may, about once in two seconds however many pages ask: the reply is the same
/// for all who may see it. Nobody waits for the connection of another user, which may be held up.
/// </summary>
internal sealed class Tables(IDashboardServer server, TimeProvider time)
{
    private const int MaxClients = 100;
    private static readonly TimeSpan Fresh = TimeSpan.FromSeconds(2);

    private readonly ConcurrentDictionary<string, (long At, byte[] Json)> _latest = new(StringComparer.Ordinal);

    /// <summary>Answers with a panel's rows, or with the right that the user lacks.</summary>
    public async Task AnswerAsync(HttpContext context, DashboardSession session, string panel)
    {
        if (!TableList.Commands.TryGetValue(panel, out ReadOnlyMemory<byte>[]? command))
        {
            await Answer.ErrorAsync(context, StatusCodes.Status404NotFound, "There is no such panel.").ConfigureAwait(false);
            return;
        }

        string? missing = await Rights.MissingAsync(server, session.User, command, context.RequestAborted).ConfigureAwait(false);
        if (missing is not null)
        {
            await Answer.JsonAsync(context, json => json.WriteString("missing", missing)).ConfigureAwait(false);
            return;
        }

        byte[] rows = await LatestAsync(panel, command, session, RequestMemory.Of(context)).ConfigureAwait(false);
        await Answer.BytesAsync(context, rows, "application/json").ConfigureAwait(false);
    }

    private async Task<byte[]> LatestAsync(string panel, ReadOnlyMemory<byte>[] command, DashboardSession session, RequestMemory memory)
    {
        if (_latest.TryGetValue(panel, out (long At, byte[] Json) latest) && time.GetElapsedTime(latest.At) < Fresh)
            return latest.Json;
        RespValue reply = await session.Connection.CallAsync(database: 0, command, memory).ConfigureAwait(false);
        byte[] json = Write(panel, reply);
        if (!reply.IsError)
            _latest[panel] = (time.GetTimestamp(), json);
        return json;
    }

    private byte[] Write(string panel, RespValue reply)
    {
        using var bytes = new MemoryStream();
        using (var json = new Utf8JsonWriter(bytes))
        {
            json.WriteStartObject();
            if (reply.IsError)
            {
                json.WriteString("error", reply.ErrorMessage);
            }
            else if (panel == "slow")
            {
                json.WritePropertyName("reply");
                ReplyJson.Write(json, reply);
            }
            else
            {
                json.WriteStartArray("lines");
                foreach (string line in Lines(panel, reply))
                    json.WriteStringValue(line);
                json.WriteEndArray();
            }

            json.WriteEndObject();
        }

        return bytes.ToArray();
    }

    private IEnumerable<string> Lines(string panel, RespValue reply) =>
        panel switch
        {
            "clients" => TableList.LargestClients(reply, MaxClients),
            "log" => server.LogLines,
            _ => (reply.AsString() ?? "").Split("\r\n", StringSplitOptions.RemoveEmptyEntries),
        };
}
