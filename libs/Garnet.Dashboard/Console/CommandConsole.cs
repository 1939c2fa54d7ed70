// Runs what users type. Any thread.
using System.Globalization;
using System.Text;
using Garnet.Client;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Login;
using Garnet.Dashboard.Panels;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard.Console;

/// <summary>A line at a time, as the user who is logged in.</summary>
internal sealed class CommandConsole(IDashboardServer server, DashboardSettings settings)
{
    /// <summary>Answers with the reply, or with a question.</summary>
    public async Task RunAsync(HttpContext context, DashboardSession session)
    {
        using RequestBody? body = await RequestBody.ReadAsync(context).ConfigureAwait(false);
        byte[][]? words = ArgumentSplitter.TrySplit(Encoding.UTF8.GetBytes(body?.Text("line") ?? ""));
        if (words is not { Length: > 0 })
        {
            await RefuseAsync(context, words is null ? "A quote is not closed." : "Type a command.").ConfigureAwait(false);
            return;
        }

        int database = RequestBody.DatabaseOf(body);
        (string name, RespValue info) = await FindAsync(words, context.RequestAborted).ConfigureAwait(false);
        if (name.Equals("select", StringComparison.OrdinalIgnoreCase) && words.Length == 2)
        {
            await SelectAsync(context, session, words[1]).ConfigureAwait(false);
            return;
        }

        ConsoleRules.Verdict verdict = ConsoleRules.Judge(name, info, settings.AllowsWrites);
        if (verdict.Text is { } text && !(verdict.Asks && body!.Is("confirmed")))
        {
            await Answer.JsonAsync(context, json => json.WriteString(verdict.Asks ? "ask" : "error", text)).ConfigureAwait(false);
            return;
        }

        ReadOnlyMemory<byte>[] command = Array.ConvertAll(words, static word => (ReadOnlyMemory<byte>)word);
        RespValue reply = await session.Connection.RunAsync(database, command, context.RequestAborted).ConfigureAwait(false);
        await WriteAsync(context, reply).ConfigureAwait(false);
    }

    // The console's database is the page's: each command says which.
    private static async Task SelectAsync(HttpContext context, DashboardSession session, byte[] word)
    {
        if (!int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out int database))
        {
            await RefuseAsync(context, "ERR value is not an integer or out of range").ConfigureAwait(false);
            return;
        }

        ReadOnlyMemory<byte>[] select = ["SELECT"u8.ToArray(), word];
        RespValue reply = await session.Connection.CallAsync(database, select, context.RequestAborted).ConfigureAwait(false);
        await Answer
            .JsonAsync(
                context,
                json =>
                {
                    json.WritePropertyName("reply");
                    ReplyJson.Write(json, reply);
                    if (!reply.IsError)
                        json.WriteNumber("db", database);
                }
            )
            .ConfigureAwait(false);
    }

    // Names are ASCII; of another one COMMAND INFO says that it is none.
    private async ValueTask<(string Name, RespValue Info)> FindAsync(byte[][] words, CancellationToken cancellationToken)
    {
        string name = Encoding.Latin1.GetString(words[0]);
        string whole = words.Length > 1 ? $"{name}|{Encoding.Latin1.GetString(words[1])}" : name;
        RespValue answer = await server.CallAsync(Words.Of("COMMAND", "INFO", name, whole), cancellationToken).ConfigureAwait(false);
        if (answer.IsError)
            throw new IOException(answer.ErrorMessage);
        return answer[1].IsNull || words.Length == 1 ? (name, answer[0]) : (whole, answer[1]);
    }

    private static Task RefuseAsync(HttpContext context, string text) => Answer.JsonAsync(context, json => json.WriteString("error", text));

    private static Task WriteAsync(HttpContext context, RespValue reply) =>
        Answer.JsonAsync(
            context,
            json =>
            {
                json.WritePropertyName("reply");
                ReplyJson.Write(json, reply);
            }
        );
}
