// ACL SAVE
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Acl;

/// <summary>Writes all users into the ACL file.</summary>
internal sealed class AclSaveCommand(ServerConfiguration configuration, Users users, ILogger log)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SAVE",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        MakeHandler = static parts =>
            new AclSaveCommand(parts.Get<ServerConfiguration>(), parts.Get<Users>(), parts.Get<ILogger>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        string path = configuration.Current.AclFilePath;
        if (path.Length == 0)
        {
            context.Reply.WriteError(ErrorText.NoAclFile);
            return;
        }

        try
        {
            UsersFile.Write(path, users);
            context.Reply.WriteOk();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            log.LogWarning(e, "ACL SAVE: {Path} could not be written", path);
            context.Reply.WriteError("ERR There was an error trying to save the ACLs. Please check the server logs for more information"u8);
        }
    }
}
