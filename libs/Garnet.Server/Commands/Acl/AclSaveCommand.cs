// ACL SAVE
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Acl;

/// <summary>Writes all users into the ACL file.</summary>
internal static class AclSaveCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SAVE",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
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

        try
        {
            UsersFile.Write(path, context.Server.Users);
            context.Reply.WriteOk();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            context.Server.Log.LogWarning(e, "ACL SAVE: {Path} could not be written", path);
            context.Reply.WriteError("ERR There was an error trying to save the ACLs. Please check the server logs for more information"u8);
        }
    }
}
