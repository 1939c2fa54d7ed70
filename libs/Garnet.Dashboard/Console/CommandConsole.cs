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
    private readonly CommandTable _commands = new(server);

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
        // Names are ASCII; another one is none.
        string? argument = words.Length > 1 ? Encoding.Latin1.GetString(words[1]) : null;
        (string name, CommandTraits? traits) = await _commands
            .FindAsync(Encoding.Latin1.GetString(words[0]), argument, context.RequestAborted)
            .ConfigureAwait(false);
        if (name.Equals("select", StringComparison.OrdinalIgnoreCase) && words.Length == 2)
        {
            await SelectAsync(context, session, words[1]).ConfigureAwait(false);
            return;
        }

        ConsoleRules.Verdict verdict = ConsoleRules.Judge(name, traits, settings.AllowsWrites);
        if (verdict.Text is { } text && !(verdict.Asks && body!.Is("confirmed")))
        {
            await Answer.JsonAsync(context, json => json.WriteString(verdict.Asks ? "ask" : "error", text)).ConfigureAwait(false);
            return;
        }

        ReadOnlyMemory<byte>[] command = Array.ConvertAll(words, static word => (ReadOnlyMemory<byte>)word);
        RespValue reply = await session.Connection.RunAsync(database, command, RequestMemory.Of(context)).ConfigureAwait(false);
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
        RespValue reply = await session.Connection.CallAsync(database, select, RequestMemory.Of(context)).ConfigureAwait(false);
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
