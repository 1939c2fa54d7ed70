// A service whose primary Sentinel knows. Immutable; any thread.
namespace Garnet.Cli.Options;

/// <summary>The addresses of Sentinels, and what they call the service.</summary>
/// <param name="Sentinels">Host and port of each.</param>
/// <param name="Name">The service.</param>
internal sealed record SentinelService(IReadOnlyList<(string Host, int Port)> Sentinels, string Name)
{
    /// <summary>The port of Sentinels.</summary>
    public const int DefaultPort = 26379;
}
