// CONFIG GET parameter [parameter ...]
using System.Buffers;
using System.Text;
using Garnet.Server.CommandModel;
using Garnet.Server.Configuration;

namespace Garnet.Server.Commands.Config;

/// <summary>Replies with the options whose names are given or match a glob pattern, sorted by name.</summary>
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
        // The reply repeats the name as the client wrote it; if it appears twice in different case, the first spelling is used.
        var found = new SortedDictionary<string, OptionDescriptor>(StringComparer.Ordinal);
        var known = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        for (int i = 2; i < context.Count; i++)
        {
            ReadOnlySpan<byte> pattern = context[i];
            if (!pattern.ContainsAny(PatternBytes))
            {
                string name = Encoding.Latin1.GetString(pattern);
                if (OptionTable.Find(name) is { } option && known.Add(name))
                    found.Add(name, option);
                continue;
            }
            foreach ((string name, OptionDescriptor option) in OptionTable.Names)
            {
                if (GlobPattern.IsMatch(pattern, Encoding.Latin1.GetBytes(name), ignoreCase: true) && known.Add(name))
                    found.Add(name, option);
            }
        }

        GarnetOptions options = context.Server.Configuration.Current;
        context.Reply.WriteMap(found.Count);
        foreach ((string name, OptionDescriptor option) in found)
        {
            context.Reply.WriteBulk(name);
            context.Reply.WriteBulk(option.Format(options));
        }
    }
}
