// SHUTDOWN [NOSAVE|SAVE] [NOW] [FORCE] [SAFE] [FAILOVER] [ABORT]
namespace Garnet.Server.Commands.Server;

/// <summary>Has the host drain and stop the server. Answers nothing when it does: the connection ends.</summary>
internal static class ShutdownCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SHUTDOWN",
        Arity = -1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.NoMulti | CommandFlags.AllowBusy,
        Group = CommandGroup.Server,
        Categories = AclCategories.Admin | AclCategories.Dangerous | AclCategories.Slow,
        Since = "1.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        bool save = false, noSave = false, abort = false, failover = false;
        for (int i = 1; i < context.Count; i++)
        {
            if (context.Is(i, "NOSAVE"u8))
                noSave = true;
            else if (context.Is(i, "SAVE"u8))
                save = true;
            else if (context.Is(i, "ABORT"u8))
                abort = true;
            else if (context.Is(i, "FAILOVER"u8))
                failover = true;
            else if (!context.Is(i, "NOW"u8) && !context.Is(i, "FORCE"u8) && !context.Is(i, "SAFE"u8))
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return;
            }
        }

        if ((abort && context.Count > 2 && !OnlyAborts(ref context)) || (save && noSave))
            context.Reply.WriteError(ErrorText.Syntax);
        else if (failover)
            context.Reply.WriteError("ERR SHUTDOWN FAILOVER is only supported in cluster mode."u8);
        else if (abort)
            context.Reply.WriteError("ERR No shutdown in progress."u8);
        else if (save)
            context.Reply.WriteError("ERR This version cannot save. Use SHUTDOWN NOSAVE to stop without saving."u8);
        else
        {
            context.Client.CloseAfterReply = true;
            context.Server.RequestShutdown();
        }
    }

    private static bool OnlyAborts(ref CommandContext context)
    {
        for (int i = 1; i < context.Count; i++)
        {
            if (!context.Is(i, "ABORT"u8))
                return false;
        }

        return true;
    }
}
