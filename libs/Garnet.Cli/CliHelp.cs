// The text of `garnet cli --help`. Immutable; any thread.
namespace Garnet.Cli;

/// <summary>All options by purpose.</summary>
internal static class CliHelp
{
    /// <summary>The whole text.</summary>
    public const string Text = """
        Usage: garnet cli [options] [command [argument ...]]

        Without a command, commands are read from the terminal (help explains them) or from standard input.

        Server:
          -h <host>  -p <port>         the server; default 127.0.0.1 and 6379
          -s <path>                    its Unix socket, instead
          -u <uri>                     redis://[[user:]password@]host[:port][/db]; rediss:// for TLS
          -n <db>                      database
          -t <seconds>                 how long connecting may take; 0 leaves it to the system
          -4, -6                       which addresses of a name to prefer
          -c                           follow a cluster's MOVED and ASK
          -2, -3                       protocol RESP2 or RESP3
        User (better in the environment: GARNET_AUTH or REDISCLI_AUTH is the password):
          --user <name>  -a <password> (also --pass); --askpass asks for it; --no-auth-warning
        TLS:
          --tls                        use TLS; --sni <name> is the name expected in the certificate
          --cacert <file>              authorities to trust; --cacertdir <folder>; --insecure trusts any
          --cert <file> --key <file>   client certificate; --tls-ciphersuites <list>
        Command:
          -r <count>  -i <seconds>     repeat it (a negative count: for ever), with pauses
          -x                           last argument from standard input; -X <tag>: the argument <tag>
          -e                           exit code 1 and a message on standard error for an error reply
          --quoted-input               arguments are "quoted strings" with \n, \xHH
        Output:
          --raw, --no-raw              values alone, or types and quotes (the default on a terminal)
          --csv, --json, --quoted-json other forms
          -d <text>, -D <text>         what separates elements and replies in raw output
          --show-pushes <yes|no>       print RESP3's messages
        Instead of a command:
          --eval <file> [key ...] , [argument ...]  run a script
          --pipe [--pipe-timeout <s>]  send requests from standard input as they are
          --scan                       list keys; --pattern <p>, --quoted-pattern <p>, --count <n>
          --bigkeys, --memkeys         largest keys by elements and by memory; --memkeys-samples <n>
          --hotkeys                    most used keys; --hotkeys-count <n>
          --stat                       a line of statistics each second, or each -i
          --latency                    round trips; --latency-history, --latency-dist [--mono]
          --rdb <file>                 save a snapshot of the server; - is standard output; --functions-rdb
          --replica                    print the changes of the server as a replica receives them
          --help, --version

        """;
}
