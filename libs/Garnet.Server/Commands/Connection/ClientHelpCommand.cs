// CLIENT HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>Lists the subcommands.</summary>
internal static class ClientHelpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection | AclCategories.Slow,
        Since = "5.0.0",
        Handler = Execute,
    };

    private static readonly string[] Lines =
    [
        "CAPA <option> [options...]",
        "    The client claims its some capability options. Options are:",
        "    * REDIRECT",
        "      The client can handle redirection during primary and replica failover in standalone mode.",
        "GETREDIR",
        "    Return the client ID we are redirecting to when tracking is enabled.",
        "GETNAME",
        "    Return the name of the current connection.",
        "ID",
        "    Return the ID of the current connection.",
        "INFO",
        "    Return information about the current client connection.",
        "KILL <ip:port>",
        "    Kill connection made from <ip:port>.",
        "KILL <option> <value> [<option> <value> [...]]",
        "    Kill connections. Options are those of LIST; SKIPME is YES unless given.",
        "LIST [options ...]",
        "    Return information about client connections. Options:",
        "    * TYPE (NORMAL|PRIMARY|REPLICA|PUBSUB)",
        "      Return clients of specified type.",
        "    * USER <username>",
        "      Return clients authenticated by <username>.",
        "    * ADDR <ip:port>",
        "      Return clients connected from the specified address.",
        "    * LADDR <ip:port>",
        "      Return clients connected to the specified local address.",
        "    * ID <client-id> [<client-id>...]",
        "      Return clients with the specified IDs.",
        "    * SKIPME (YES|NO)",
        "      Exclude the current client from the list (default: no).",
        "    * MAXAGE <maxage>",
        "      List connections older than the specified age.",
        "    * FLAGS <flags>",
        "      Return clients with the specified flags.",
        "    * NAME <client-name>",
        "      Return clients with the specified name.",
        "    * IDLE <idle>",
        "      Return clients with idle time greater than or equal to <idle> seconds.",
        "    * LIB-NAME <lib-name>",
        "      Return clients with the specified lib name.",
        "    * LIB-VER <lib-version>",
        "      Return clients with the specified lib version.",
        "    * DB <db-id>",
        "      Return clients currently operating on the specified database ID.",
        "    * CAPA <capa>",
        "      Return connections currently with the specified capa.",
        "    * IP <ip>",
        "      Return connections made from the specified ip.",
        "    Every option but SKIPME, MAXAGE and IDLE has its opposite: NOT-ID, NOT-TYPE, ...",
        "UNPAUSE",
        "    Stop the current client pause, resuming traffic.",
        "PAUSE <timeout> [WRITE|ALL]",
        "    Suspend all, or just write, clients for <timeout> milliseconds.",
        "REPLY (ON|OFF|SKIP)",
        "    Control the replies sent to the current connection.",
        "SETNAME <name>",
        "    Assign the name <name> to the current connection.",
        "SETINFO <option> <value>",
        "    Set client meta attr. Options are:",
        "    * LIB-NAME: the client lib name.",
        "    * LIB-VER: the client lib version.",
        "UNBLOCK <clientid> [TIMEOUT|ERROR]",
        "    Unblock the specified blocked client.",
        "TRACKINGINFO",
        "    Report tracking status for the current connection.",
        "NO-EVICT (ON|OFF)",
        "    Protect current client connection from eviction.",
        "NO-TOUCH (ON|OFF)",
        "    Will not touch LRU/LFU stats when this mode is on.",
    ];

    private static void Execute(ref CommandContext context) => HelpReply.Write(ref context, Lines);
}
