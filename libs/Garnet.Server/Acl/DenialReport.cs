// The consequences of a denied call: error texts, log entry and counter. Stateless.
using System.Text;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Acl;

/// <summary>Texts are Valkey's; they have one character per byte.</summary>
internal static class DenialReport
{
    /// <summary>Counts a denied call and adds it to ACL LOG.</summary>
    /// <param name="context">The call.</param>
    /// <param name="users">All users, with their log.</param>
    /// <param name="statistics">The counters.</param>
    /// <param name="user">The client's user.</param>
    /// <param name="denial">Why it was denied.</param>
    /// <param name="position">The argument because of which it was denied; 0 when it was no argument.</param>
    public static void Add(ref CommandContext context, Users users, ServerStatistics statistics, User user, Denial denial, int position)
    {
        statistics.CountDenial(denial);
        ReadOnlySpan<byte> denied = position == 0 ? context.Command.FullNameBytes : context[position];
        users.Denials.Add(context.Client, denial, denied, user.Name);
    }

    /// <summary>The text for the client, which does not repeat its arguments.</summary>
    public static string Short(RefusalKind denial, User user, Command command) =>
        denial switch
        {
            RefusalKind.KeyDenied => "No permissions to access a key",
            RefusalKind.ChannelDenied => "No permissions to access a channel",
            RefusalKind.DatabaseDenied => "No permissions to access database",
            _ => $"User {user.Name} has no permissions to run the '{command.FullName}' command",
        };

    /// <summary>The text of ACL DRYRUN, with the argument.</summary>
    public static string Full(Denial denial, User user, Command command, ReadOnlySpan<byte> denied) =>
        denial switch
        {
            Denial.Key => $"User {user.Name} has no permissions to access the '{Encoding.Latin1.GetString(denied)}' key",
            Denial.Channel => $"User {user.Name} has no permissions to access the '{Encoding.Latin1.GetString(denied)}' channel",
            Denial.Database => $"User {user.Name} has no permissions to access database {ArgumentText.Printable(denied)}",
            _ => Short(RefusalKind.CommandDenied, user, command),
        };
}
