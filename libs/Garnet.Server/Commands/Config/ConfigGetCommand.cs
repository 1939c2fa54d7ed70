// CONFIG GET parameter [parameter ...]
using Garnet.Server.CommandModel;
using System.Buffers;
using System.Text;
using Garnet.Server.Configuration;

namespace Garnet.Server.Commands.Config;

/// <summary>Answers the options whose names are given or match a glob pattern, sorted by name.</summary>
internal static class ConfigGetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GET",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.0.0",
        Handler = Execute,
    };

    private static readonly SearchValues<byte> PatternBytes = SearchValues.Create("[*?"u8);

    private static void Execute(ref CommandContext context)
    {
        // The name is answered as it was asked for, in the first spelling when it was asked for twice.
        var found = new SortedDictionary<string, OptionDescriptor>(StringComparer.Ordinal);
        var known = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        for (int i = 2; i < context.Count; i++)
        {
            var pattern = context[i];
            if (!pattern.ContainsAny(PatternBytes))
            {
                string name = Encoding.Latin1.GetString(pattern);
                if (OptionTable.Find(name) is { } option && known.Add(name))
                    found.Add(name, option);
                continue;
            }
            foreach (var (name, option) in OptionTable.Names)
            {
                if (GlobPattern.IsMatch(pattern, Encoding.Latin1.GetBytes(name), ignoreCase: true) && known.Add(name))
                    found.Add(name, option);
            }
        }

        var options = context.Server.Configuration.Current;
        context.Reply.WriteMap(found.Count);
        foreach (var (name, option) in found)
        {
            context.Reply.WriteBulk(name);
            context.Reply.WriteBulk(option.Format(options));
        }
    }
}
