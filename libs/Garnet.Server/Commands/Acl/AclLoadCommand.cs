// ACL LOAD
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.Acl;

/// <summary>Replaces all users by those of the ACL file; a file with a mistake changes nothing.</summary>
internal static class AclLoadCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LOAD",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        string path = context.Server.Configuration.Current.AclFilePath;
        if (path.Length == 0)
        {
            context.Reply.WriteError(ErrorText.NoAclFile);
            return;
        }

        Users users = context.Server.Users;
        if (UsersFile.Read(path, users, out Dictionary<string, UserRules> rules, out Dictionary<string, UserRules> roles) is { } problem)
        {
            ArgumentText.WriteError(ref context, $"ERR {ArgumentText.OneLine(problem)}");
            return;
        }

        HashSet<User> narrowed = [];
        foreach (User deleted in users.Replace(rules, roles, narrowed))
            context.Server.Clients.EndThoseOf(deleted, context.Client);
        DeniedSubscribers.Close(narrowed, context.Client);
        context.Reply.WriteOk();
    }
}
