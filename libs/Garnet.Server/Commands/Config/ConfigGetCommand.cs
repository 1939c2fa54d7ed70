// CONFIG GET parameter [parameter ...]
using System.Buffers;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Configuration;
using Garnet.Server.Modules;

namespace Garnet.Server.Commands.Config;

/// <summary>Replies with the options whose names are given or match a glob pattern, sorted by name.</summary>
internal sealed class ConfigGetCommand(ServerConfiguration configuration, ServerModules modules)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GET",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.0.0",
        MakeHandler = static parts => new ConfigGetCommand(parts.Get<ServerConfiguration>(), parts.Get<ServerModules>()).Execute,
    };

    private static readonly SearchValues<byte> PatternBytes = SearchValues.Create("[*?"u8);

    private void Execute(ref CommandContext context)
    {
        // The reply repeats the name as the client wrote it; if it appears twice in different case, the first spelling is used.
        GarnetOptions options = configuration.Current;
        var found = new SortedDictionary<string, string>(StringComparer.Ordinal);
        var known = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        for (int i = 2; i < context.Count; i++)
        {
            ReadOnlySpan<byte> pattern = context[i];
            if (!pattern.ContainsAny(PatternBytes))
            {
                string name = Encoding.Latin1.GetString(pattern);
                string? value = OptionTable.Find(name)?.Format(options) ?? modules.FindSetting(name)?.Format();
                if (value is not null && known.Add(name))
                    found.Add(name, value);
                continue;
            }
            foreach ((string name, OptionDescriptor option) in OptionTable.Names)
            {
                if (!option.IsHidden && GlobPattern.IsMatch(pattern, Encoding.Latin1.GetBytes(name), ignoreCase: true) && known.Add(name))
                    found.Add(name, option.Format(options));
            }
            foreach (ModuleSetting setting in modules.Settings)
            {
                if (GlobPattern.IsMatch(pattern, Encoding.Latin1.GetBytes(setting.Name), ignoreCase: true) && known.Add(setting.Name))
                    found.Add(setting.Name, setting.Format());
            }
        }

        context.Reply.WriteMap(found.Count);
        foreach ((string name, string value) in found)
        {
            context.Reply.WriteBulk(name);
            context.Reply.WriteBulk(value);
        }
    }
}
