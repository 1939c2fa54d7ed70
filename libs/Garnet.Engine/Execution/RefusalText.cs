// The errors of requests that do not run. The texts are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md), since clients match on them.
using System.Text;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>Turns refusals into error replies of RESP, without the leading '-' and the line end.</summary>
internal static class RefusalText
{
    private const int MaxShownBytes = 128;

    /// <summary>The error for a request.</summary>
    /// <param name="context">The request.</param>
    /// <param name="command">Its command; null where none was found.</param>
    /// <param name="refusal">Why it is refused.</param>
    public static ReadOnlySpan<byte> Of(ref CommandContext context, Command? command, Refusal refusal) =>
        refusal.Kind switch
        {
            RefusalKind.NotAuthenticated => ErrorText.NoAuth,
            RefusalKind.OutOfMemory => ErrorText.OutOfMemory,
            RefusalKind.NoReplicas => ErrorText.NoReplicas,
            RefusalKind.ReadOnlyReplica => ErrorText.ReadOnlyReplica,
            RefusalKind.PrimaryDown => ErrorText.PrimaryDown,
            RefusalKind.TooLong => ErrorText.TooLong,
            RefusalKind.TextTooLong => ErrorText.TextTooLong,
            RefusalKind.ScriptOnlyReads => "ERR Write commands are not allowed from read-only scripts."u8,
            RefusalKind.FromReplica => "ERR Replica can't interact with the keyspace"u8,
            RefusalKind.Busy => context.Client.Executor.Blocked.Holder.BusyError,
            RefusalKind.Custom => (byte[])refusal.Detail!,
            RefusalKind.Loading => IsAsRedis(ref context) ? ErrorText.LoadingAsRedis : ErrorText.Loading,
            RefusalKind.SnapshotFailed => IsAsRedis(ref context) ? ErrorText.SnapshotFailedAsRedis : ErrorText.SnapshotFailed,
            RefusalKind.LogFailed => ErrorText.LogFailed((string)refusal.Detail!),
            _ => Encoding.Latin1.GetBytes(Text(ref context, command, refusal)),
        };

    /// <summary>Why the user's rules refuse a request, as scripts show it.</summary>
    public static string Denial(Refusal refusal) => (string)refusal.Detail!;

    // One character per byte.
    private static string Text(ref CommandContext context, Command? command, Refusal refusal) =>
        refusal.Kind switch
        {
            RefusalKind.UnknownCommand => UnknownCommand(ref context),
            RefusalKind.UnknownSubcommand => UnknownSubcommand(ref context, (Command)refusal.Detail!),
            RefusalKind.WrongArgumentCount => $"ERR wrong number of arguments for '{command!.FullName}' command",
            RefusalKind.Protected => command!.Descriptor.ProtectedBy!.Error,
            RefusalKind.NotInTransaction => $"ERR Command '{command!.FullName}' not allowed inside a transaction",
            RefusalKind.NotFromScript => $"ERR command '{command!.FullName}' is not allowed on script mode",
            RefusalKind.NotFromModule or RefusalKind.Redirected => (string)refusal.Detail!,
            RefusalKind.NoEffect => $"ERR command '{command!.FullName}' is not one that primaries replicate",
            RefusalKind.OnlySubscriptions =>
                $"ERR Can't execute '{command!.FullName}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context",
            _ when refusal.IsOfPermission => "NOPERM " + Denial(refusal),
            _ => throw new InvalidOperationException($"{refusal.Kind} has no text."),
        };

    private static string UnknownCommand(ref CommandContext context)
    {
        StringBuilder text = new();
        for (int i = 1; i < context.Count && text.Length < MaxShownBytes; i++)
        {
            string argument = Printable(context[i], MaxShownBytes - text.Length);
            text.Append('\'').Append(argument).Append("' ");
        }

        return $"ERR unknown command '{Printable(context[0], MaxShownBytes)}', with args beginning with: {text}";
    }

    private static string UnknownSubcommand(ref CommandContext context, Command container)
    {
        string name = container.IsRenamed ? Printable(context[0], MaxShownBytes).ToUpperInvariant() : container.Descriptor.Name;
        return $"ERR unknown subcommand '{Printable(context[1], MaxShownBytes)}'. Try {name} HELP.";
    }

    // The bytes up to a limit or a zero byte.
    private static string Printable(ReadOnlySpan<byte> bytes, int limit)
    {
        bytes = ArgumentText.UpToZero(bytes);
        return Encoding.Latin1.GetString(bytes.Length > limit ? bytes[..limit] : bytes);
    }

    private static bool IsAsRedis(ref CommandContext context) => context.Settings.RepliesAsRedis;
}
