// CLIENT SETNAME connection-name
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Names the connection; an empty name removes the name.</summary>
internal static class ClientSetNameCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SETNAME",
        Arity = 3,
        Flags = CommandFlags.AllowBusy | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "2.6.9",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Handler = Execute,
    };

    /// <summary>Validates a name; writes the error and returns false if it is invalid.</summary>
    public static bool CheckName(ref CommandContext context, int argument)
    {
        if (ArgumentText.IsPrintable(context[argument]))
            return true;
        context.Reply.WriteError("ERR Client names cannot contain spaces, newlines or special characters."u8);
        return false;
    }

    private static void Execute(ref CommandContext context)
    {
        if (!CheckName(ref context, 2))
            return;
        context.Client.Names.Client = Encoding.ASCII.GetString(context[2]);
        context.Reply.WriteOk();
    }
}
