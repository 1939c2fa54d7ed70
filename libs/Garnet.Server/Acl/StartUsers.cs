// The users of the options and of the ACL file, when the server starts. Stateless.
using System.Text;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Acl;

/// <summary>Loads the users that a server starts with. An invalid rule fails the start: ignoring it might grant access.</summary>
internal static class StartUsers
{
    /// <exception cref="OptionException">A rule or the file cannot be used.</exception>
    public static void Load(Users users, GarnetOptions options, ILogger log)
    {
        if (options.AclFile.Length > 0 && options.Users.Count + options.Roles.Count > 0)
            throw new OptionException("aclfile: define users either in that file or as options (user ...), not in both");
        foreach ((string name, string rules) in options.Roles)
        {
            if (users.SetRole(AsBytes(name), AsBytes(rules).Split(' ', StringSplitOptions.RemoveEmptyEntries)) is { } wrong)
                throw new OptionException($"role {name}: {wrong}");
        }

        foreach ((string name, string rules) in options.Users)
            Add(users, name, rules);
        if (options.AclFile.Length > 0)
        {
            if (
                UsersFile.Read(
                    options.AclFilePath,
                    users,
                    out Dictionary<string, UserRules> read,
                    out Dictionary<string, UserRules> roles
                ) is
                { } problem
            )
            {
                throw new OptionException($"aclfile: {problem}");
            }

            users.Replace(read, roles);
        }

        foreach (User user in users.All)
        {
            if (!user.Rules.IsOn)
                log.LogInformation("The user '{Name}' is off: no connection can log in as it", user.Name);
        }
    }

    private static void Add(Users users, string name, string rules)
    {
        string user = AsBytes(name);
        if (name.Length == 0 || RuleParser.HasSpace(user))
            throw new OptionException($"user {name}: a user's name must not be empty or contain spaces");
        List<string> words = [.. AsBytes(rules).Split(' ', StringSplitOptions.RemoveEmptyEntries)];
        // The default user's rules are all in its line, as in a file.
        if (user == Users.DefaultName)
            words.Insert(0, "reset");
        if (users.Set(user, words) is { } problem)
            throw new OptionException($"user {name}: {problem}");
    }

    // Rules have one character per byte.
    private static string AsBytes(string text) => Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(text));
}
