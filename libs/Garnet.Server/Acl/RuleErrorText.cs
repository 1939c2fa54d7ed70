// The texts of refused rules, as in Valkey. Stateless.
namespace Garnet.Server.Acl;

/// <summary>The message that clients and logs get about a refused rule.</summary>
internal static class RuleErrorText
{
    public static string Of(RuleError error) =>
        error switch
        {
            RuleError.UnknownCommand => "Unknown command or category name in ACL",
            RuleError.Syntax => "Syntax error",
            RuleError.AllKeysAllowed =>
                "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not have any effect. Try 'resetkeys' to start with an empty list of patterns",
            RuleError.AllChannelsAllowed =>
                "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and does not have any effect. Try 'resetchannels' to start with an empty list of channels",
            RuleError.UnknownPassword => "The password you are trying to remove from the user does not exist",
            RuleError.BadPasswordHash =>
                "The password hash must be exactly 64 characters and contain only lowercase hexadecimal characters",
            RuleError.FirstArgumentOfSubcommand => "Allowing first-arg of a subcommand is not supported",
            RuleError.DatabaseOutOfRange => "The provided database ID is out of range",
            RuleError.UnknownRole => "The role does not exist",
            _ => throw new ArgumentOutOfRangeException(nameof(error), error, null),
        };
}
