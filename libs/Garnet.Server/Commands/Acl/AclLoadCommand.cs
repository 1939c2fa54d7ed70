// ACL LOAD
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;
using Garnet.Server.Configuration;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.Acl;

/// <summary>Replaces all users by those of the ACL file; a file with a mistake changes nothing.</summary>
internal sealed class AclLoadCommand(ServerConfiguration configuration, Users users, ClientRegistry clients, MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LOAD",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        MakeHandler = static parts =>
            new AclLoadCommand(
                parts.Get<ServerConfiguration>(),
                parts.Get<Users>(),
                parts.Get<ClientRegistry>(),
                parts.Get<MessageHub>()
            ).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        string path = configuration.Current.AclFilePath;
        if (path.Length == 0)
        {
            context.Reply.WriteError(ErrorText.NoAclFile);
            return;
        }

        if (UsersFile.Read(path, users, out Dictionary<string, UserRules> rules, out Dictionary<string, UserRules> roles) is { } problem)
        {
            ArgumentText.WriteError(ref context, $"ERR {ArgumentText.OneLine(problem)}");
            return;
        }

        HashSet<User> narrowed = [];
        foreach (User deleted in users.Replace(rules, roles, narrowed))
            clients.EndThoseOf(deleted, context.Client);
        DeniedSubscribers.Close(narrowed, context.Client, clients, messages);
        context.Reply.WriteOk();
    }
}
