// CLIENT CACHING YES|NO
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Tracking;

namespace Garnet.Server.Commands.Connection;

/// <summary>Says whether the keys of the next command or transaction are tracked, in the modes OPTIN and OPTOUT.</summary>
internal static class ClientCachingCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CACHING",
        Arity = 3,
        Flags = CommandFlags.AllowBusy | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "6.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        ReadOnlySpan<byte> error = ErrorOf(ref context);
        if (!error.IsEmpty)
        {
            context.Reply.WriteError(error);
            return;
        }

        context.Client.Tracking!.GiveCaching();
        context.Reply.WriteOk();
    }

    // Empty when the call is valid.
    private static ReadOnlySpan<byte> ErrorOf(ref CommandContext context)
    {
        if (context.Client.Tracking is not { IsOn: true } tracking)
            return "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled"u8;
        bool isYes = context.Is(2, "YES"u8);
        if (!isYes && !context.Is(2, "NO"u8))
            return ErrorText.Syntax;
        if ((tracking.Modes & (isYes ? TrackingModes.OptIn : TrackingModes.OptOut)) != 0)
            return default;
        return isYes
            ? "ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode."u8
            : "ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode."u8;
    }
}
