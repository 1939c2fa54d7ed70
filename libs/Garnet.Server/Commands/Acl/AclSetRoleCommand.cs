// ACL SETROLE rolename [rule [rule ...]]
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.Acl;

/// <summary>Creates a role or changes its rules, all of them or none, for every user that has it.</summary>
internal sealed class AclSetRoleCommand(Users users, ClientRegistry clients, MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SETROLE",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "9.2.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        MakeHandler = static parts =>
            new AclSetRoleCommand(parts.Get<Users>(), parts.Get<ClientRegistry>(), parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        string name = Encoding.Latin1.GetString(context[2]);
        List<string> words = [];
        for (int i = 3; i < context.Count; i++)
            words.Add(Encoding.Latin1.GetString(context[i]));
        HashSet<User> narrowed = [];
        if (users.SetRole(name, words, narrowed) is { } problem)
        {
            ArgumentText.WriteError(ref context, $"ERR {ArgumentText.OneLine(problem)}");
            return;
        }

        DeniedSubscribers.Close(narrowed, context.Client, clients, messages);
        context.Reply.WriteOk();
    }
}
