// The users as lines of a configuration file. Stateless.
using System.Text;
using Garnet.Server.Configuration;

namespace Garnet.Server.Acl;

/// <summary>
/// The lines that CONFIG REWRITE writes: <c>user &lt;name&gt; &lt;rules&gt;</c> for each user, and the same for roles; none if users are
/// kept in an ACL file, or if
/// there is only the default user with the rules that the options give it.
/// </summary>
internal static class UserLines
{
    private static readonly UTF8Encoding Strict = new(false, throwOnInvalidBytes: true);

    /// <summary>The lines, or false and the problem when a configuration file cannot hold them.</summary>
    public static bool TryWrite(Users users, GarnetOptions options, out List<string> lines, out string problem)
    {
        lines = [];
        problem = "";
        if (options.AclFile.Length > 0 || users.AreOnlyOptions)
            return true;
        // Before the users that have them. Their names and rules are ASCII, but for patterns.
        IEnumerable<(string Kind, string Name, string Rules)> all =
        [
            .. users.Roles.All.Select(static role => ("role", role.Key, role.Value.DescribeRole())),
            .. users.All.Select(static user => ("user", user.Name, user.Rules.ToString())),
        ];
        foreach ((string kind, string name, string rules) in all)
        {
            try
            {
                IEnumerable<string> words = $"{kind} {name} {rules}".Split(' ').Select(AsText);
                lines.Add(string.Join(' ', words.Select(ConfigurationLine.QuoteIfNeeded)));
            }
            catch (DecoderFallbackException)
            {
                problem = $"{kind} {name}: its name or rules are not UTF-8, which a configuration file cannot hold; use aclfile";
                return false;
            }
        }

        return true;
    }

    private static string AsText(string word) => Strict.GetString(Encoding.Latin1.GetBytes(word));
}
