// SHUTDOWN [NOSAVE|SAVE] [NOW] [FORCE] [SAFE] [FAILOVER] [ABORT]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;
using Garnet.Server.Shutdown;

namespace Garnet.Server.Commands.Server;

/// <summary>
/// Makes the host drain connections and stop the server, after its replicas have caught up and a final snapshot if one is due. There is no
/// reply on success: the connection closes.
/// </summary>
internal sealed class ShutdownCommand(ServerScripts scripts, FinalSave finalSave, ShutdownSignal shutdown)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SHUTDOWN",
        Arity = -1,
        Flags =
            CommandFlags.Admin
            | CommandFlags.NoScript
            | CommandFlags.Loading
            | CommandFlags.Stale
            | CommandFlags.NoMulti
            | CommandFlags.AllowBusy,
        Group = CommandGroup.Server,
        Since = "1.0.0",
        MakeHandler = static parts =>
            new ShutdownCommand(parts.Get<ServerScripts>(), parts.Get<FinalSave>(), parts.Get<ShutdownSignal>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        bool save = false,
            noSave = false,
            force = false,
            now = false,
            abort = false,
            failover = false;
        for (int i = 1; i < context.Count; i++)
        {
            if (context.Is(i, "NOSAVE"u8))
            {
                noSave = true;
            }
            else if (context.Is(i, "SAVE"u8))
            {
                save = true;
            }
            else if (context.Is(i, "ABORT"u8))
            {
                abort = true;
            }
            else if (context.Is(i, "FAILOVER"u8))
            {
                failover = true;
            }
            else if (context.Is(i, "FORCE"u8))
            {
                force = true;
            }
            else if (context.Is(i, "NOW"u8))
            {
                now = true;
            }
            else if (!context.Is(i, "SAFE"u8))
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return;
            }
        }

        if ((abort && context.Count > 2 && !OnlyAborts(ref context)) || (save && noSave))
        {
            context.Reply.WriteError(ErrorText.Syntax);
        }
        else if (failover)
        {
            context.Reply.WriteError("ERR SHUTDOWN FAILOVER is only supported in cluster mode."u8);
        }
        else if (abort)
        {
            Abort(ref context);
        }
        else if (context.Store.Barrier.IsGuest && !noSave)
        {
            // What the script has done so far must not be saved.
            context.Reply.WriteError(scripts.Running.BusyError);
        }
        else
        {
            End(
                ref context,
                save ? ShutdownMode.Save
                    : noSave ? ShutdownMode.NoSave
                    : ShutdownMode.BySchedule,
                force,
                now
            );
        }
    }

    private void Abort(ref CommandContext context)
    {
        if (finalSave.Abort())
            context.Reply.WriteOk();
        else
            context.Reply.WriteError("ERR No shutdown in progress."u8);
    }

    private void End(ref CommandContext context, ShutdownMode mode, bool isForced, bool isImmediate)
    {
        bool isGuest = context.Store.Barrier.IsGuest;
        if (isGuest)
            scripts.Running.EndWithServer();
        // A script that was ended in the middle leaves nothing that replicas may have.
        Task<bool> prepared = finalSave.PrepareAsync(mode, isForced, isImmediate || isGuest);
        if (prepared is { IsCompletedSuccessfully: true, Result: true })
        {
            context.Client.End.AfterReply = true;
            shutdown.Request();
            return;
        }

        _ = prepared.ContinueWith(
            static (task, state) =>
            {
                if (task.Result)
                    ((ShutdownSignal)state!).Request();
            },
            shutdown,
            TaskScheduler.Default
        );
        context.Suspend(new ShutdownWait(context.Client, prepared));
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
