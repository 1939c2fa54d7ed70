// CLIENT SETINFO LIB-NAME libname | LIB-VER libver
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Records the name or version of the connection's client library.</summary>
internal static class ClientSetInfoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SETINFO",
        Arity = 4,
        Flags = CommandFlags.AllowBusy | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "7.2.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        bool isName = context.Is(2, "LIB-NAME"u8);
        if (!isName && !context.Is(2, "LIB-VER"u8))
        {
            ArgumentText.WriteError(ref context, $"ERR Unrecognized option '{ArgumentText.Printable(context[2])}'");
            return;
        }

        if (!ArgumentText.IsPrintable(context[3]))
        {
            ArgumentText.WriteError(
                ref context,
                $"ERR {ArgumentText.Printable(context[2])} cannot contain spaces, newlines or special characters."
            );
            return;
        }

        string value = Encoding.ASCII.GetString(context[3]);
        if (isName)
            context.Client.Names.Library = value;
        else
            context.Client.Names.LibraryVersion = value;
        context.Reply.WriteOk();
    }
}
