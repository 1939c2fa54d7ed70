// ACL HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Acl;

/// <summary>Lists the subcommands.</summary>
internal static class AclHelpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "6.0.0",
        Handler = Execute,
    };

    private static readonly string[] Lines =
    [
        "CAT [<category>]",
        "    List all commands that belong to <category>, or all command categories",
        "    when no category is specified.",
        "GETUSER <username>",
        "    Get the user's details.",
        "GENPASS [<bits>]",
        "    Generate a secure 256-bit user password. The optional `bits` argument can",
        "    be used to specify a different size.",
        "LIST",
        "    Show users details in config file format.",
        "USERS",
        "    List all the registered usernames.",
        "WHOAMI",
        "    Return the current connection username.",
    ];

    private static void Execute(ref CommandContext context) => HelpReply.Write(ref context, Lines);
}
