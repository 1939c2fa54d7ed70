// Settings from an application's configuration. At start, one thread.
using System.Globalization;
using Garnet.Server.Configuration;
using Garnet.Server.Startup;
using Microsoft.Extensions.Configuration;

namespace Garnet.Hosting;

/// <summary>
/// Reads options from a configuration section, by their names or their properties' names: <c>"maxmemory": "1gb"</c>,
/// <c>"IdleTimeout": "00:00:30"</c>, <c>"MaxMemoryPolicy": "AllKeysLru"</c>, <c>"bind": ["127.0.0.1", "::1"]</c>, <c>"protected-mode": false</c>,
/// <c>"Users": { "app": "on &gt;secret ~app:* +@read" }</c>. A key that is neither is an
/// error, as a mistyped limit must not go unnoticed.
/// </summary>
internal static class OptionsBinder
{
    /// <summary>The configuration section with an application's settings.</summary>
    public const string SectionName = "Garnet";

    /// <summary>The part of it with the sections of named servers.</summary>
    public const string ServersName = "Servers";

    /// <summary>The path of that part.</summary>
    public const string ServersPath = $"{SectionName}:{ServersName}";

    /// <summary>The path of a server's section; the empty name is the default server's.</summary>
    public static string Section(string server) => server.Length == 0 ? SectionName : $"{ServersPath}:{server}";

    /// <summary>Puts the section's settings into the options.</summary>
    /// <exception cref="OptionException">A key or a value is wrong.</exception>
    public static void Bind(GarnetOptions options, IConfigurationSection section)
    {
        var reader = new OptionReader(options);
        foreach (IConfigurationSection setting in section.GetChildren())
        {
            if (setting.Path.Equals(ServersPath, StringComparison.OrdinalIgnoreCase))
                continue;
            if (setting.Key.Equals(nameof(GarnetOptions.Users), StringComparison.OrdinalIgnoreCase))
            {
                options.Users = setting.GetChildren().ToDictionary(static user => user.Key, Rules, StringComparer.Ordinal);
                continue;
            }

            if (setting.Key.Equals(nameof(GarnetOptions.Roles), StringComparison.OrdinalIgnoreCase))
            {
                options.Roles = setting.GetChildren().ToDictionary(static role => role.Key, Rules, StringComparer.Ordinal);
                continue;
            }

            if (setting.Key.Equals(nameof(GarnetOptions.RenamedCommands), StringComparison.OrdinalIgnoreCase))
            {
                foreach (IConfigurationSection command in setting.GetChildren())
                    reader.Direct(command.Path, [Directives.RenameCommand, command.Key, command.Value ?? ""]);
                continue;
            }

            if (setting.Key.Equals(nameof(GarnetOptions.ModuleSettings), StringComparison.OrdinalIgnoreCase))
            {
                options.ModuleSettings = setting
                    .GetChildren()
                    .ToDictionary(static value => value.Key, static value => value.Value ?? "", StringComparer.OrdinalIgnoreCase);
                continue;
            }

            OptionDescriptor option =
                OptionTable.Find(setting.Key)
                ?? OptionTable.All.FirstOrDefault(option => option.Property.Equals(setting.Key, StringComparison.OrdinalIgnoreCase))
                ?? throw new OptionException(
                    $"{setting.Path}: unknown option{Guess(setting.Key)} (allowed: the options of garnet --help and the properties of {nameof(GarnetOptions)})"
                );
            reader.Set(setting.Path, option, Words(setting, option));
        }
    }

    // "on >secret ~app:* +@read", or a list of these rules.
    private static string Rules(IConfigurationSection user) =>
        user.Value ?? string.Join(' ', user.GetChildren().Select(static rule => rule.Value));

    private static string Guess(string name) => NearestOption.Find(name) is { } meant ? $"; is {meant} meant?" : "";

    private static string[] Words(IConfigurationSection setting, OptionDescriptor option)
    {
        if (setting.Value is null)
            return setting.GetChildren().Select(item => item.Value ?? "").ToArray();
        if (option is BooleanOption && bool.TryParse(setting.Value, out bool yes))
            return [yes ? "yes" : "no"];
        // As .NET writes times; the option counts in its unit, and a part of one counts as one.
        if (
            option is IntegerOption { Unit: { } unit }
            && setting.Value.Contains(':', StringComparison.Ordinal)
            && TimeSpan.TryParse(setting.Value, CultureInfo.InvariantCulture, out TimeSpan time)
        )
        {
            return [Math.Ceiling(time / unit).ToString("F0", CultureInfo.InvariantCulture)];
        }

        return [option.WordOf(setting.Value)];
    }
}
