// The servers of an application and the sections of its configuration for them. Immutable.
using Garnet.Server.Configuration;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace Garnet.Hosting;

/// <summary>The name of a server that the application adds, as a service, so that each can see which others there are.</summary>
internal sealed record ServerNames(string Name)
{
    /// <summary>
    /// What to say of sections for servers that do not exist: a name in them is misspelt. Told by one of the servers only.
    /// </summary>
    public static IEnumerable<string> FindProblems(IServiceProvider provider, string server)
    {
        string[] names = [.. provider.GetServices<ServerNames>().Select(static each => each.Name)];
        if (names[0] != server || provider.GetService<IConfiguration>() is not { } configuration)
            yield break;
        foreach (IConfigurationSection section in configuration.GetSection(OptionsBinder.ServersPath).GetChildren())
        {
            if (names.Contains(section.Key, StringComparer.OrdinalIgnoreCase))
                continue;
            string near = NearestOption.Among(names, section.Key) is { } meant ? $"; is {meant} meant?" : "";
            yield return $"{section.Path} has no effect, as the application adds no server of that name{near}";
        }
    }
}
