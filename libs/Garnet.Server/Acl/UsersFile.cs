// The ACL file: read at the start and by ACL LOAD, written by ACL SAVE. Stateless.
using System.Globalization;
using System.Text;
using Garnet.Server.Configuration;

namespace Garnet.Server.Acl;

/// <summary>
/// One user or role per line, <c>user &lt;name&gt; &lt;rules&gt;</c> or <c>role &lt;name&gt; &lt;rules&gt;</c>; empty lines are ignored.
/// Text has one character per byte.
/// </summary>
internal static class UsersFile
{
    private const int MaxBytes = 64 << 20;
    private const string NothingChanged = "WARNING: ACL errors detected, no change to the previously active ACL rules was performed";

    /// <summary>Reads the rules of all users and roles. Returns what is wrong with the file, or null.</summary>
    public static string? Read(string path, Users users, out Dictionary<string, UserRules> rules, out Dictionary<string, UserRules> roles)
    {
        rules = new Dictionary<string, UserRules>(StringComparer.Ordinal);
        roles = new Dictionary<string, UserRules>(StringComparer.Ordinal);
        string text;
        try
        {
            text = ReadText(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return $"Error loading ACLs, opening file '{path}': {e.Message}";
        }

        StringBuilder problems = new();
        string[] lines = [.. text.Split('\n').Select(static line => line.Trim(' ', '\t', '\r'))];
        // Users may name roles of later lines.
        foreach (bool isRole in (ReadOnlySpan<bool>)[true, false])
        {
            for (int i = 0; i < lines.Length; i++)
            {
                if (lines[i].Length > 0 && IsRole(lines[i]) == isRole)
                    ReadLine(path, i + 1, lines[i], users, rules, roles, problems);
            }
        }

        return problems.Length == 0 ? null : problems.Append(NothingChanged).ToString();
    }

    /// <summary>Writes all users.</summary>
    public static void Write(string path, Users users)
    {
        StringBuilder text = new();
        foreach ((string name, UserRules role) in users.Roles.All)
            text.Append("role ").Append(name).Append(' ').Append(role.DescribeRole()).Append('\n');
        foreach (User user in users.All)
            text.Append("user ").Append(user.Name).Append(' ').Append(user.Rules).Append('\n');
        SettingsFile.Replace(path, Encoding.Latin1.GetBytes(text.ToString()));
    }

    private static string ReadText(string path)
    {
        using FileStream file = File.OpenRead(path);
        byte[] bytes = new byte[Math.Min(file.Length, MaxBytes + 1)];
        int read = file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
        return read <= MaxBytes
            ? Encoding.Latin1.GetString(bytes, 0, read)
            : throw new IOException(string.Create(CultureInfo.InvariantCulture, $"it is larger than {MaxBytes >> 20} MB"));
    }

    private static void ReadLine(
        string path,
        int number,
        string line,
        Users users,
        Dictionary<string, UserRules> rules,
        Dictionary<string, UserRules> roles,
        StringBuilder problems
    )
    {
        string[] words = line.Split(' ');
        bool isRole = IsRole(line);
        if (isRole && ProblemOfRole(path, number, words, roles) is { } wrong)
        {
            problems.Append(wrong);
            return;
        }
        IFormatProvider format = CultureInfo.InvariantCulture;
        if (!isRole && (words.Length < 2 || words[0] != "user"))
        {
            problems.Append(format, $"{path}:{number} should start with user keyword followed by the username. ");
            return;
        }

        string name = words[1];
        if (RuleParser.HasSpace(name))
        {
            problems.Append(format, $"'{path}:{number}: username '{name}' contains invalid characters. ");
            return;
        }

        UserRules user = users.NewRules();
        if (!(isRole ? roles : rules).TryAdd(name, user))
        {
            problems.Append(format, $"WARNING: Duplicate user '{name}' found on line {number}. ");
            return;
        }

        if (RuleArguments.Join(words[2..], out _) is not { } joined)
        {
            problems.Append(format, $"{path}:{number}: Unmatched parenthesis in selector definition.");
            return;
        }

        bool isBroken = false;
        RuleParser parser = users.ParserFor(roles.ContainsKey);
        foreach (string rule in joined.Select(static word => word.Trim('\t', '\r', '\n')))
        {
            RuleError error = isRole ? parser.ApplyToRole(user, rule) : parser.Apply(user, rule);
            if (error == RuleError.UnknownCommand)
                problems.Append(format, $"{path}:{number}: Error in applying operation '{rule}': {RuleErrorText.Of(error)}. ");
            else if (error != RuleError.None && !isBroken)
                problems.Append(format, $"{path}:{number}: {RuleErrorText.Of(error)}. ");
            isBroken |= error is not (RuleError.None or RuleError.UnknownCommand);
        }
    }

    private static bool IsRole(string line) => line == "role" || line.StartsWith("role ", StringComparison.Ordinal);

    private static string? ProblemOfRole(string path, int number, string[] words, Dictionary<string, UserRules> roles)
    {
        IFormatProvider format = CultureInfo.InvariantCulture;
        return words.Length < 2 ? string.Create(format, $"{path}:{number} role keyword requires a role name. ")
            : Roles.ProblemOf(words[1]) is { } problem ? string.Create(format, $"{path}:{number}: invalid role name: {problem}. ")
            : roles.ContainsKey(words[1]) ? string.Create(format, $"WARNING: Duplicate role '{words[1]}' found on line {number}. ")
            : null;
    }
}
