// How a request is refused before it runs. Runs on the client's thread.
using System.Text;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Sessions;

/// <summary>Writes the errors of commands that are not run, counts them and aborts open transactions.</summary>
internal static class CommandRejection
{
    /// <summary>Replies with an error before execution, counts it, and aborts an open transaction.</summary>
    public static void Reject(ref CommandContext context, Command? command, ReadOnlySpan<byte> error)
    {
        if (command is not null)
            context.Batch.Counters.Rejected[command.Id]++;
        context.Client.Tracking?.NoteRejected(command);
        if (command is { IsExec: true })
        {
            // A refused EXEC ends the transaction.
            context.Client.Transactions.Reset();
            byte[] reason = [.. "EXECABORT Transaction discarded because of: "u8, .. error.StartsWith("ERR "u8) ? error[4..] : error];
            context.Reply.WriteError(reason);
            context.Command = command;
            if (context.Server.Monitors.IsWatched)
                context.Server.Monitors.Show(ref context);
            return;
        }

        context.Reply.WriteError(error);
        context.Client.Transactions.Open?.Break();
    }

    /// <summary>As the other overload; the text is Latin-1.</summary>
    public static void Reject(ref CommandContext context, Command? command, string error) =>
        Reject(ref context, command, Encoding.Latin1.GetBytes(error));

    /// <summary>The error for a name that no command has.</summary>
    public static string UnknownCommand(ref CommandContext context)
    {
        StringBuilder text = new();
        for (int i = 1; i < context.Count && text.Length < 128; i++)
        {
            string argument = Printable(context[i], 128 - text.Length);
            text.Append('\'').Append(argument).Append("' ");
        }

        return $"ERR unknown command '{Printable(context[0], 128)}', with args beginning with: {text}";
    }

    /// <summary>The bytes up to a limit or a zero byte, as error replies quote them.</summary>
    public static string Printable(ReadOnlySpan<byte> bytes, int limit)
    {
        bytes = ArgumentText.UpToZero(bytes);
        return Encoding.Latin1.GetString(bytes.Length > limit ? bytes[..limit] : bytes);
    }
}
