// Finds settings that are accepted but change nothing. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>Says at the start what a file written for another server asks for in vain.</summary>
internal static class IneffectiveOptions
{
    /// <summary>The name of the option that asks for a process in the background.</summary>
    public const string Daemonize = "daemonize";

    /// <summary>One sentence for each matter; none when every setting has its effect.</summary>
    public static IEnumerable<string> Warnings(GarnetOptions options)
    {
        if (options.Ignored.GetValueOrDefault(Daemonize, "no") == "yes")
        {
            yield return "daemonize yes: the server stays in the foreground; a service manager runs it in the background, "
                + "or & in a shell";
        }

        if (options.Supervised == Supervision.Upstart)
            yield return "supervised upstart has no effect: only systemd is told when the server is ready";
        GarnetOptions defaults = new();
        string[] others =
        [
            .. options
                .Ignored.Keys.Where(name =>
                    name != Daemonize && OptionTable.Find(name) is { } option && option.Format(options) != option.Format(defaults)
                )
                .Order(StringComparer.Ordinal),
        ];
        if (others.Length > 0)
            yield return $"Options that have no effect here: {string.Join(", ", others)}";
    }
}
