// ACL SETUSER username [rule [rule ...]]
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.Acl;

/// <summary>Creates a user or changes its rules, all of them or none.</summary>
internal sealed class AclSetUserCommand(Users users, ClientRegistry clients, MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SETUSER",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        IsSecret = static (ref CommandContext _, int argument) => argument >= 2,
        MakeHandler = static parts =>
            new AclSetUserCommand(parts.Get<Users>(), parts.Get<ClientRegistry>(), parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        string name = Encoding.Latin1.GetString(context[2]);
        if (RuleParser.HasSpace(name))
        {
            context.Reply.WriteError("ERR Usernames can't contain spaces or null characters"u8);
            return;
        }

        List<string> words = [];
        for (int i = 3; i < context.Count; i++)
            words.Add(Encoding.Latin1.GetString(context[i]));
        List<User> narrowed = [];
        if (users.Set(name, words, narrowed) is { } problem)
        {
            ArgumentText.WriteError(ref context, $"ERR {ArgumentText.OneLine(problem)}");
            return;
        }

        DeniedSubscribers.Close(narrowed, context.Client, clients, messages);
        context.Reply.WriteOk();
    }
}
