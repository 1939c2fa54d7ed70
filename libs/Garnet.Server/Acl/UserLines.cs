// The users as lines of a configuration file. Stateless.
using System.Text;
using Garnet.Server.Configuration;

namespace Garnet.Server.Acl;

/// <summary>
/// The lines that CONFIG REWRITE writes: <c>user &lt;name&gt; &lt;rules&gt;</c> for each user; none if users are kept in an ACL file, or if
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
        foreach (User user in users.All)
        {
            try
            {
                IEnumerable<string> words = $"user {user.Name} {user.Rules}".Split(' ').Select(AsText);
                lines.Add(string.Join(' ', words.Select(ConfigurationLine.QuoteIfNeeded)));
            }
            catch (DecoderFallbackException)
            {
                problem = $"user {user.Name}: its name or rules are not UTF-8, which a configuration file cannot hold; use aclfile";
                return false;
            }
        }

        return true;
    }

    private static string AsText(string word) => Strict.GetString(Encoding.Latin1.GetBytes(word));
}
